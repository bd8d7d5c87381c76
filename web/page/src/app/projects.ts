// projects.ts - the work of each tab is a project, which outlives reloads, crashes and other tabs.
//
// A project belongs to one tab at a time, by a lock that the browser frees when the tab ends; another
// tab that wants it gets a copy. A link opens a project of its own. The state is written shortly after
// each change, files when others have come. The views are entries of the history; so are projects.

import { Database, type Project, type Shelves, shelfNames } from './database';
import { type History, historyOf, type Steps, stepsOf } from './history';
import { embedded } from './layout';
import { damageOf, isLink, revive, stateOf } from './link';
import type { AppState, View } from './state';
import type { Store } from './store';

export interface ProjectHost {
  readonly store: Store<AppState>;
  /** The files that the present state needs. */
  readonly shelves: Shelves;
  /** Brings into the state what is otherwise left out of it. */
  remember(): void;
  adopt(state: AppState, shelves: Shelves, history?: History): void;
  show(view: View): void;
  say(words: string, kind?: 'news' | 'warning' | 'error'): void;
}

/** Names the project of this tab; it survives reloads, and other tabs do not see it. */
const tabKey = 'limber-project';
/** Where a page that is left before it has written leaves a state. */
const leftKey = (id: string): string => `limber-left ${id}`;
/** Milliseconds after a change until it is written. */
const delay = 400;
/** Milliseconds that a reload may need to free the lock of the page before it. */
const patience = 500;

/** What such a page leaves. */
interface Left {
  state: AppState;
  steps?: Steps;
}

interface Entry {
  view: View;
  project: string;
}

const freshId = (): string =>
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** What a project is named by if its user does not name it. */
function titleOf({ view, board, stage, motion }: AppState): string {
  if (view === 'motion') return motion.take.split(',')[0] || motion.example || 'Motion';
  return view === 'stage' ? stage.model.name : `Board ${board.example}`.trim();
}

export class Projects {
  readonly host: ProjectHost;
  #database: Database | null = null;
  #id = freshId();
  #name = '';
  /** The link that this project was opened by, until it is changed. */
  #link = '';
  /** The shelves that are written already. */
  #written: Shelves = {};
  /** The nearest states of the history that is written; null: others are. */
  #writtenSteps: (AppState | undefined)[] | null = [];
  #waiting = 0;
  #view: View = 'board';
  #free: () => void = () => {};
  #refused = false;

  constructor(host: ProjectHost) {
    this.host = host;
    try {
      // a page in another one keeps nothing
      if (!embedded) this.#database = new Database();
    } catch {
      // a page without storage works, and forgets
    }
  }

  get id(): string {
    return this.#id;
  }

  get name(): string {
    return this.#name || titleOf(this.host.store.state);
  }

  /** Opens what the address, this tab or the last visit names, and keeps it from here on; false: none does. */
  async begin(): Promise<boolean> {
    const known = (await this.openLink()) || (await this.#resume().catch(() => false));
    this.#view = this.host.store.state.view;
    this.#enterHistory('replaceState');
    this.host.store.subscribe(() => this.#changed());
    addEventListener('pagehide', () => this.#leave());
    addEventListener('popstate', ({ state }) => this.#travel(state as Entry | null));
    addEventListener('hashchange', () => isLink(location.hash) && location.reload());
    return known;
  }

  /** Shows what the address has, and keeps nothing: a page in another one. */
  async visit(): Promise<true> {
    try {
      const state = await stateOf(location.hash);
      if (state) this.host.adopt(state, {});
    } catch {
      this.host.say(damageOf(location.hash), 'error');
    }
    return true;
  }

  // ---- opening ----

  /** Takes over the state that the address has, as a project of its own; false: it has none. */
  async openLink(): Promise<boolean> {
    const { hash } = location;
    try {
      const state = await stateOf(hash);
      if (!state) return false;
      // the same link again finds what it was opened as, unless that was changed
      const known = (await this.#list()).find(({ link }) => link === hash);
      await this.#take(known?.id ?? freshId());
      this.#link = hash;
      this.host.adopt(state, {});
      await this.save();
    } catch {
      this.host.say(damageOf(hash), 'error');
      return false;
    } finally {
      // what is done from here on is not in the link
      if (isLink(hash)) history.replaceState(null, '', location.pathname + location.search);
    }
    return true;
  }

  // the project of this tab before its reload, else the last one; false: there is neither
  async #resume(): Promise<boolean> {
    const entry = history.state as Entry | null;
    const own = entry?.project ?? sessionStorage.getItem(tabKey);
    const last = own ?? (await this.#list())[0]?.id;
    const id = last ?? this.#id;
    const project = (await this.#database?.project(id)) ?? null;
    const shelves = project ? await this.#database!.shelves(id) : {};
    const left = localStorage.getItem(leftKey(id));
    const free = await this.#take(id, own ? patience : 200);
    const later = (free && left ? JSON.parse(left) : null) as Left | null;
    const given = later?.state ?? project?.state;
    if (free) localStorage.removeItem(leftKey(id));
    if (!given) return last !== undefined;
    const state = revive(given);
    // those of a state that is not the last one do not go with it
    const steps = (later ? later.steps : await this.#database?.steps(id)) ?? null;
    this.#name = project?.name ?? '';
    this.#link = left ? '' : (project?.link ?? '');
    this.host.adopt(state, shelves, historyOf(state, steps));
    if (steps) this.#writtenSteps = null;
    if (free) this.#written = shelves;
    else if (this.#name) this.#name += ' (copy)';
    if (!free) this.host.say('This project is open in another tab: this is a copy of it.');
    return true;
  }

  // this tab's project is this one, or if another tab has it a new one; whether it is this one
  async #take(id: string, wait = patience): Promise<boolean> {
    this.#free();
    const free = await this.#lock(id, wait);
    this.#id = free ? id : freshId();
    this.#name = '';
    this.#written = {};
    this.#writtenSteps = [];
    if (!free) await this.#lock(this.#id, wait);
    sessionStorage.setItem(tabKey, this.#id);
    return free;
  }

  async #lock(id: string, wait: number): Promise<boolean> {
    if (!navigator.locks) return true;
    return new Promise((resolve) => {
      const held = new Promise<void>((free) => (this.#free = free));
      navigator.locks
        .request(`limber ${id}`, { signal: AbortSignal.timeout(wait) }, () => {
          resolve(true);
          return held;
        })
        .catch(() => resolve(false));
    });
  }

  /** Another project in this tab; Back returns to the one before. */
  async open(id: string): Promise<void> {
    await this.save();
    history.pushState({ view: this.#view, project: id } satisfies Entry, '');
    this.#reload(id);
  }

  #reload(id: string): void {
    this.#leave();
    sessionStorage.setItem(tabKey, id);
    location.reload();
  }

  // ---- writing ----

  #changed(): void {
    if (this.host.store.canUndo) this.#link = '';
    clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(() => void this.save(), delay);
    const { view } = this.host.store.state;
    if (view === this.#view) return;
    this.#view = view;
    this.#enterHistory('pushState');
  }

  #record(): Project {
    const { state } = this.host.store;
    const { id } = this;
    const link = this.#link;
    return { id, name: this.#name, title: titleOf(state), changed: Date.now(), link, state };
  }

  /** Writes what is not written yet. */
  async save(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#waiting = 0;
    this.host.remember();
    const { shelves } = this.host;
    const others = shelfNames.filter((name) => shelves[name]?.files !== this.#written[name]?.files);
    try {
      const changed = Object.fromEntries(others.map((name) => [name, shelves[name] ?? null]));
      const { history: around } = this.host.store;
      const nearest = [around.past[0], around.future[0]];
      const known = this.#writtenSteps;
      const isNew = !known || nearest.some((each, i) => each !== known[i]);
      const steps = isNew ? stepsOf(around) : undefined;
      await this.#database?.write(this.#record(), changed, steps);
      this.#written = shelves;
      this.#writtenSteps = nearest;
    } catch (error) {
      // said once: each change would say it again
      if (!this.#refused)
        this.host.say(
          `This browser does not keep your work (${error instanceof Error ? error.message : error}). ` +
            'Save the project as a file.',
          'error',
        );
      this.#refused = true;
    }
  }

  // storage of texts is written before the page ends; the other one may be too late
  #leave(): void {
    if (this.#waiting === 0) return;
    this.host.remember();
    const { state, history: around } = this.host.store;
    for (const left of [{ state, steps: stepsOf(around) }, { state }] satisfies Left[])
      try {
        localStorage.setItem(leftKey(this.#id), JSON.stringify(left));
        break;
      } catch {
        // it is full or forbidden
      }
    void this.save();
  }

  // ---- the list of projects ----

  async #list(): Promise<Project[]> {
    return (await this.#database?.list().catch(() => [])) ?? [];
  }

  /** All that are kept, this one as it is now. */
  async list(): Promise<Project[]> {
    await this.save();
    return this.#list();
  }

  async rename(project: Project, name: string): Promise<void> {
    if (project.id === this.#id) {
      this.#name = name;
      await this.save();
    } else await this.#database?.write({ ...project, name }, {});
  }

  async remove(id: string): Promise<void> {
    await this.#database?.remove(id);
  }

  /** A new project with this content, in this tab. */
  async create(name: string, state: AppState, shelves: Shelves): Promise<void> {
    const id = freshId();
    const project = { id, name, title: titleOf(state), changed: Date.now(), link: '', state };
    await this.#database?.write(project, shelves);
    await this.open(id);
  }

  // ---- the history ----

  #enterHistory(how: 'pushState' | 'replaceState'): void {
    history[how]({ view: this.#view, project: this.#id } satisfies Entry, '');
  }

  #travel(entry: Entry | null): void {
    if (!entry?.view) return;
    if (entry.project !== this.#id) return this.#reload(entry.project);
    this.#view = entry.view;
    this.host.show(entry.view);
  }
}
