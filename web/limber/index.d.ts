/**
 * limber: forward and inverse kinematics of linkages.
 *
 * Metres and radians, right-handed axes; quaternions are w x y z. A transform T_a_b
 * is frame b seen from frame a, as twelve numbers: its columns x, y, z, then p.
 * A configuration q is `model.nq` numbers, a velocity v `model.nv`.
 */

import type { Clips } from './clips.js';
import type {
  Body,
  BodyOptions,
  BodyTask,
  Method,
  Options,
  Solutions,
  SolutionsOptions,
  Solver,
  Task,
} from './ik.js';

export * from './clips.js';
export * from './ik.js';

export type Vector3 = readonly [number, number, number] | readonly number[] | Float64Array;
export type Transform = Float64Array;
export type Configuration = Float64Array;

/** Where something is; what is left out is zero. One rotation at most. Or twelve numbers. */
export type Placement =
  | {
      xyz?: Vector3;
      rpy?: Vector3;
      quaternion?: readonly number[] | Float64Array;
      matrix?: readonly Vector3[];
    }
  | ArrayLike<number>;

/** What could not be built, read or done: the message names the thing and the remedy. */
export class LimberError extends Error {
  constructor(message: string, code?: string, line?: number);
  /** Of the file that is read, counted from 1; 0: unknown. */
  readonly line: number;
  readonly code:
    | 'out-of-memory'
    | 'invalid-argument'
    | 'not-found'
    | 'file-error'
    | 'syntax-error'
    | 'bad-model'
    | 'bad-value'
    | 'unsupported';
  /** Of a map that is not found: in which figure there are no pelvis and legs; a map names them. */
  readonly unrecognised?: 'source' | 'target';
}

// ---- starting ----

/** WebAssembly.Module and URL, where the types of the project have them. */
type Globals = typeof globalThis;
export type WasmModule = Globals extends { WebAssembly: { Module: { prototype: infer M } } }
  ? M
  : object;
type Address = Globals extends { URL: { prototype: infer U } } ? U : { readonly href: string };

/** Bytes in a buffer that is not shared: TypeScript names these since 5.7. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

export interface LoadOptions {
  /** The module with SIMD instructions; default: where the engine has them. The results are the same. */
  simd?: boolean;
  /** The larger module, which has files of motion, contacts and retargeting, too: `clips`. */
  clips?: boolean;
  /** The module itself, its bytes or its URL; default: the file beside this one. */
  module?: WasmModule | ArrayBuffer | ArrayBufferView | Address | string;
}

export function load(options: LoadOptions & { clips: true }): Promise<LimberWithClips>;
export function load(options?: LoadOptions): Promise<Limber>;
export function hasSimd(): boolean;
/**
 * The module that load() would start, compiled: for load({ module }) here and, sent there, in workers,
 * which then need not fetch and compile it again.
 */
export function compile(options?: LoadOptions): Promise<WasmModule>;

export interface Limber {
  readonly version: string;
  readonly simd: boolean;
  readonly transforms: Transforms;
  /** All methods of inverse kinematics, in the library's order. */
  readonly methods: readonly Method[];
  /** What the module with clips has; null in the other one. */
  readonly clips: Clips | null;
  /**
   * From URDF, MJCF or limber JSON: its text, or what JSON.parse made of it. `files` are texts that an MJCF may
   * include, by their paths as seen from it.
   */
  model(
    file: string | object,
    options?: ReadOptions & { files?: Readonly<Record<string, string>> },
  ): Model;
  /** Rows as in the JSON format's "dh". */
  modelFromDh(
    rows: readonly DhRow[],
    options?: { convention?: 'standard' | 'modified'; name?: string },
  ): Model;
  /** Random numbers that are the same for the same seed everywhere. */
  random(seed?: number): Random;
}

export interface LimberWithClips extends Limber {
  readonly clips: Clips;
}

export interface ReadOptions {
  /** Names the file in messages. */
  name?: string;
  /** Refuse what would be warned of. */
  strict?: boolean;
  /** Gets what looks like a mistake, and what is untidy and was mended. */
  warn?: (warning: { line: number; message: string }) => void;
}

export interface Transforms {
  from(placement?: Placement): Transform;
  /** T_a_c from T_a_b and T_b_c. */
  multiply(a: ArrayLike<number>, b: ArrayLike<number>): Transform;
  inverse(a: ArrayLike<number>): Transform;
  /** a at t = 0, b at t = 1: the straight line, and the shorter great arc. */
  interpolate(a: ArrayLike<number>, b: ArrayLike<number>, t: number): Transform;
  /** w x y z, w >= 0. */
  quaternion(a: ArrayLike<number>): Float64Array;
  /** Roll, pitch, yaw: turns about the fixed axes x, then y, then z. */
  rpy(a: ArrayLike<number>): Float64Array;
}

export interface Random {
  /** Uniform in [lower, upper). */
  between(lower: number, upper: number): number;
  release(): void;
}

// ---- models ----

export type JointKind =
  'fixed' | 'revolute' | 'continuous' | 'prismatic' | 'universal' | 'planar' | 'ball' | 'floating';

/** The geometry that a link shows, for renderers; nothing here reads it. */
export type Visual = { placement: ArrayLike<number>; color: readonly number[] | null } & (
  | { shape: 'box'; size: readonly number[] }
  | { shape: 'cylinder' | 'capsule'; radius: number; length: number }
  | { shape: 'sphere'; radius: number }
  | { shape: 'mesh'; mesh: string; scale?: readonly number[] }
);

export interface DhRow {
  joint?: string;
  link?: string;
  kind?: 'revolute' | 'continuous' | 'prismatic';
  theta?: number;
  d?: number;
  a?: number;
  alpha?: number;
  limits?: readonly [number | null, number | null];
  value?: number;
  weight?: number;
  locked?: boolean;
}

export interface Link {
  readonly index: number;
  readonly name: string;
  /** -1: the root. */
  readonly parent: number;
  readonly visuals: readonly Visual[];
  /** What it is in a human figure, by VRM's names; null: not said. */
  readonly bone: string | null;
  readonly mass: number;
  readonly center: Vector3;
  readonly dataOffset: ArrayLike<number>;
}

/** Joint j moves link j + 1. */
export interface Joint {
  readonly index: number;
  readonly name: string;
  readonly kind: JointKind;
  readonly parent: number;
  readonly child: number;
  readonly placement: Float64Array;
  readonly axis: Float64Array;
  readonly axis2: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Its values at rest, nq of them. */
  readonly value: Float64Array;
  readonly weight: number;
  readonly locked: boolean;
  /** A motor moves it: of a loop's joints the others follow first. */
  readonly driven: boolean;
  /** A spring holds it: of a loop's joints it follows after passive and before driven ones. */
  readonly sprung: boolean;
  /** The joint it follows in the end, -1: none; value = multiplier * followed + offset. */
  readonly mimic: number;
  readonly multiplier: number;
  readonly offset: number;
  readonly velocity: number;
  readonly effort: number;
  /** Where its values start in q and v; of a mimic joint those it follows, -1: none. */
  readonly q: number;
  readonly v: number;
  readonly nq: number;
}

/** Never changes. Links and joints are stored depth first, parents before children. */
export interface Model {
  /** What it was made with. */
  readonly limber: Limber;
  readonly name: string;
  readonly links: readonly Link[];
  readonly joints: readonly Joint[];
  readonly root: Transform;
  readonly nq: number;
  readonly nv: number;
  /** How many loops it closes: solver(), body() and clips.workspace() keep them closed; solutions() and clips.elbow() refuse it. Forward kinematics is that of the tree. */
  readonly loopCount: number;
  /** The links without children. */
  readonly tips: number[];
  /**
   * The links that targets are most likely meant for: tools by name, else hands and feet by the
   * tree; at least one, and the first is what is meant where one is wanted.
   */
  readonly defaultTips: number[];
  /**
   * The same model with a root that moves differently. A new root link and the joint `root`
   * come before the old ones where it is made to move; a joint that a file has for this is replaced.
   */
  withRoot(kind: 'fixed' | 'planar' | 'floating'): Model;
  /** The text of limber JSON, which reads back as an equal model. */
  toJson(): string;
  findLink(name: string): number;
  findJoint(name: string): number;

  neutral(): Configuration;
  random(random: Random): Configuration;
  clamp(q: ArrayLike<number>): Configuration;
  interpolate(from: ArrayLike<number>, to: ArrayLike<number>, t: number): Configuration;
  /** The velocity that leads from one to the other in unit time. */
  difference(from: ArrayLike<number>, to: ArrayLike<number>): Float64Array;
  integrate(q: ArrayLike<number>, v: ArrayLike<number>): Configuration;
  /** Throws a LimberError that names the joint unless q is within its limits. */
  validate(q: ArrayLike<number>, tolerance?: number): void;

  state(q?: ArrayLike<number>): State;
  solver(tasks: Task | readonly Task[], options?: Options): Solver;
  /** Every configuration for a target. Throws, and says why, for arms that it has them not of. */
  solutions(task: Task, options?: SolutionsOptions): Solutions;
  /** Many tasks of any kind on any links, with strict levels: feet that stay, a hand that reaches. */
  body(tasks: BodyTask | readonly BodyTask[], options?: BodyOptions): Body;
  /**
   * Forward kinematics of many configurations at once; with a tip also its Jacobian, of a
   * point in its frame along the world's axes. `width`: how many side by side, 0: as suits.
   */
  fkBatch(options?: { tip?: number | string; point?: Vector3; width?: number }): FkBatch;
  /**
   * Key poses at increasing times, and the interpolation between them; cubic by default. A list of
   * poses, or all times and rows of nq numbers, as a clip has them.
   */
  clip(
    keys: readonly Key[] | { times: ArrayLike<number>; keys: ArrayLike<number> },
    options?: { interpolation?: 'linear' | 'cubic' | 'step' },
  ): Clip;
  /** Everything made from it must be released before, or never be used again. */
  release(): void;
}

/** One configuration, and where everything is in it. */
export interface State {
  readonly model: Model;
  readonly q: Configuration;
  update(q: ArrayLike<number>): this;
  /** T_world_link, twelve numbers for each link: a view that the next update changes. */
  readonly transforms: Float64Array;
  /** T_base_link, seen from the world unless from another link. */
  transform(link: number | string, base?: number | string): Transform;
  /** 6 x nv, row major: linear then angular, for a point in the link's frame. */
  jacobian(link: number | string, point?: Vector3, axes?: 'world' | 'link'): Float64Array;
  centerOfMass(): { mass: number; center: Float64Array };
  /** How near to singular a link's point is; `length` metres count as a radian, 0: places alone. */
  singularity(
    link: number | string,
    options?: { point?: Vector3; length?: number; tolerance?: number },
  ): Singularity;
  /**
   * Velocities of a link's point while the squares of the joints' velocities sum to 1: semi-axes,
   * longest first, m/s. With damping: what damped least squares leaves of them.
   */
  velocityEllipsoid(
    link: number | string,
    options?: { point?: Vector3; damping?: number },
  ): { center: Float64Array; axes: Float64Array[] };
  release(): void;
}

/** All methods return views: the next call changes them, a growing memory detaches them. */
export interface FkBatch {
  readonly model: Model;
  /** Rows of T_world_link of all links, and of 6 x nv numbers; of nq numbers each. */
  forward(configurations: ArrayLike<number>): {
    transforms: Float64Array;
    jacobians: Float64Array;
  };
  /**
   * Rows of one 4 x 4 matrix for each link, column after column, in single precision, as
   * renderers of instances want them. Configuration i is placed at places[3 i], x, y, z.
   */
  matrices(configurations: ArrayLike<number>, places?: ArrayLike<number>): Float32Array;
  release(): void;
}

export interface Singularity {
  readonly rank: number;
  /** The greatest singular value by the least; Infinity when singular. */
  readonly condition: number;
  /** The product of the singular values (Yoshikawa 1985). */
  readonly manipulability: number;
  /** Six, zero where there are fewer. */
  readonly values: Float64Array;
  /** The direction in which the tip is hardest to move: three of translation, three of rotation. */
  readonly weakest: Float64Array;
}

// ---- motion ----

export interface Key {
  time: number;
  q: ArrayLike<number>;
}

/** Motion sampled in time. It never changes; its model must not be released before it. */
export interface Clip {
  readonly model: Model;
  /** How many keys there are, and the times of the first and the last, seconds. */
  readonly count: number;
  readonly begin: number;
  readonly end: number;
  /** The times of all keys. */
  readonly times: Float64Array;
  timeOf(key: number): number;
  /** The pose at a time; held before the first key and after the last. */
  at(time: number): Configuration;

  // what follows is in the module with clips alone

  readonly interpolation: 'linear' | 'cubic' | 'step';
  key(index: number): Configuration;
  /** The poses of all keys, rows of nq numbers. */
  readonly keys: Float64Array;
  /**
   * Velocity and acceleration at a time, nv numbers each: central differences of poses that are the
   * mean gap between keys apart, on the inner side of an end within that gap of it.
   */
  rates(time: number): { velocity: Float64Array; acceleration: Float64Array };
  /** Rows of the poses at many times, as FkBatch takes them. */
  poses(times: ArrayLike<number>): Float32Array;
  /** Keys per second where they are evenly spaced, to a share of the gap (1e-3), as times of files are rounded; else 0. */
  rate(tolerance?: number): number;
  /** Each is a clip of its own. */
  resample(rate: number): Clip;
  /** The same keys at exactly even times, where they are even to this share of the gap (1e-3). */
  even(tolerance?: number): Clip;
  slice(from: number, to: number): Clip;
  /** The first key at `begin`, where it is by default, the others `speed` times as fast after it. */
  retime(options?: { begin?: number; speed?: number }): Clip;
  /**
   * This clip up to `from`, the other one after `to`, and smoothly from pose to pose in between.
   * Both have one model and the times of the result: retime() shifts one before.
   */
  blend(other: Clip, from: number, to: number): Clip;
  /** Left and right exchanged. */
  mirror(): Clip;
  /** So many times, without a jump: the last `fade` seconds of each go over to the beginning. */
  loop(count: number, fade: number): Clip;
  release(): void;
}

/** The cells of a grid that a tool was found in. */
export interface Workspace {
  /** Metres: the cells' edge. */
  readonly cell: number;
  /** T_world_grid; of an arm that moves in a plane the plane is z = 0 of the grid. */
  readonly frame: Transform;
  /** In grid axes: the corner of cell (0, 0, 0) with the least coordinates. */
  readonly corner: Float64Array;
  /** How many cells there are along x, y, z. */
  readonly count: readonly [number, number, number];
  /** Into how many orientations all of them are divided. */
  readonly orientations: number;
  /** Samples `count` more configurations; returns how many cells have been reached by now. */
  sample(count: number): number;
  /**
   * Decides cell (i, j, k) by inverse kinematics at its centre: the share of orientations that are
   * reached there, -1 where the centre is not reached. 0 throughout for an arm with too few joints
   * for a pose. Takes some milliseconds in space.
   */
  solve(i: number, j: number, k: number): number;
  /** Of the reached cells: rows of x, y, z and the share of all orientations. */
  cells(): Float64Array;
  release(): void;
}
