// project_file.ts - a project as one file: a ZIP archive of its state and of its files, in folders.

import { unzip, zip } from '../../../limber/zip.js';
import { type Shelf, type ShelfName, shelfNames, type Shelves } from './database';
import { revive } from './link';
import type { AppState } from './state';

const head = 'project.json';

/** The largest file that is written and read, bytes: all of it is in memory at once. */
const largest = 1e9;

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

export async function writeProject(name: string, state: AppState, shelves: Shelves): Promise<Blob> {
  const about: Partial<Record<ShelfName, unknown>> = {};
  const files: [string, Uint8Array][] = [];
  let size = 0;
  for (const shelf of shelfNames)
    for (const [path, file] of shelves[shelf]?.files ?? []) {
      size += file.size;
      if (size > largest) throw new Error('the project has more than 1 GB of files');
      about[shelf] = shelves[shelf]!.about;
      files.push([`${shelf}/${path}`, await bytesOf(file)]);
    }
  const text = JSON.stringify({ limber_project: 1, name, state, about }, null, 1);
  return new Blob([zip([[head, new TextEncoder().encode(text)], ...files]) as BlobPart]);
}

export async function readProject(
  file: Blob,
): Promise<{ name: string; state: AppState; shelves: Shelves }> {
  if (file.size > largest + 1e8) throw new Error('it has more than 1 GB');
  const all = await unzip(await bytesOf(file));
  if (!all[head]) throw new Error(`it is no project of limber: ${head} is not in it`);
  const { name, state, about } = JSON.parse(new TextDecoder().decode(all[head])) as {
    name: unknown;
    state: unknown;
    about: Partial<Record<ShelfName, unknown>>;
  };
  const shelves: Shelves = {};
  for (const shelf of shelfNames) {
    const inside = Object.entries(all).filter(([path]) => path.startsWith(`${shelf}/`));
    const files = inside.map(([path, bytes]): [string, Blob] => [
      path.slice(shelf.length + 1),
      new Blob([bytes as BlobPart]),
    ]);
    if (files.length > 0)
      shelves[shelf] = { files: new Map(files), about: about?.[shelf] ?? null } satisfies Shelf;
  }
  return { name: String(name ?? ''), state: revive(state), shelves };
}
