// document.ts - what is done with a motion, as plain values that are kept and undone.
//
// The motion itself, which may have many megabytes, is not among them.

import type { RetargetOptions } from 'limber';
import { type CurvesState, plainCurves } from '../curves/document';

/** A pose that was corrected by hand, at a time and less around it: a point of a link, or a joint. */
export interface Correction {
  on: 'source' | 'target';
  link: string;
  /** The joint that was given another value; '': a point was moved. */
  joint: string;
  /** In the link's frame. */
  point: number[];
  /** Seconds. */
  time: number;
  /** Metres along the world's axes; of a joint what is added to its values, as a velocity has it. */
  by: number[];
  /** Seconds to either side, after which nothing is moved. */
  width: number;
}

/** A point of a figure, and when it rests. */
export interface HeldPoint {
  link: string;
  /** In the link's frame. */
  at: number[];
  /** Above the ground while it rests. */
  height: number;
  /** In the order of time, seconds. */
  spans: { begin: number; end: number }[];
}

/** Options of limber retarget; null: not given. */
export interface Options {
  /** Feet are held where those of the source rest. */
  held: boolean;
  /** Hands stay near what they touch, and in their places on the ground. */
  hands: boolean;
  /** Joints keep the speed limits of their files. */
  speedLimits: boolean;
  /** The motion is slowed down where legs would exceed these. */
  retime: boolean;
  /** Metres that links stay apart. */
  margin: number | null;
  /** Height of the target's ground, metres. */
  ground: number | null;
  /** Frames a second. */
  rate: number | null;
  /** Of the root's path, and of positions against the root. */
  rootScale: number | null;
  scale: number | null;
}

/** Least and largest of each number; beyond, a figure is out of every proportion. */
export const optionRanges = {
  margin: [0, 0.5],
  ground: [-100, 100],
  rate: [1, 1000],
  rootScale: [0.01, 100],
  scale: [0.01, 100],
} as const;

export const plainOptions = (): Options => ({
  held: true,
  hands: false,
  speedLimits: true,
  retime: false,
  margin: null,
  ground: null,
  rate: null,
  rootScale: null,
  scale: null,
});

/** As the package has them; numbers that are left out are its defaults. */
export const retargetOptions = (options: Options): RetargetOptions => ({
  unlocked: !options.held,
  anySpeed: !options.speedLimits,
  hands: options.hands,
  retime: options.retime && options.held && options.speedLimits,
  margin: options.margin ?? 0,
  ground: options.ground ?? 0,
  rate: options.rate ?? 0,
  scale: options.scale ?? 0,
  rootScale: options.rootScale ?? 0,
});

export interface MotionState {
  /** The example that is open; '': a file, or nothing. */
  example: string;
  /** The figure to retarget onto, see target_figures.ts; '': none. */
  onto: string;
  options: Options;
  /** How fast it plays; 1: as it is. */
  pace: number;
  loop: boolean;
  /** The view goes with the figure. */
  accompany: boolean;
  /** Bones are drawn in place of a character's mesh. */
  bones: boolean;
  /** Of corrections to come, seconds. */
  width: number;
  /** What corrections and contacts belong to: a file and an animation in it. */
  take: string;
  corrections: Correction[];
  /** When its points rest, where that was edited; empty: as they are found. */
  contacts: HeldPoint[];
  /** The map that was edited, as its file has it, and which figure it is for; '': as it is found. */
  map: { onto: string; text: string };
  /** How many of the figure there are; 0: itself alone. */
  crowd: number;
  curves: CurvesState;
}

export function plainMotion(): MotionState {
  return {
    example: '',
    onto: '',
    options: plainOptions(),
    pace: 1,
    loop: true,
    accompany: true,
    bones: false,
    width: 0.4,
    take: '',
    corrections: [],
    contacts: [],
    map: { onto: '', text: '' },
    crowd: 0,
    curves: plainCurves(),
  };
}

export const plainHeld: HeldPoint = {
  link: '',
  at: [0],
  height: 0,
  spans: [{ begin: 0, end: 0 }],
};

/** Figures of a crowd at most. */
export const mostOfCrowd = 2000;

export const plainCorrection: Correction = {
  on: 'source',
  link: '',
  joint: '',
  point: [0],
  time: 0,
  by: [0],
  width: 0.4,
};
