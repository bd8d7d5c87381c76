// take.ts - a motion that was opened: its figure, its clips, and the files it can be saved as.
//
// A kind of file is a function here and a row in the table of readers.

import {
  type Clip,
  type ContactPoint,
  LimberError,
  type LimberWithClips,
  type Model,
} from 'limber';
import { trim } from '../ui/controls';
import { type ClipFile, filesFor, type NoFile } from './formats';
import type { SkinSource } from './skin';

/** Files of a drop, by their paths. */
export type Files = ReadonlyMap<string, Blob>;

export interface Take {
  /** The file's name, for headings and messages. */
  readonly name: string;
  /** The same for the same file, opened again. */
  readonly id: string;
  readonly model: Model;
  /** What of it may be played: the animations of a glTF; one of other files. */
  readonly parts: readonly string[];
  /** What is known of it, name and value. */
  readonly facts: readonly (readonly [string, string])[];
  /** A pose with flat feet, null: neutral. */
  readonly rest: ArrayLike<number> | null;
  /** The mesh of a rigged character. */
  readonly skin: SkinSource | null;
  readonly saves: readonly ClipFile[];
  readonly others: readonly NoFile[];
  /** When feet rest, where that is known; null: it is found in the motion. */
  readonly contacts: readonly ContactPoint[] | null;
  clip(part: number): Clip;
  release(): void;
}

/** What a reader is given: a file, and what came with it. */
export interface Opened {
  library: LimberWithClips;
  path: string;
  files: Files;
  /** The robot that a table moves. */
  robot: () => Model;
  warn: (words: string) => void;
}

const nameOf = (path: string): string => path.split('/').at(-1)!;

const idOf = (name: string, bytes: Uint8Array): string => `${name}, ${bytes.length}`;

/** An error with the file's name and the place before it. */
export function placed(name: string, error: unknown): Error {
  if (!(error instanceof LimberError))
    return error instanceof Error ? error : new Error(String(error));
  const line = error.line > 0 ? `:${error.line}` : '';
  return new LimberError(`${name}${line}: ${error.message}`, error.code, error.line);
}

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** What a panel says of a motion, name and value. */
export function factsOf(
  take: Take | null,
  clip: Clip | undefined,
): readonly (readonly [string, string])[] {
  if (!take || !clip) return [];
  const rate = clip.rate(1e-3);
  return [
    ...take.facts,
    ['Frames', String(clip.count)],
    ['Rate', rate > 0 ? `${Number(rate.toFixed(2))} a second` : 'uneven'],
    ['Length', `${(clip.end - clip.begin).toFixed(2)} s`],
  ];
}

// ---- readers ----

async function readBvh({ library, path, files, warn }: Opened): Promise<Take> {
  const name = nameOf(path);
  const text = await bytesOf(files.get(path)!);
  const bvh = library.clips.bvh(text, {
    name,
    warn: ({ line, message }) => warn(`${name}${line > 0 ? `:${line}` : ''}: ${message}`),
  });
  const { info, motion } = bvh;
  if (!motion) {
    bvh.release();
    throw new LimberError('it has a skeleton and no frames', 'unsupported');
  }
  const sure = (known: boolean): string => (known ? 'recognised' : 'assumed');
  return {
    name,
    id: idOf(name, text),
    model: bvh.model,
    parts: [''],
    rest: bvh.rest,
    skin: null,
    facts: [
      ['Format', 'BVH'],
      ['Joints', String(info.joints)],
      ['Unit', `${info.unitName || `${trim(info.unit)} m`}, ${sure(info.unitRecognised)}`],
      ['Up', `${info.up}, ${sure(info.upRecognised)}`],
      ...(info.restFrame ? [['Frame 0', 'a rest pose, left out'] as const] : []),
    ],
    contacts: null,
    ...filesFor(library, bvh.model, [
      {
        id: 'bvh',
        hint: 'The file with the poses as they are now',
        write: (clip) => bvh.write(clip === motion ? bvh.clip : clip),
      },
    ]),
    clip: () => motion,
    release: () => bvh.release(),
  };
}

/** Buffers beside a .gltf, by their paths as seen from it. */
async function beside(path: string, files: Files): Promise<Record<string, Uint8Array>> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const found: Record<string, Uint8Array> = {};
  for (const [other, file] of files) {
    if (other === path || !/\.bin$/i.test(other)) continue;
    const inside = other.startsWith(folder) ? other.slice(folder.length) : nameOf(other);
    found[inside] = await bytesOf(file);
  }
  return found;
}

async function readGltf({ library, path, files, warn }: Opened): Promise<Take> {
  const name = nameOf(path);
  const bytes = await bytesOf(files.get(path)!);
  const gltf = library.clips.gltf(bytes, {
    name,
    files: await beside(path, files),
    warn: ({ message }) => warn(`${name}: ${message}`),
  });
  const { info, animations } = gltf;
  const clips = new Map<number, Clip>();
  return {
    name,
    id: idOf(name, bytes),
    model: gltf.model,
    parts: animations.map((animation, i) => animation.name || `animation ${i}`),
    rest: null,
    skin:
      info.skins > 0 ? { bytes: gltf.write().buffer, linkOf: (node) => gltf.linkOf(node) } : null,
    facts: [
      ['Format', info.humanoid ? `glTF, ${info.humanoid}` : 'glTF'],
      ['Nodes', `${info.nodes}, ${info.skinJoints} of skins`],
      ...(info.generator ? [['Made by', info.generator] as const] : []),
    ],
    contacts: null,
    ...filesFor(library, gltf.model, [
      {
        id: 'glb',
        hint: 'The file with this motion as one more animation',
        write: (clip) => gltf.write(clip, { name: 'limber' }),
      },
    ]),
    clip: (part) => {
      if (animations.length === 0)
        throw new LimberError(
          'it has no animations; open it as what to retarget onto',
          'unsupported',
        );
      if (!clips.has(part)) clips.set(part, gltf.clip(part));
      return clips.get(part)!;
    },
    release: () => {
      for (const clip of clips.values()) clip.release();
      gltf.release();
    },
  };
}

/** A robot's motion by one of the library's readers. */
const readRobot =
  (
    format: string,
    read: (opened: Opened, bytes: Uint8Array, model: Model, name: string) => Clip | Promise<Clip>,
  ) =>
  async (opened: Opened): Promise<Take> => {
    const { library, path, files } = opened;
    const name = nameOf(path);
    const bytes = await bytesOf(files.get(path)!);
    const model = opened.robot();
    const clip = await read(opened, bytes, model, name);
    return {
      name,
      id: idOf(name, bytes),
      model,
      parts: [''],
      rest: null,
      skin: null,
      facts: [
        ['Format', format],
        ['Robot', model.name],
      ],
      contacts: null,
      ...filesFor(library, model),
      clip: () => clip,
      release: () => {
        clip.release();
        model.release();
      },
    };
  };

const readers: readonly { ending: RegExp; read: (opened: Opened) => Promise<Take> }[] = [
  { ending: /\.bvh$/i, read: readBvh },
  { ending: /\.(glb|gltf|vrm)$/i, read: readGltf },
  {
    ending: /\.csv$/i,
    read: readRobot('table of a robot', ({ library }, bytes, model, name) =>
      library.clips.robotCsv(bytes, model, { name }),
    ),
  },
  {
    ending: /\.npz$/i,
    read: readRobot('NumPy’s archive of a robot', ({ library, warn }, bytes, model, name) =>
      library.clips.robotNpz(bytes, model, {
        name,
        warn: ({ message }) => warn(`${name}: ${message}`),
      }),
    ),
  },
  {
    ending: /\.json$/i,
    read: readRobot('JSON', ({ library }, bytes, model, name) =>
      library.clips.clipJson(bytes, model, { name }),
    ),
  },
];

/** A motion from a file; errors begin with its name and say where. */
export async function takeFrom(opened: Opened): Promise<Take> {
  try {
    return await readers.find(({ ending }) => ending.test(opened.path))!.read(opened);
  } catch (error) {
    throw placed(nameOf(opened.path), error);
  }
}
