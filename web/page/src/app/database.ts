// database.ts - projects in the browser's storage: what each is, and the files that it has.
//
// The files are kept beside the projects, because a state changes often and they do not.

import type { Steps } from './history';

/** Files that a part of a project needs, with plain values that say what they are. */
export interface Shelf {
  files: ReadonlyMap<string, Blob>;
  about: unknown;
}

/** The parts: the meshes of the stage, a motion, the figure that it goes onto. */
export const shelfNames = ['stage', 'motion', 'target'] as const;
export type ShelfName = (typeof shelfNames)[number];
export type Shelves = Partial<Record<ShelfName, Shelf | null>>;

export interface Project {
  id: string;
  /** Given by the user; '': named by what is in it. */
  name: string;
  /** What is in it, in a few words. */
  title: string;
  /** Milliseconds since 1970. */
  changed: number;
  /** The link that it was opened by, as long as it is unchanged; '': none. */
  link: string;
  /** As an AppState; untrusted when it is read. */
  state: unknown;
}

/** The promise of a request, or of the end of a transaction. */
const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

const stores = ['projects', 'files'];
/** Beside the files of a project, as it changes with some changes of the project only. */
const stepsName = 'steps';

export class Database {
  readonly #opened: Promise<IDBDatabase>;

  constructor() {
    const request = indexedDB.open('limber', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('projects', { keyPath: 'id' });
      request.result.createObjectStore('files');
    };
    this.#opened = settled(request);
  }

  async #begin(
    mode: IDBTransactionMode,
  ): Promise<[IDBTransaction, IDBObjectStore, IDBObjectStore]> {
    const transaction = (await this.#opened).transaction(stores, mode);
    const [projects, files] = stores.map((name) => transaction.objectStore(name));
    return [transaction, projects!, files!];
  }

  /** The one that was changed last comes first. */
  async list(): Promise<Project[]> {
    const [, projects] = await this.#begin('readonly');
    const all = await settled<Project[]>(projects.getAll());
    return all.sort((a, b) => b.changed - a.changed);
  }

  async project(id: string): Promise<Project | null> {
    const [, projects] = await this.#begin('readonly');
    return (await settled<Project | undefined>(projects.get(id))) ?? null;
  }

  async shelves(id: string): Promise<Shelves> {
    const [, , files] = await this.#begin('readonly');
    const read = (name: ShelfName): Promise<Shelf | undefined> => settled(files.get([id, name]));
    const found = await Promise.all(shelfNames.map(read));
    return Object.fromEntries(shelfNames.map((name, i) => [name, found[i] ?? null]));
  }

  /** What can be undone in a project; null: nothing. */
  async steps(id: string): Promise<Partial<Steps> | null> {
    const [, , files] = await this.#begin('readonly');
    return (await settled<Partial<Steps> | undefined>(files.get([id, stepsName]))) ?? null;
  }

  /** Writes a project, and what is given of its shelves and steps; all or nothing. */
  async write(project: Project, shelves: Shelves, steps?: Steps): Promise<void> {
    const [transaction, projects, files] = await this.#begin('readwrite');
    projects.put(project);
    for (const [name, shelf] of Object.entries(shelves))
      if (shelf) files.put(shelf, [project.id, name]);
      else files.delete([project.id, name]);
    if (steps) files.put(steps, [project.id, stepsName]);
    await this.#end(transaction);
  }

  async remove(id: string): Promise<void> {
    const [transaction, projects, files] = await this.#begin('readwrite');
    projects.delete(id);
    for (const name of [...shelfNames, stepsName]) files.delete([id, name]);
    await this.#end(transaction);
  }

  #end(transaction: IDBTransaction): Promise<void> {
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('storage failed'));
      // a page that is being left does not live to commit by itself
      transaction.commit();
    });
  }
}
