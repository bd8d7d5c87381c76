/** Inverse kinematics: solvers, every solution of a target, the elbow's circle, whole bodies. */

import type { Configuration, Model, Placement, Vector3 } from './index.js';
import type {
  BodyOptions as BodyOptionsData,
  BodyOutcome,
  BodyResult as BodyResultData,
  ElbowArc,
  ElbowChoice,
  IkOptions,
  IkResult,
  JointSetting as JointSettingData,
  Solution as SolutionData,
  SolutionsOptions as SolutionsOptionsData,
  SolutionsSummary,
} from './layouts.js';

export type { BodyOutcome, ElbowArc, IkOptions, IkResult } from './layouts.js';

// ---- solvers ----

export interface Method {
  readonly index: number;
  readonly name: string;
  readonly summary: string;
  readonly source: string;
}

/** What must reach its target; targets are T_base_goal. */
export interface Task {
  /** The link that carries the tool. */
  tip: number | string;
  /** Default: the world. */
  base?: number | string | 'world';
  /** Default: pose. */
  kind?: 'position' | 'rotation' | 'pose';
  /** T_tip_tool, default: the tip's own frame. */
  tool?: Placement;
  /** An axis of the tool about which it may turn freely. */
  freeAxis?: Vector3;
  /** Axes of the target along which the tool may be anywhere: a line, or a plane. */
  freePosition?: '' | 'x' | 'y' | 'z' | 'xy' | 'xz' | 'yz';
  weight?: number;
}

/** Those of the library, by its names: see IkOptions. */
export interface Options extends IkOptions {
  /** The name of a method, default lm. */
  method?: string;
  /**
   * The control term: how strongly each joint is drawn to its desired value, nv numbers >= 0.
   * Steps go on where the tasks are solved ("processing"); a solve moves its solution on.
   */
  gains?: ArrayLike<number> | null;
  /** nq numbers; null: the neutral configuration. */
  desired?: ArrayLike<number> | null;
  /** What this solver changes of joints. */
  joints?: readonly JointSetting[];
}

/** What a solver changes of a joint; what is left out is as in the model. */
export interface JointSetting extends Omit<JointSettingData, 'joint' | 'lower' | 'upper'> {
  joint: number | string;
  /** They narrow the limits: of joints of several values up to three numbers. */
  lower?: number | ArrayLike<number>;
  upper?: number | ArrayLike<number>;
}

/** Why a goal was not reached. */
export type Reason = IkResult['reason'];

export interface Achieved extends Omit<IkResult, 'outcome'> {
  readonly q: Configuration;
}

export interface Result extends IkResult {
  readonly q: Configuration;
}

export interface Progress extends Achieved {
  readonly progress: 'success' | 'processing' | 'failure';
}

export interface Solver {
  readonly model: Model;
  readonly tasks: readonly Task[];
  readonly options: Required<Options>;
  /** The best configuration found, never farther from the targets than the start. */
  solve(
    targets: ArrayLike<number> | readonly ArrayLike<number>[],
    start?: ArrayLike<number>,
  ): Result;
  /** One iteration. */
  step(targets: ArrayLike<number> | readonly ArrayLike<number>[], q: ArrayLike<number>): Progress;
  /** Why a result is what it is, in words. */
  explain(targets: ArrayLike<number> | readonly ArrayLike<number>[], result: Result): string;
  /** Many problems in flat arrays: 12 numbers for each target, nq for each start and result. */
  solveMany(
    targets: ArrayLike<number>,
    starts: ArrayLike<number>,
  ): {
    reached: number;
    q: Float64Array;
    outcomes: Result['outcome'][];
  };
  release(): void;
}

// ---- every solution ----

export interface SolutionsOptions extends SolutionsOptionsData {
  /** Solutions that are listed at most; 256. */
  capacity?: number;
  /** What is changed of joints. */
  joints?: readonly JointSetting[];
}

/** One configuration that reaches the target. */
export interface Solution extends SolutionData {
  readonly q: Configuration;
}

/** What is known of all solutions of one target. */
export interface AllSolutions extends Omit<SolutionsSummary, 'listed' | 'familyCount'> {
  /** Nearest to the start first. */
  readonly solutions: readonly Solution[];
}

export interface Solutions {
  readonly model: Model;
  readonly task: Task;
  readonly options: Required<SolutionsOptions>;
  readonly armClass:
    | 'spherical wrist'
    | 'spherical shoulder'
    | 'three parallel axes'
    | 'general'
    | 'redundant'
    | 'planar';
  /** Why the arm is of that class. */
  readonly description: string;
  find(target: ArrayLike<number>, start?: ArrayLike<number>): AllSolutions;
  release(): void;
}

// ---- the elbow's circle ----

export interface ElbowPose {
  /**
   * reached; stalled: limits are broken; unreachable: the branch is not there; exhausted: rounding
   * keeps it from being confirmed. Of the last two q is the start.
   */
  readonly outcome: Result['outcome'];
  readonly q: Configuration;
}

export interface BestElbow extends ElbowChoice {
  readonly q: Configuration;
}

/**
 * The free motion of an arm of seven joints whose first three axes meet in a point, and whose last
 * three do: its elbow goes round the line between the two points while the tool stays. Of other
 * arms with a closed form when the last joint is held, or the first, an angle is that joint's value.
 * Of any other arm of seven turning joints arcs are followed: each is a branch of its own, an angle
 * is the length of the way along it, and what was found is listed.
 */
export interface Elbow {
  readonly model: Model;
  readonly task: Task;
  /** The joint whose value the angle is; -1: the angle is the elbow's; -2: the length along an arc. */
  readonly joint: number;
  /**
   * By branch and then by angle; where none is listed, single configurations may be left: `best`. The ends are exact. Locked
   * joints are where `start` has them, by default where the neutral configuration does.
   */
  arcs(target: ArrayLike<number>, start?: ArrayLike<number>): ElbowArc[];
  /** A branch at an elbow angle, inside the limits or not, on the turns nearest to the start. */
  at(
    target: ArrayLike<number>,
    branch: number,
    angle: number,
    start?: ArrayLike<number>,
  ): ElbowPose;
  /** The best found of all branches and angles; default: the nearest to the start. */
  best(
    target: ArrayLike<number>,
    goal?: 'nearest' | 'margin' | 'manipulability',
    start?: ArrayLike<number>,
  ): BestElbow;
  release(): void;
}

// ---- whole bodies ----

export type BodyKind =
  | 'position'
  | 'orientation'
  | 'pose'
  | 'on-line'
  | 'on-plane'
  | 'look-at'
  | 'direction'
  | 'pole'
  | 'center-of-mass'
  | 'support'
  | 'joint'
  | 'contact';

/** What is wanted of one link; what a kind has no use for is not read. */
export interface BodyTask {
  /** Default: pose. */
  kind?: BodyKind;
  /** Carries the tool; of a pole the middle link. */
  link?: number | string;
  /** The link that the target is given in; default: the world. */
  base?: number | string | 'world';
  /** T_link_tool, default: the link's own frame. */
  tool?: Placement;
  /** Of look-at and direction: the tool's axis, default z. */
  axis?: Vector3;
  /** Of a pole: the links that carry the ends of the line. */
  first?: number | string;
  last?: number | string;
  joint?: number | string;
  /** 0 to 3: a level never gives way to a later one. */
  level?: number;
  /** Against tasks of the same level; 0: off. */
  weight?: number;
  /** Metres along the target's axes to either side that are as good. */
  box?: Vector3;
  /** Radians from the target that are as good. */
  cone?: number;
  /** Of support: a convex polygon, counter-clockwise, 3 to 16 vertices. */
  vertices?: readonly (readonly [number, number])[];
}

export interface BodyOptions extends BodyOptionsData {
  /** What is changed of joints. */
  joints?: readonly JointSetting[];
}

export interface BodyResult extends Omit<BodyResultData, 'outcome'> {
  readonly outcome: Exclude<BodyResultData['outcome'], 'unreachable'>;
  readonly tasks: readonly BodyOutcome[];
  readonly q: Configuration;
}

export interface Body {
  readonly model: Model;
  readonly tasks: readonly BodyTask[];
  /** T_base_target of a task, at first where its tool is in the neutral configuration. */
  setTarget(task: number, target: ArrayLike<number>): void;
  setWeight(task: number, weight: number): void;
  /**
   * Narrower limits of a joint for this solver, the model's hold as well: of value 0 or another;
   * of a ball 0 is the twist, 1 the swing, of which `lower` is not read.
   */
  setLimits(joint: number | string, lower: number, upper: number, value?: number): void;
  /** The target becomes where the tool is at q. */
  hold(task: number, q: ArrayLike<number>): void;
  /** From `start`, changed as little as the tasks allow; never beyond a limit. */
  solve(start?: ArrayLike<number>): BodyResult;
  /** Why a task of the last solve is as it is. */
  explain(task: number): {
    readonly reason: 'none' | 'level' | 'conflict' | 'limits' | 'reach' | 'budget';
    readonly words: string;
  };
  release(): void;
}
