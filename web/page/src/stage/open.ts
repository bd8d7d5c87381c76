// open.ts - models from files: our JSON, URDF or MJCF, alone or with the folder of their meshes.
//
// The library recognises the format by its content.

import { LimberError, type LimberWithClips, type Model } from 'limber';
import { builtin } from './builtin';
import type { ModelOrigin } from './document';
import { stageExamples } from './examples';
import { isDescription, limitsOnly, nameOf, noModel, refusalOf, wrongKind } from './kinds';
import { type Files, megabytes } from './meshes';

/**
 * The model that an origin names. Throws a LimberError that begins with the file's name;
 * `warn` gets what looks like a mistake in a file, in the same form.
 */
export function modelOf(
  limber: LimberWithClips,
  origin: ModelOrigin,
  warn: (words: string) => void = () => {},
): Model {
  if (origin.from !== 'file') {
    const file =
      origin.from === 'builtin'
        ? builtin.get(origin.name)
        : stageExamples.find(({ id }) => id === origin.name)?.model;
    if (!file) throw new LimberError(`there is no model '${origin.name}' here`, 'not-found');
    return limber.model(file);
  }
  const { name } = origin;
  const placed = (line: number, message: string): string =>
    `${name}${line > 0 ? `:${line}` : ''}: ${message}`;
  try {
    const model = limber.model(origin.text, {
      name,
      files: origin.parts ?? {},
      warn: ({ line, message }) => warn(placed(line, message)),
    });
    return origin.limits ? limited(limber, model, origin.limits, warn) : model;
  } catch (error) {
    if (!(error instanceof LimberError)) throw error;
    throw new LimberError(placed(error.line, error.message), error.code, error.line);
  }
}

/** The model with the limits of a text, or as it is where that cannot be read; `warn` is told why. */
function limited(
  limber: LimberWithClips,
  model: Model,
  text: string,
  warn: (words: string) => void,
): Model {
  const told = ({ line, message }: { line: number; message: string }): void =>
    warn(`joint limits, line ${line}: ${message}`);
  try {
    return limber.clips.withLimits(text, model, { warn: told }).model;
  } catch (error) {
    if (!(error instanceof LimberError)) throw error;
    told(error);
    return model;
  }
}

// ---- which of some files ----

/** A description that can be opened. */
export interface Candidate {
  origin: ModelOrigin & { from: 'file' };
  /** What it is, and how many joints move. */
  words: string;
  joints: number;
}

/** A text that says of itself that it is a model. */
const describesModel = /<(robot|mujoco)[\s>]|^\s*\{/;

/** More descriptions of one folder are not tried: that would hold up the page. */
const mostTried = 60;

/**
 * The descriptions among the files that can be read, with what they include; the one that moves most comes
 * first. Throws what is wrong with the first one if none can be read.
 */
export async function candidates(limber: LimberWithClips, files: Files): Promise<Candidate[]> {
  const blobs = new Map(
    [...files].filter((each): each is [string, Blob] => each[1] instanceof Blob),
  );
  const paths = [...blobs.keys()].filter(isDescription).sort((a, b) => rank(a) - rank(b));
  if (paths.length === 0 && blobs.size === 1) paths.push(...blobs.keys());
  if (paths.length === 0)
    throw new LimberError(
      refusalOf(blobs) || 'these are meshes of a model: drop its description, too',
      'unsupported',
    );
  const found: Candidate[] = [];
  let refusal: unknown = null;
  for (const path of paths.slice(0, mostTried))
    try {
      const origin = await originOf(path, blobs);
      // a folder has other files of these kinds, as package.xml
      if (blobs.size === 1 || describesModel.test(origin.text))
        found.push(await candidate(limber, origin, blobs));
    } catch (error) {
      // of many files that are no description, that of a robot says why
      refusal ??= error;
    }
  if (found.length === 0)
    throw refusal ?? new LimberError(wrongKind(blobs) || noModel, 'unsupported');
  const parts = ({ origin }: Candidate): number => Object.keys(origin.parts ?? {}).length;
  return found.sort((a, b) => b.joints - a.joints || parts(a) - parts(b));
}

/** The description among the files that moves most. */
export async function describe(limber: LimberWithClips, files: Files): Promise<ModelOrigin> {
  return (await candidates(limber, files))[0]!.origin;
}

async function candidate(
  limber: LimberWithClips,
  read: Candidate['origin'],
  files: ReadonlyMap<string, Blob>,
): Promise<Candidate> {
  const model = modelOf(limber, read);
  const limits = await limitsOf(model, files);
  const origin = limits ? { ...read, limits } : read;
  const own = model.joints.filter(
    ({ nq, mimic, kind }) => nq > 0 && mimic < 0 && kind !== 'floating',
  );
  const joints = own.length;
  model.release();
  const root = /<(robot|mujoco)[\s>]/.exec(origin.text)?.[1];
  const kind = root === 'robot' ? 'URDF' : root === 'mujoco' ? 'MJCF' : 'JSON';
  const besides = (origin.srdf ? ', SRDF' : '') + (limits ? ', joint limits' : '');
  return {
    ...{ origin, joints },
    words: `${kind}, ${joints} ${joints === 1 ? 'joint' : 'joints'}${besides}`,
  };
}

async function originOf(
  path: string,
  files: ReadonlyMap<string, Blob>,
): Promise<Candidate['origin']> {
  const text = await textOf(path, files.get(path)!);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const parts: Record<string, string> = {};
  await collect(text, '', folder, files, parts);
  const some = Object.keys(parts).length > 0;
  const srdf = await srdfOf(nameOf(path), text, files);
  return {
    ...{ from: 'file', name: nameOf(path), text },
    ...(some ? { parts } : {}),
    ...(srdf ? { srdf } : {}),
  };
}

/** What of the files that came with a model is not read, in words. */
export function leftOut(origin: ModelOrigin, files: Files): string[] {
  const { srdf, limits } = origin.from === 'file' ? origin : {};
  const unused = (what: RegExp, words: string): string[] => {
    const path = [...files.keys()].find((each) => what.test(each));
    return path === undefined ? [] : [`${nameOf(path)} is not of this robot: ${words}`];
  };
  return [
    ...(limits ? [] : unused(limitsName, 'it names none of its joints')),
    ...(srdf ? [] : unused(/\.srdf$/i, 'its name is another one')),
  ];
}

const limitsName = /joint_limits\.(ya?ml|json)$/i;

/** The text of the file of joint limits that names most joints of a model; '': none does. */
async function limitsOf(model: Model, files: ReadonlyMap<string, Blob>): Promise<string> {
  let best = { text: '', named: 0 };
  for (const [path, file] of files) {
    if (!limitsName.test(path) || file.size > largestDescription) continue;
    const text = await file.text();
    const words = new Set(text.split(/[\s"':{},]+/));
    const named = model.joints.filter(({ name }) => words.has(name)).length;
    if (named > best.named) best = { text, named };
  }
  return best.text;
}

/** What is said of a file of loops beside a URDF, which is not read; '': there is none. */
export async function unreadLoops({ name }: ModelOrigin, files: Files): Promise<string> {
  const beside = `${name.replace(/\.urdf$/i, '')}.yaml`;
  for (const [path, file] of files) {
    if (nameOf(path) !== beside || !(file instanceof Blob)) continue;
    if (/^closed_loop:/m.test(await file.text()))
      return (
        `${beside}: closed loops are not read from it on this page; ` +
        `“limber convert ${name} robot.json” makes a file with them`
      );
  }
  return '';
}

const robotName = (text: string): string =>
  /<robot\s[^>]*?name\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? '';

/** The text of the SRDF of a URDF's robot: of the same file name, or of the same robot's name; '': there is none. */
async function srdfOf(
  name: string,
  text: string,
  files: ReadonlyMap<string, Blob>,
): Promise<string> {
  const robot = robotName(text);
  const beside = name.replace(/\.urdf$/i, '.srdf');
  const found = [...files].filter(([path]) => /\.srdf$/i.test(path));
  for (const [path, file] of robot ? found : []) {
    const srdf = await textOf(path, file);
    if (nameOf(path) === beside || robotName(srdf) === robot) return srdf;
  }
  return '';
}

/** Adds what a text includes; `beside` is its folder as seen from the folder of the description. */
async function collect(
  text: string,
  beside: string,
  folder: string,
  files: ReadonlyMap<string, Blob>,
  parts: Record<string, string>,
): Promise<void> {
  if (!/<mujoco/.test(text)) return;
  for (const [, name = ''] of text.matchAll(/<include\s[^>]*?file\s*=\s*["']([^"']+)["']/g)) {
    const places = [beside + name, name].map((place) => simplified(place));
    const place = places.find((each) => files.has(simplified(folder + each)));
    // files that were chosen one by one have lost their folders
    const file = files.get(place === undefined ? nameOf(name) : simplified(folder + place));
    const key = place ?? places[1]!;
    if (!file || key in parts) continue;
    parts[key] = await textOf(key, file);
    await collect(parts[key], key.slice(0, key.lastIndexOf('/') + 1), folder, files, parts);
  }
}

/** A path without . and .. in it. */
function simplified(path: string): string {
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///');
  return decodeURIComponent(url.pathname.slice(1));
}

async function textOf(path: string, file: Blob): Promise<string> {
  await checkDescription(nameOf(path), file);
  return file.text();
}

/** Twenty times the largest robots' descriptions; more would hold up the page. */
const largestDescription = 4e6;

/** Refuses what cannot be a model by its beginning and its size, before all of it is read. */
async function checkDescription(name: string, file: Blob): Promise<void> {
  const begin = (await file.slice(0, 4096).text()).replace(/^\ufeff/, '').trimStart();
  if (begin === '' && file.size <= 4096)
    throw new LimberError(`${name}: the file is empty`, 'unsupported');
  if (/^\{\s*"joint_limits"\s*:/.test(begin))
    throw new LimberError(`${name}: it ${limitsOnly}`, 'unsupported');
  if (begin !== '' && !/^[<{]/.test(begin))
    throw new LimberError(
      `${name}: it is neither URDF, MJCF nor limber JSON: it begins with neither < nor {`,
      'unsupported',
    );
  if (file.size > largestDescription)
    throw new LimberError(
      `${name}: ${megabytes(file.size)} is too much for a description: ` +
        `the page reads up to ${megabytes(largestDescription)}`,
      'unsupported',
    );
}

const rank = (path: string): number =>
  path.split('/').length + (/\.urdf$/i.test(path) ? 0 : /\.json$/i.test(path) ? 10 : 20);

/** Metres; beyond, numbers of single precision cannot draw. */
const largest = 1e6;
/** Beyond, the lists of joints and links hold up the page. */
const mostLinks = 1000;

/** Refuses a model that the page cannot show: of so many links, and so large. */
export function expectDrawable(name: string, links: number, size: number): void {
  if (links > mostLinks)
    throw new LimberError(`${name}: it has ${links} links; the page shows up to ${mostLinks}`);
  if (size > largest)
    throw new LimberError(`${name}: it spans ${size.toPrecision(2)} m, too much to be drawn`);
}
