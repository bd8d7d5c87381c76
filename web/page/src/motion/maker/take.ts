// take.ts - files of motion as they are read in the worker: the figure, its clips, what the file writes.
//
// A kind of file is a function here and a row in the table of readers.

import {
  type Bvh,
  type Clip,
  type ContactPoint,
  type Gltf,
  LimberError,
  type LimberWithClips,
  type Model,
} from 'limber';
import { trim } from '../../ui/controls';
import { motionExamples } from '../examples';
import { nameOf, placed } from '../place';
import type { Files, Opened, Origin } from './messages';

/** A file that is open. */
export interface Take {
  readonly name: string;
  readonly id: string;
  readonly model: Model;
  readonly parts: readonly string[];
  readonly facts: readonly (readonly [string, string])[];
  /** A pose with flat feet, null: neutral. */
  readonly rest: ArrayLike<number> | null;
  /** Makes what draws a rigged character. */
  readonly skin: (() => NonNullable<Opened['skin']>) | null;
  /** What the file itself writes. */
  readonly own: readonly OwnFormat[];
  readonly contacts: readonly ContactPoint[] | null;
  readonly warnings: readonly string[];
  clip(part: number): Clip;
  release(): void;
}

/** A row of formats.ts, with a writer that replaces the row's. */
export interface OwnFormat {
  id: string;
  hint: string;
  write(clip: Clip): Uint8Array<ArrayBuffer>;
}

/** What a reader is given: a file, and what came with it. */
interface Given {
  library: LimberWithClips;
  path: string;
  files: Files;
  /** The robot that a table moves. */
  robot: () => Model;
  warnings: string[];
}

const idOf = (name: string, bytes: Uint8Array): string => `${name}, ${bytes.length}`;

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

// ---- readers ----

async function readBvh({ library, path, files, warnings }: Given): Promise<Take> {
  const name = nameOf(path);
  const text = await bytesOf(files.get(path)!);
  const bvh = library.clips.bvh(text, {
    name,
    warn: ({ line, message }) =>
      void warnings.push(`${name}${line > 0 ? `:${line}` : ''}: ${message}`),
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
    warnings,
    own: [
      {
        id: 'bvh',
        hint: 'The file with the poses as they are now',
        write: (clip) => {
          const whole = withRest(bvh, clip);
          const bytes = bvh.write(whole);
          if (whole !== clip && whole !== bvh.clip) whole.release();
          return bytes;
        },
      },
    ],
    clip: () => motion,
    release: () => bvh.release(),
  };
}

/** A corrected motion, with the frames before it that were left out as a rest pose. */
function withRest({ model, clip: all, motion }: Bvh, clip: Clip): Clip {
  if (clip === motion) return all!;
  const left = all!.count - motion!.count;
  // another motion, retargeted onto this skeleton, has none
  if (left === 0 || clip.count !== motion!.count) return clip;
  const from = all!.timeOf(left) - clip.begin;
  const times = [...all!.times.slice(0, left), ...clip.times.map((time) => time + from)];
  const keys = [...all!.keys.slice(0, left * model.nq), ...clip.keys];
  const { interpolation } = clip;
  return model.clip({ times, keys: Float64Array.from(keys) }, { interpolation });
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

/** The file with all of its buffers inside, and the link of each node. */
const skinOf = (gltf: Gltf): NonNullable<Opened['skin']> => ({
  bytes: gltf.write().buffer,
  links: Int32Array.from({ length: gltf.info.nodes }, (_, node) => gltf.linkOf(node)),
});

async function readGltf({ library, path, files, warnings }: Given): Promise<Take> {
  const name = nameOf(path);
  const bytes = await bytesOf(files.get(path)!);
  const gltf = library.clips.gltf(bytes, {
    name,
    files: await beside(path, files),
    warn: ({ message }) => void warnings.push(`${name}: ${message}`),
  });
  const { info, animations } = gltf;
  const clips = new Map<number, Clip>();
  return {
    name,
    id: idOf(name, bytes),
    model: gltf.model,
    parts: animations.map((animation, i) => animation.name || `animation ${i}`),
    rest: null,
    skin: info.skins > 0 ? () => skinOf(gltf) : null,
    facts: [
      ['Format', info.humanoid ? `glTF, ${info.humanoid}` : 'glTF'],
      ['Nodes', `${info.nodes}, ${info.skinJoints} of skins`],
      ...(info.generator ? [['Made by', info.generator] as const] : []),
    ],
    contacts: null,
    warnings,
    own: [
      {
        id: 'glb',
        hint: 'The file with this motion as one more animation',
        write: (clip) => gltf.write(clip, { name: 'limber' }),
      },
    ],
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
    read: (given: Given, bytes: Uint8Array, model: Model, name: string) => Clip | Promise<Clip>,
  ) =>
  async (given: Given): Promise<Take> => {
    const { path, files, warnings } = given;
    const name = nameOf(path);
    const bytes = await bytesOf(files.get(path)!);
    const model = given.robot();
    const clip = await read(given, bytes, model, name);
    return {
      ...alone(model, clip),
      ...{ name, warnings },
      id: idOf(name, bytes),
      facts: [
        ['Format', format],
        ['Robot', model.name],
      ],
      contacts: null,
    };
  };

/** A clip over a model that is of no file. */
const alone = (
  model: Model,
  clip: Clip,
): Pick<Take, 'model' | 'parts' | 'rest' | 'skin' | 'own' | 'clip' | 'release'> => ({
  ...{ model, parts: [''], rest: null, skin: null, own: [] },
  clip: () => clip,
  release: () => {
    clip.release();
    model.release();
  },
});

const readers: readonly { ending: RegExp; read: (given: Given) => Promise<Take> }[] = [
  { ending: /\.bvh$/i, read: readBvh },
  { ending: /\.(glb|gltf|vrma?)$/i, read: readGltf },
  {
    ending: /\.csv$/i,
    read: readRobot('table of a robot', ({ library }, bytes, model, name) =>
      library.clips.robotCsv(bytes, model, { name }),
    ),
  },
  {
    ending: /\.npz$/i,
    read: readRobot('NumPy’s archive of a robot', ({ library, warnings }, bytes, model, name) =>
      library.clips.robotNpz(bytes, model, {
        name,
        warn: ({ message }) => void warnings.push(`${name}: ${message}`),
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

/** An example as what is opened from a file. */
function takeOfExample(library: LimberWithClips, id: string, model: Model): Take {
  const { title, figure, make } = motionExamples.find((each) => each.id === id)!;
  const { clip, contacts } = make(library, model);
  return {
    ...alone(model, clip),
    ...{ name: title, id, contacts, warnings: [] },
    facts: [['Figure', `${figure}, built in`]],
  };
}

/** A motion that is read; errors of files begin with the name and say where. */
export async function takeOf(library: LimberWithClips, origin: Origin): Promise<Take> {
  const { example, path, files, figure } = origin;
  const robot = (): Model => library.model(figure);
  if (example !== '') return takeOfExample(library, example, robot());
  try {
    const { read } = readers.find(({ ending }) => ending.test(path))!;
    return await read({ library, path, files, robot, warnings: [] });
  } catch (error) {
    throw placed(nameOf(path), error);
  }
}
