// open.ts - models from files: our JSON, URDF alone or with its folder of meshes.
//
// The library tells the format by how a file begins.

import { type Limber, LimberError, type Model } from 'limber';
import { builtin } from './builtin';
import type { ModelOrigin } from './document';
import { stageExamples } from './examples';
import { isMesh } from './meshes';

/**
 * The model that an origin names. Throws a LimberError that begins with the file's name;
 * `warn` gets what looks like a slip in a file, in the same form.
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

// ---- dropped and chosen files ----

/** All files of a drop, those in folders too, by their paths. */
export async function filesOf(items: DataTransfer): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  // entries must be asked for before anything is awaited
  const entries = [...items.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...items.files];
  if (entries.every((entry) => entry === null)) return pathsOf(plain);
  for (const entry of entries) if (entry) await collect(entry, files);
  return files;
}

/** Files chosen in a dialog, by their paths within the folder. */
export function pathsOf(files: readonly File[]): Map<string, Blob> {
  return new Map(files.map((file) => [file.webkitRelativePath || file.name, file]));
}

async function collect(entry: FileSystemEntry, files: Map<string, Blob>): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) =>
      (entry as FileSystemFileEntry).file(done, fail),
    );
    files.set(entry.fullPath.replace(/^\//, ''), file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // a folder answers some of its entries at a time
    const some = await new Promise<FileSystemEntry[]>((done, fail) =>
      reader.readEntries(done, fail),
    );
    if (some.length === 0) return;
    for (const each of some) await collect(each, files);
  }
}

const isDescription = (path: string): boolean => /\.(urdf|json|xml)$/i.test(path);

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
  return { from: 'file', name: path.split('/').at(-1)!, text: await files.get(path)!.text() };
}

const rank = (path: string): number =>
  path.split('/').length + (/\.urdf$/i.test(path) ? 0 : /\.json$/i.test(path) ? 10 : 20);
