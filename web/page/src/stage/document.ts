// document.ts - what a stage is: a model, its configuration, targets, and what is shown.
//
// Plain values, as the board's: kept, undone and sent as a link.

import { type CurvesState, plainCurves } from '../curves/document';
import type { Task } from 'limber';

/** Where a model comes from: built in, a figure of Parent 2012, or a file that was opened. */
export type ModelOrigin =
  | { from: 'builtin' | 'figure'; name: string }
  | {
      from: 'file';
      name: string;
      text: string;
      /** Texts that it includes (MJCF), by their paths as seen from it. */
      parts?: Record<string, string>;
      /** The text of an SRDF that came along. */
      srdf?: string;
      /** The text of a file of joint limits that came along. */
      limits?: string;
    };

/** A tool that has a target. */
export interface TipState {
  link: string;
  kind: 'position' | 'pose';
  /** The roll about the tool's z axis does not count. */
  free: boolean;
  /** T_world_goal, twelve numbers; empty: where the tip is. */
  target: number[];
  /** It stays where it is while another target or a link is dragged. */
  planted: boolean;
}

/** How the root moves; '': as suits the model, and then one of the others. */
export type Root = '' | 'fixed' | 'planar' | 'floating';

export interface Key {
  time: number;
  q: number[];
}

export interface StageShow {
  frames: boolean;
  axes: boolean;
  changes: boolean;
  limits: boolean;
  trace: boolean;
  ghosts: boolean;
  workspace: boolean;
  ellipsoid: boolean;
  spare: boolean;
  mass: boolean;
  contacts: boolean;
  crowd: boolean;
}

export interface StageState {
  model: ModelOrigin;
  root: Root;
  /** nq numbers, or none: the neutral configuration. */
  q: number[];
  tips: TipState[];
  /** The centre of mass stays above what is planted. */
  balance: boolean;
  /** Which of the tips the gizmo and the numbers are for. */
  selected: number;
  gizmo: 'translate' | 'rotate';
  method: string;
  protocol: 'nearest' | 'any' | 'given';
  /** Solve with every change of a target. */
  follow: boolean;
  /** What is dragged stops where links would get into each other. */
  solid: boolean;
  degrees: boolean;
  show: StageShow;
  /** How the workspace is drawn; of an arm in a plane it is its area. */
  workspaceAs: 'slice' | 'shell';
  keys: Key[];
  /** Of the motion through the key poses. */
  curves: CurvesState;
  interpolation: 'linear' | 'cubic';
  loop: boolean;
  /** Where the camera is and what it looks at; empty: chosen from the model. */
  camera: number[];
}

export const plainStageShow: StageShow = {
  frames: false,
  axes: false,
  changes: false,
  limits: false,
  trace: true,
  ghosts: false,
  workspace: false,
  ellipsoid: false,
  spare: false,
  mass: false,
  contacts: true,
  crowd: false,
};

export function plainTip(link: string): TipState {
  return { link, kind: 'pose', free: false, target: [], planted: false };
}

/** A tip as a task of the library. */
export function taskOf({ link, kind, free }: TipState): Task {
  return { tip: link, kind, freeAxis: free && kind === 'pose' ? [0, 0, 1] : [0, 0, 0] };
}

export function plainStage(model: ModelOrigin = { from: 'builtin', name: 'panda' }): StageState {
  return {
    model,
    root: '',
    q: [],
    tips: [],
    balance: false,
    selected: 0,
    gizmo: 'translate',
    method: 'lm',
    protocol: 'nearest',
    follow: true,
    solid: true,
    degrees: true,
    show: { ...plainStageShow },
    workspaceAs: 'slice',
    keys: [],
    curves: plainCurves(),
    interpolation: 'cubic',
    loop: true,
    camera: [],
  };
}
