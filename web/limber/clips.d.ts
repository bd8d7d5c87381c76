/** Files of motion, contacts, retargeting, elbows, workspaces: what the module with clips has besides the core. */

import type {
  BvhInfo,
  FidelityReport as FidelityReportData,
  FidelityWorst,
  Gait,
  GltfInfo,
  Proximity,
  RetargetOptions as RetargetOptionsData,
  RetargetReport,
} from './layouts.js';

export type { Proximity } from './layouts.js';
import type { Elbow, Options, Task } from './ik.js';
import type {
  Bytes,
  Clip,
  Configuration,
  Model,
  Placement,
  ReadOptions,
  Workspace,
} from './index.js';

/**
 * Signs in ASCII, as "theta' = J^+ V": ' is the dot of a velocity, _ leads to an index, ^ to T, +
 * or a power; or a matrix, row by row.
 */
export type FormulaPart =
  { sign: string } | { name: string; rows: number; columns: number; numbers: number[] };

/** A heading with the number of its equation or '', a sentence, or a formula. */
export type DerivationLine =
  { number?: string; text: string; parts?: undefined } | { text?: undefined; parts: FormulaPart[] };

export interface Srdf {
  /** Named configurations of groups of joints; apply() leaves the joints of others as they are. */
  readonly states: readonly {
    readonly name: string;
    readonly group: string;
    apply(q: ArrayLike<number>): Configuration;
  }[];
  /** Pairs of links that may touch, for collision(). */
  readonly disabled: readonly (readonly [number, number])[];
}

export interface Clips {
  /** Names of what links are in a figure: 'pelvis', 'left foot' ... */
  readonly roles: readonly string[];
  /** Kinds of tables of robot motion. */
  readonly tables: readonly string[];
  /**
   * The first step of a method from q, equation by equation (Parent 2012, 5.16 to 5.31), with the
   * arm's own numbers. Throws for loops, a base that moves and free axes.
   */
  derive(
    model: Model,
    task: Task,
    options: Options,
    target: ArrayLike<number>,
    q: ArrayLike<number>,
  ): DerivationLine[];
  /**
   * How an arm of seven joints moves while its tool stays. Throws, and says why, where the arm has no
   * such motion.
   */
  elbow(model: Model, task: Task): Elbow;
  /** Where a tool can be; `cells` along the longest side, 0: the library's choice. */
  workspace(
    model: Model,
    tip: number | string,
    options?: { tool?: Placement; cells?: number },
  ): Workspace;
  bvh(file: string | Uint8Array, options?: BvhOptions): Bvh;
  /** A BVH file of any motion whose keys are even. */
  writeBvh(clip: Clip, options?: { unit?: number; up?: 'x' | 'y' | 'z' }): Bytes;
  gltf(file: Uint8Array, options?: GltfOptions): Gltf;
  /**
   * Robot motion over a model with a floating root, in the order of its joints: LAFAN1's tables
   * without a header, or those of BONES; `rate` frames a second, 0: as the kind has.
   */
  robotCsv(
    file: string | Uint8Array,
    model: Model,
    options?: { name?: string; kind?: 'recognise' | 'lafan1' | 'bones'; rate?: number },
  ): Clip;
  writeRobotCsv(clip: Clip, options?: { kind?: 'lafan1' | 'bones' }): Bytes;
  /** The same as NumPy's .npz, joints by their names; written not compressed, keys must be even. */
  robotNpz(file: Uint8Array, model: Model, options?: ReadOptions): Promise<Clip>;
  /** `order` of the joints: the model's, as Isaac's simulators number them, or names of all. */
  writeRobotNpz(
    clip: Clip,
    options?: { order?: 'depth-first' | 'breadth-first' | readonly string[] },
  ): Bytes;
  /** Motion of any model, its joints by name. */
  clipJson(file: JsonFile, model: Model, options?: { name?: string }): Clip;
  writeClipJson(clip: Clip): Bytes;
  /**
   * Heels and toes of the left foot, then of the right, and when they rest, without landing and
   * lifting off: each near the level on which it rests. Heights are 0 where the soles are known, by
   * shapes of the feet or by the meshes of a glTF, else those levels. `rest` is a pose with flat feet; default: neutral where the soles are known, else
   * findRest(). Throws where the model has no feet that are known.
   */
  findContacts(
    clip: Clip,
    options?: {
      rest?: ArrayLike<number> | null;
      ground?: number;
      groundNormal?: ArrayLike<number>;
      warn?: Warn;
    },
  ): ContactPoint[];
  /** Contacts of a file; spans that touch become one. */
  readContacts(file: JsonFile, model: Model, options?: { name?: string }): ContactPoint[];
  writeContacts(points: readonly ContactPoint[], model: Model): Bytes;
  /**
   * A figure with a floating root walks: from where it stands at rest in the direction of its toes,
   * so many cycles of two steps. Its heels and toes rest exactly while their contacts say so.
   */
  walk(model: Model, options?: WalkOptions): { clip: Clip; contacts: ContactPoint[] };
  /**
   * How near the links of a figure come to each other, for check() and retarget(). Pairs that touch
   * at rest or always are left out. Release it before the model.
   */
  collision(model: Model, options?: CollisionOptions): Collision;
  /** What `limber check --json` prints; null: it is not known or not measured. */
  check(clip: Clip, options?: CheckOptions): CheckReport;
  /** How like its source a motion is: places of both figures' joints, at equal times. */
  fidelity(clip: Clip, source: Clip, options?: FidelityOptions): FidelityReport;
  /**
   * A model with the same links, joints and indices and the narrower limits of a file: MoveIt's
   * joint_limits as YAML or JSON. Accelerations are one of each joint, Infinity where none is given.
   * Release it before `model`.
   */
  withLimits(
    file: JsonFile,
    model: Model,
    options?: ReadOptions,
  ): { model: Model; accelerations: Float64Array };
  /** What an SRDF says of the model, from its text. */
  srdf(text: string, model: Model, options?: ReadOptions): Srdf;
  /** The link of each role that the model has. Throws where it is no figure that is known. */
  findRig(model: Model): Record<string, number>;
  /**
   * The pose in which the figure of a capture stands, arms hanging and feet flat, found from all of
   * its motion: by it retarget() aligns links, whatever their axes are. What is moved by hinges, as
   * a robot, stands at zero. Throws where there is no figure.
   */
  findRest(clip: Clip): Configuration;
  /**
   * What retarget() uses unless it is given a map. Of a clip the figure stands as findRest() finds
   * it, of a model as it is at zero; `rest` is a pose in which it stands. Throws where a model is no
   * figure.
   */
  findMap(
    source: Clip | Model,
    target: Model,
    options?: { rest?: ArrayLike<number> | null; warn?: Warn },
  ): RetargetMap;
  /** A map of a file, limber's or GMR's, with all that it leaves to be found left out still. */
  readMap(file: JsonFile, source: Model, target: Model, options?: { name?: string }): RetargetMap;
  writeMap(map: RetargetMap, source: Model, target: Model): Bytes;
  /** The same motion on another figure of the same module, whose root must move. */
  retarget(clip: Clip, target: Model, options?: RetargetOptions): Retargeted;
}

/** Receives the error of a glTF's mesh that cannot be read; soles are assumed then. */
export type Warn = NonNullable<ReadOptions['warn']>;

/** A file of JSON: its text, its bytes, or what JSON.parse made of it. */
export type JsonFile = string | Uint8Array | object;

export interface BvhOptions extends ReadOptions {
  /** Metres in a unit of the file; 0: recognised by the figure's size. */
  unit?: number;
  up?: 'recognise' | 'x' | 'y' | 'z';
  /** Which frame is a rest pose before the motion; true: frame 0, false: none. */
  restFrame?: 'recognise' | boolean | number;
}

/** A capture. Model and clips go with it. */
export interface Bvh {
  readonly model: Model;
  readonly info: Omit<BvhInfo, 'up'> & {
    readonly up: 'x' | 'y' | 'z';
    /** The name of the unit: 'cm', 'inch', 'cmu' ... */
    readonly unitName: string;
  };
  /** All frames; null: it is a skeleton alone. */
  readonly clip: Clip | null;
  /** The rest pose that was given, else null; the frames after it or a recognised one, from 0 s on. */
  readonly rest: Configuration | null;
  readonly motion: Clip | null;
  /** The file again, with the poses of a clip over its model in place of its own. */
  write(clip?: Clip | null): Bytes;
  release(): void;
}

export interface GltfOptions extends ReadOptions {
  /** The bytes of files beside it, by the relative paths that the file names. */
  files?: Record<string, Uint8Array>;
  /** Metres in a unit of the file; 0: 1. */
  unit?: number;
  up?: 'recognise' | 'x' | 'y' | 'z';
}

/** A figure with its animations. The model goes with it; clips must be released before. */
export interface Gltf {
  readonly model: Model;
  readonly info: Omit<GltfInfo, 'up' | 'humanoid'> & {
    readonly up: 'x' | 'y' | 'z';
    readonly humanoid: '' | 'VRM 0.x' | 'VRM 1.0';
  };
  readonly animations: readonly { name: string; begin: number; end: number }[];
  /** The link of a node of the file, -1: there is no such node. */
  linkOf(node: number): number;
  /** An animation by its index or name; the first by default. */
  clip(animation?: number | string): Clip;
  /** The file with a clip over its model as one more animation, or in place of one of that name. */
  write(
    clip?: Clip | null,
    options?: { name?: string; binary?: boolean; onlyThis?: boolean },
  ): Bytes;
  release(): void;
}

/** A point of a figure, and when it rests on the ground. */
export interface ContactPoint {
  readonly link: number;
  /** In the link's frame. */
  readonly at: readonly [number, number, number];
  /** Above the ground while it rests. */
  readonly height: number;
  /** It rests at any height, as a hand on a rail. */
  readonly anyHeight?: boolean;
  /** In the order of time, seconds. */
  readonly spans: readonly { begin: number; end: number }[];
}

/** What is left out, or 0, is that of an adult who walks at ease. */
export type WalkOptions = Gait;

export interface RetargetOptions extends RetargetOptionsData {
  /** It is of the target, with `margin` as its `distance`. */
  collision?: Collision | null;
  /** Slows the motion down where legs would exceed their speeds, which makes it longer. */
  retime?: boolean;
  /** What follows what; null: findMap(). */
  map?: RetargetMap | null;
  /** When points of the source rest; null: findContacts(). */
  contacts?: readonly ContactPoint[] | null;
  /** The largest acceleration of each joint of the target, as withLimits() has it. */
  accelerations?: ArrayLike<number> | null;
  /** A pose of the source that stands upright; null: findRest(). */
  rest?: ArrayLike<number> | null;
  /** A pose of the target that the first frame is tried from, too. */
  start?: ArrayLike<number> | null;
  warn?: Warn;
}

export interface CollisionOptions {
  /** Metres that links are to keep: pairs that are nearer at rest or always are left out; 0. */
  distance?: number;
  /** Configurations in which links are tried against each other; 1000. */
  samples?: number;
  /** What stands for a mesh: its hull, or a capsule around it, the default. */
  fit?: 'hull' | 'capsule';
  /** Leaves out pairs that touched in none of these. */
  skipNever?: boolean;
  /** Points of meshes, x y z after each other, by the names that the model has for them. */
  meshes?: Record<string, ArrayLike<number>>;
  /** Pairs of links that are not measured, by name or index. */
  disabled?: readonly (readonly [string | number, string | number])[];
}

export interface Collision {
  readonly model: Model;
  /** What is measured: shapes that collide, in their place what links look like, or nothing. */
  readonly shapes: 'collision' | 'looks' | 'none';
  /** Shapes that are left out for want of their mesh. */
  readonly missing: number;
  /** Pairs of links, and why they are left out. */
  readonly pairs: readonly {
    a: number;
    b: number;
    state: 'checked' | 'rigid' | 'adjacent' | 'disabled' | 'always' | 'never' | 'rest';
  }[];
  /** How many are checked. */
  readonly checked: number;
  /** Checked pairs of links at most so many metres apart (0), by their nearest shapes. */
  near(q: ArrayLike<number>, distance?: number): Proximity[];
  release(): void;
}

export interface CheckOptions {
  /** When points rest; null: heels and toes of both feet, detected. */
  contacts?: readonly ContactPoint[] | null;
  /** A pose with flat feet, for detecting; null: as findContacts(). */
  rest?: ArrayLike<number> | null;
  /** Height of the ground at x = y = 0, and its normal; 0, level. */
  ground?: number;
  groundNormal?: ArrayLike<number>;
  /** Of each joint, radians or metres a second squared, as withLimits() returns them. */
  accelerations?: ArrayLike<number> | null;
  /** Of the clip's model; null: links are not measured. */
  collision?: Collision | null;
  /** Pairs that are nearer are listed, metres. */
  margin?: number;
  /** Numbers of items beyond which a frame counts; what is left out is the library's. */
  thresholds?: Partial<Record<CheckName, number>>;
  /** Adds the numbers of each frame. */
  frames?: boolean;
  warn?: Warn;
}

export type FidelityName =
  | 'trunk'
  | 'heading'
  | 'left arm'
  | 'right arm'
  | 'left leg'
  | 'right leg'
  | 'path'
  | 'height'
  | 'hands'
  | 'feet'
  | 'jump'
  | 'shift';

export interface FidelityOptions {
  /** What the means of items may be, of jumps and shifts the largest; the others are the library's. */
  thresholds?: Partial<Record<FidelityName, number>>;
  /** Vectors perpendicular to the ground of the clip and of the source, z up; default: level. */
  groundNormal?: ArrayLike<number>;
  sourceGroundNormal?: ArrayLike<number>;
  /** The values of each frame, too. */
  frames?: boolean;
}

/** Radians, and lengths in those of each figure's leg; null: a figure has no two arms. */
export interface FidelityReport
  extends FidelityReportData, Record<FidelityName, FidelityItem | null> {
  /** With `frames`: the names of columns, and a row of them for each frame that is compared. */
  readonly columns?: readonly FidelityName[];
  readonly eachFrame?: Float64Array;
}

export interface FidelityItem extends Omit<FidelityWorst, 'known'> {
  readonly time: number;
}

/** One item over the whole clip; without a frame it is 0 everywhere. */
export interface CheckItem {
  readonly worst: number;
  readonly rms: number;
  readonly framesBeyond: number;
  readonly frame?: number;
  readonly time?: number;
  /** A link or a joint. */
  readonly of?: string;
}

export type CheckName =
  | 'slide'
  | 'floating'
  | 'penetration'
  | 'jump'
  | 'shift'
  | 'speed'
  | 'acceleration'
  | 'position'
  | 'overlap'
  | 'open';

/** Metres, radians and seconds; speed over its limit. */
export interface CheckReport extends Record<CheckName, CheckItem | null> {
  readonly frames: number;
  readonly contacts: {
    readonly points: number;
    readonly spans: number;
    readonly origin: 'given' | 'detected';
    readonly solesAssumed: boolean;
  } | null;
  readonly links: {
    readonly shapes: Collision['shapes'];
    readonly missing: number;
    readonly pairs: number;
    readonly margin: number;
    /** Pairs that touch or are nearer than the margin, the nearest first. */
    readonly near: readonly {
      a: string;
      b: string;
      distance: number;
      /** How deep they are in each other. */
      overlap: number;
      frame: number;
      time: number;
      framesTouching: number;
      framesNear: number;
    }[];
  } | null;
  /** With `frames`: the names of columns, and a row of them for each frame. */
  readonly columns?: readonly string[];
  readonly eachFrame?: Float64Array;
}

/** What of the target follows what of the source: the value of a map's file, see docs/format.md. */
export interface RetargetMap {
  limber_map: 1;
  /** Of positions against the root, and of the root's way; 0: by the lengths of the legs. */
  scale: number;
  root_scale: number;
  /** The first is the root's. */
  pairs: RetargetPair[];
}

/** Links by their names, weights; how the links correspond is found unless `rotation` says it. */
export interface RetargetPair {
  role?: string;
  source: string;
  target: string;
  position?: number;
  orientation?: number;
  direction?: number;
  rotation?: number[];
  axis?: number[];
  source_point?: number[];
  target_point?: number[];
  offset?: number[];
  held?: { source: string; source_at: number[]; at: number[] }[];
}

export interface Retargeted {
  readonly clip: Clip;
  /** Of the target. */
  readonly contacts: ContactPoint[];
  /** With `retime`: when each key of the source comes, seconds. */
  readonly keyTimes?: Float64Array;
  readonly report: RetargetReport & {
    /** How long the motion was, where it was slowed down. */
    readonly secondsBeforeRetiming?: number;
  };
}
