// document.ts - what a board is: an arm, its start, its target, and the methods.
//
// All of it is plain numbers and words, so that it can be kept, undone and sent as a
// link. Angles are radians; lengths have whatever unit the arm has.

/** One link of the arm and the joint at its root. */
export interface LinkSpec {
  length: number;
  /** Limits of the joint, null where there is none. */
  lower: number | null;
  upper: number | null;
  /** The control term: the desired value of the joint, and its gain. */
  desired: number;
  gain: number;
}

/** How a method is to work; 0 means the method's own choice. */
export interface Settings {
  damping: number;
  adaptive: boolean;
  alpha: number;
  stepLimit: number;
  /** Leave configurations in which the method is stuck. */
  escape: boolean;
  control: 'gradient' | 'square';
  rank: 'gain' | 'recency' | 'room';
  bend: -1 | 0 | 1;
}

/** A step clamp that clamps nothing. */
export const noLimit = 1000;

export type Gains = number[] | null;

/** One method on show. Settings and gains are the board's, where it has none of its own. */
export interface Pane {
  method: string;
  settings: Partial<Settings> | null;
  gains: Gains;
}

/**
 * follow: the arm chases the target while it is dragged.
 * steps: from the start to the target, one iteration after the other.
 * path: the target goes from the tip to its place in frames; the arm follows each.
 */
export type Motion = 'follow' | 'steps' | 'path';

export interface Show {
  reach: boolean;
  limits: boolean;
  trace: boolean;
  ghosts: boolean;
  changes: boolean;
  ellipse: boolean;
  labels: boolean;
  /** Cyclic descent joint by joint, not sweep by sweep. */
  sweep: boolean;
}

export interface BoardState {
  /** The example this came from, '' once it has been changed beyond it. */
  example: string;
  links: LinkSpec[];
  start: number[];
  target: [number, number];
  panes: Pane[];
  /** The code of the user's own method; '': none. */
  own: string;
  settings: Settings;
  motion: Motion;
  /** Pictures on the path, and iterations at most in each. */
  frames: number;
  perFrame: number;
  /** Iterations at most from the start; iterations per picture in pursuit. */
  iterations: number;
  pace: number;
  layout: 'side' | 'over';
  show: Show;
  /** The frame that is looked at, -1: the last. */
  cursor: number;
  /** Where the arms are in 'follow', by method and place; empty: at the start. */
  poses: number[][];
}

export const maxLinks = 12;
export const maxPanes = 12;
/** The method whose code is in the state. */
export const ownName = 'own';

export function link(
  length: number,
  lower: number | null = null,
  upper: number | null = null,
): LinkSpec {
  return { length, lower, upper, desired: 0, gain: 0 };
}

export function pane(
  method: string,
  settings: Partial<Settings> | null = null,
  gains: Gains = null,
): Pane {
  return { method, settings, gains };
}

export const plainSettings: Settings = {
  damping: 0,
  adaptive: false,
  alpha: 0,
  stepLimit: 0,
  escape: true,
  control: 'gradient',
  rank: 'gain',
  bend: 0,
};

export const plainShow: Show = {
  reach: true,
  limits: true,
  trace: true,
  ghosts: true,
  changes: false,
  ellipse: false,
  labels: false,
  sweep: false,
};

/** The arm of Parent 2012, figure 5.20: 15, 10 and 5 long, starting at 22.5, 45 and 45 degrees. */
export function plainBoard(): BoardState {
  return {
    example: '',
    links: [link(15), link(10), link(5)],
    start: [Math.PI / 8, Math.PI / 4, Math.PI / 4],
    target: [-20, 5],
    panes: [pane('damped')],
    own: '',
    settings: { ...plainSettings },
    motion: 'steps',
    frames: 20,
    perFrame: 1,
    iterations: 60,
    pace: 4,
    layout: 'side',
    show: { ...plainShow },
    cursor: -1,
    poses: [],
  };
}

export function reachOf(links: readonly LinkSpec[]): number {
  return links.reduce((sum, { length }) => sum + length, 0);
}

/** The inner radius of the reach: the longest link less all the others. */
export function innerReachOf(links: readonly LinkSpec[]): number {
  const longest = Math.max(...links.map(({ length }) => length));
  return Math.max(0, 2 * longest - reachOf(links));
}

export const limited = (links: readonly LinkSpec[]): boolean =>
  links.some(({ lower, upper }) => lower !== null || upper !== null);
