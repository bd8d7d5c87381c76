// document.ts - what is done with a motion, as plain values that are kept and undone.
//
// The motion itself, which may have many megabytes, is not among them.

/** A pose that was corrected by hand: a point of a link, moved at a time, less around it. */
export interface Correction {
  on: 'source' | 'target';
  link: string;
  /** In the link's frame. */
  point: number[];
  /** Seconds. */
  time: number;
  /** Metres along the world's axes. */
  by: number[];
  /** Seconds to either side, after which nothing is moved. */
  width: number;
}

export interface MotionState {
  /** The example that is open; '': a file, or nothing. */
  example: string;
  /** The figure to retarget onto, see onto.ts; '': none. */
  onto: string;
  /** Feet are held where those of the source rest. */
  held: boolean;
  /** Joints keep the speed limits of their files. */
  speedLimits: boolean;
  /** How fast it plays; 1: as it is. */
  pace: number;
  loop: boolean;
  /** The view goes with the figure. */
  accompany: boolean;
  /** Bones are drawn in place of a character's mesh. */
  bones: boolean;
  /** Of corrections to come, seconds. */
  width: number;
  /** What the corrections belong to: a file and an animation in it. */
  take: string;
  corrections: Correction[];
}

export function plainMotion(): MotionState {
  return {
    example: '',
    onto: '',
    held: true,
    speedLimits: true,
    pace: 1,
    loop: true,
    accompany: true,
    bones: false,
    width: 0.4,
    take: '',
    corrections: [],
  };
}

export const plainCorrection: Correction = {
  on: 'source',
  link: '',
  point: [0],
  time: 0,
  by: [0],
  width: 0.4,
};
