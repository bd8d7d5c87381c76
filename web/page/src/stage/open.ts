// open.ts - models from files: our JSON, URDF alone or with its folder of meshes.
//
// The library recognises the format by its content.

import { type Limber, LimberError, type Model } from 'limber';
import { builtin } from './builtin';
import type { ModelOrigin } from './document';
import { stageExamples } from './examples';
import { isMesh, megabytes } from './meshes';

/**
 * The model that an origin names. Throws a LimberError that begins with the file's name;
 * `warn` gets what looks like a mistake in a file, in the same form.
 */
export function modelOf(
  limber: Limber,
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
    return limber.model(origin.text, {
      name,
      warn: ({ line, message }) => warn(placed(line, message)),
    });
  } catch (error) {
    if (!(error instanceof LimberError)) throw error;
    throw new LimberError(placed(error.line, error.message), error.code, error.line);
  }
}

// ---- which of some files ----

export const isDescription = (path: string): boolean => /\.(urdf|json|xml)$/i.test(path);

/** Whether there are meshes, and nothing that describes a model. */
export function onlyMeshes(files: ReadonlyMap<string, Blob>): boolean {
  const paths = [...files.keys()];
  return paths.some(isMesh) && !paths.some(isDescription);
}

/** The description among the files: the one nearest to the top. */
export async function describe(files: ReadonlyMap<string, Blob>): Promise<ModelOrigin> {
  const candidates = [...files.keys()].filter(isDescription).sort((a, b) => rank(a) - rank(b));
  const path = candidates[0] ?? (files.size === 1 ? [...files.keys()][0] : undefined);
  if (path === undefined)
    throw new LimberError(
      'none of these files describes a model: a .urdf or a .json is wanted',
      'unsupported',
    );
  const name = path.split('/').at(-1)!;
  const file = files.get(path)!;
  await checkDescription(name, file);
  return { from: 'file', name, text: await file.text() };
}

/** Twenty times the largest robots' descriptions; more would hold up the page. */
const largestDescription = 4e6;

/** Refuses what cannot be a model by its beginning and its size, before all of it is read. */
async function checkDescription(name: string, file: Blob): Promise<void> {
  const begin = (await file.slice(0, 4096).text()).replace(/^\ufeff/, '').trimStart();
  if (begin !== '' && !/^[<{]/.test(begin))
    throw new LimberError(
      `${name}: it is neither URDF nor limber JSON: it begins with neither < nor {`,
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
