// messages.ts - what the page and its worker send each other about motions: plain values alone.
//
// A request says all that its result depends on, files included, so that another worker may take the
// place of one that is busy with what is no longer wanted. The worker keeps what it has read and made.

import type { Clip, ContactPoint, Retargeted, RetargetMap } from 'limber';
import type { Correction, Options } from '../document';
import type { MeshPoints } from '../mesh_points';

/** Files of a drop, by their paths. */
export type Files = ReadonlyMap<string, Blob>;

/** Where a motion is from: an example of ours, or a file with what came beside it. */
export interface Origin {
  /** The same number: the same motion. */
  serial: number;
  /** Of the table in examples.ts, '' of a file. */
  example: string;
  path: string;
  files: Files;
  /** The figure where the file has none, as limber JSON: of tables, archives, examples. */
  figure: string;
}

/** A clip over a model that both sides have. */
export interface Keys {
  times: Float64Array<ArrayBuffer>;
  keys: Float64Array<ArrayBuffer>;
  interpolation: Clip['interpolation'];
}

/** A warning that a glTF's mesh cannot be read. */
export type Warnings = readonly string[];

/** What is known of a motion that was opened. */
export interface Opened {
  name: string;
  /** The same for the same file, opened again. */
  id: string;
  /** Its figure, as limber JSON. */
  model: string;
  /** What of it may be played: the animations of a glTF; one of other files. */
  parts: string[];
  /** What is known of it, name and value. */
  facts: (readonly [string, string])[];
  /** The mesh of a rigged character: a GLB, and the link of each of its nodes. */
  skin: { bytes: ArrayBuffer; links: Int32Array } | null;
  /** Formats that it is written in by its own file. */
  own: { id: string; hint: string }[];
  /** When feet rest, where that is known; null: it is found in the motion. */
  contacts: readonly ContactPoint[] | null;
  warnings: Warnings;
  /** Its first part; null: it has none. */
  first: SourceMade | null;
}

export interface SourceWanted {
  origin: Origin;
  part: number;
  corrections: readonly Correction[];
}

export interface SourceMade {
  clip: Keys;
  /** When its feet rest; of what has no feet empty. */
  contacts: readonly ContactPoint[];
  warnings: Warnings;
}

/** A figure to retarget onto: a model, or that of a file. */
export interface Figure {
  serial: number;
  /** As limber JSON; '': that of the file. */
  model: string;
  origin: Origin | null;
}

export interface TargetWanted {
  source: SourceWanted;
  figure: Figure;
  /** null: found in the motion. */
  contacts: readonly ContactPoint[] | null;
  options: Options;
  /** The text of a map, '': it is found. */
  map: string;
  meshes: MeshPoints;
  corrections: readonly Correction[];
}

/** What came of retargeting. */
export interface TargetMade {
  clip: Keys;
  contacts: readonly ContactPoint[];
  report: Retargeted['report'];
  /** With `retime`: when each key of the source comes. */
  keyTimes: Float64Array | null;
  /** What kept links apart; null: nothing did. */
  collision: { checked: number; missing: number } | null;
  /** How long it took. */
  seconds: number;
}

/** The map is there where nothing came of it, too: it can be edited then. */
export interface TargetResult {
  map: RetargetMap | null;
  warnings: Warnings;
  made: TargetMade | null;
  /** Why nothing came of it, '' where something did. */
  refusal: string;
  /** In which figure no pelvis and legs are found, where that is why. */
  unrecognised: 'source' | 'target' | '';
}

/** A file of what was made; `format` is the id of a row in formats.ts. */
export interface FileWanted {
  of: SourceWanted | TargetWanted;
  format: string;
}

/** What the worker does: names of requests, what each takes and returns. */
export interface Calls {
  open(wanted: Origin): Promise<Opened>;
  source(wanted: SourceWanted): Promise<SourceMade>;
  target(wanted: TargetWanted): Promise<TargetResult>;
  write(wanted: FileWanted): Promise<Uint8Array<ArrayBuffer>>;
}

/** To the worker: at first the module, then requests. */
export type Request =
  | { module: WebAssembly.Module }
  | {
      [Name in keyof Calls]: { job: number; call: Name; wanted: Parameters<Calls[Name]>[0] };
    }[keyof Calls];

/** An error as messages carry it. */
export interface Failure {
  message: string;
  code?: string;
  line?: number;
}

export interface Reply {
  job: number;
  made?: unknown;
  failure?: Failure;
}
