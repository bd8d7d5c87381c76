// app.ts - the whole page: the library, the state, the views, and what they share.

import type { Limber } from 'limber';
import { BoardView } from '../board/view';
import type { ModelWithMeshes } from '../motion/target_figures';
import { isMotionDrop } from '../motion/drops';
import { clipsLibrary } from '../motion/library';
import type { MotionView } from '../motion/view';
import { isArchive, refusalOf } from '../stage/kinds';
import type { StageView } from '../stage/view';
import { button } from '../ui/controls';
import { fill, h, onNextFrame, set } from '../ui/dom';
import { filesOf } from '../ui/files';
import { icon } from '../ui/icons';
import { listenInMenu } from '../ui/menu';
import { type KeyTarget, listenToKeys } from './keys';
import type { Shelves } from './database';
import type { History } from './history';
import { embedded, stepExample, wayOut } from './layout';
import { linkOf } from './link';
import { type ProjectHost, Projects } from './projects';
import { notShown } from './not_shown';
import { download, type Saving } from './saving';
import { isProject, projectSavings } from './project_list';
import { type AppState, plainState, type View } from './state';
import { Store } from './store';
import { Tour } from './tour';
import { currentTheme, onTheme, toggleTheme } from './theme';

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export class App implements KeyTarget, ProjectHost {
  readonly limber: Limber;
  readonly store = new Store<AppState>(plainState());
  readonly board: BoardView;
  readonly projects: Projects;
  kept: Shelves = {};
  /** Loaded when it is shown for the first time. */
  stage: StageView | null = null;
  motion: MotionView | null = null;
  readonly element: HTMLElement;
  readonly #places = { stage: h('div.stage-place'), motion: h('div.stage-place') };
  readonly #toast = h('div.toast', {
    ...{ role: 'alert', hidden: true, title: 'A click closes this' },
    onclick: () => (this.#toast.hidden = true),
  });
  readonly #savings = h('div.menu', { role: 'menu', hidden: true });
  /** While poses come from the program. */
  readonly #live = h('span.live', { hidden: true });
  #help: HTMLDialogElement | null = null;
  readonly #tour: Tour;
  readonly #tabs: Record<View, HTMLElement>;
  readonly #undo = button('', () => this.store.undo(), {
    class: 'icon-button',
    title: 'Undo (Ctrl Z)',
    id: 'undo',
    icon: icon('undo'),
  });
  readonly #redo = button('', () => this.store.redo(), {
    class: 'icon-button',
    title: 'Redo (Ctrl Shift Z)',
    id: 'redo',
    icon: icon('redo'),
  });
  readonly #theme = button('', toggleTheme, {
    class: 'icon-button',
    title: 'Light or dark',
    id: 'theme',
  });
  #toastEnd = 0;
  readonly #loading: Partial<Record<'stage' | 'motion', Promise<void>>> = {};

  constructor(limber: Limber) {
    this.limber = limber;
    this.board = new BoardView(this);
    this.projects = new Projects(this);
    this.#tour = new Tour(this, this.board);
    this.#tabs = {
      board: this.#tab('board', 'Board', '2D'),
      stage: this.#tab('stage', 'Stage', '3D'),
      motion: this.#tab('motion', 'Motion', 'clips'),
    };
    this.element = h(
      'div.app',
      {},
      h('a.skip', { href: '#board', onclick: (e: Event) => this.#skip(e) }, 'Skip to the board'),
      this.#header(),
      this.#tour.element,
      this.board.element,
      this.#places.stage,
      this.#places.motion,
      this.#toast,
      embedded && wayOut(() => linkOf(this.store.state)),
    );
    this.element.classList.toggle('embedded', embedded);
    this.store.subscribe(onNextFrame(() => this.update()));
    onTheme(() => this.#showTheme());
    this.#showTheme();
    listenToKeys(this);
    document.addEventListener('click', (event) => {
      if (!(event.target as Element).closest('.save')) this.#savings.hidden = true;
    });
    listenInMenu(this.#savings, () => this.element.querySelector('#save'));
    this.#acceptDrops();
    this.update();
  }

  #tab(view: View, name: string, note: string): HTMLElement {
    return h(
      'button.tab',
      {
        ...{ type: 'button', role: 'tab', id: `tab-${view}` },
        onclick: () => this.show(view),
        onkeydown: (event: KeyboardEvent) => this.#stepTab(event, view),
      },
      icon(view),
      h('span', {}, name),
      h('small', {}, note),
    );
  }

  // arrow keys go through the tabs, as readers of screens announce
  #stepTab(event: KeyboardEvent, from: View): void {
    const views = Object.keys(this.#tabs) as View[];
    const by = { ArrowLeft: views.length - 1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const to = views[(views.indexOf(from) + by) % views.length]!;
    this.show(to);
    this.#tabs[to].focus();
  }

  #header(): HTMLElement {
    return h(
      'header.top',
      {},
      button('limber', () => void this.welcome(), {
        class: 'brand',
        title: 'limber: kinematic linkages; to the first screen',
      }),
      h('div.tabs', { role: 'tablist', 'aria-label': 'View' }, ...Object.values(this.#tabs)),
      this.#live,
      h('span.space'),
      this.#undo,
      this.#redo,
      button('', () => void this.copyLink(), {
        class: 'icon-button',
        title: 'Copy a link that restores all this (L)',
        id: 'share',
        icon: icon('link'),
      }),
      h(
        'div.save',
        {},
        button('', () => void this.#openSavings(), {
          class: 'icon-button',
          title: 'Save pictures, poses, motions',
          id: 'save',
          icon: icon('save'),
          'aria-haspopup': 'menu',
        }),
        this.#savings,
      ),
      button('', () => void this.help(), {
        class: 'icon-button',
        title: 'Help and keys (?)',
        id: 'help',
        icon: icon('help'),
      }),
      this.#theme,
    );
  }

  // past the tabs and the examples: the next one that Tab reaches is the target
  #skip(event: Event): void {
    event.preventDefault();
    this.show('board');
    this.update();
    this.board.focus();
  }

  // ---- what can be done ----

  show(view: View): void {
    this.store.adjust((state) => void (state.view = view));
  }

  /** The first screen, which leads to each view. */
  async welcome(): Promise<void> {
    const { openDoors } = await import('../doors/doors');
    openDoors(this.limber, (view) => this.show(view));
  }

  setGizmo(gizmo: AppState['stage']['gizmo']): void {
    this.store.adjust(({ stage }) => void (stage.gizmo = gizmo));
  }

  /** Only what is looked at, with larger words; or the whole page again. */
  present(on = !this.presenting): void {
    this.element.classList.toggle('presenting', on);
    if (on) this.say('Page Up and Page Down go through the examples; P or Escape leads back.');
  }

  get presenting(): boolean {
    return this.element.classList.contains('presenting');
  }

  /** To the next example of what is shown, or the one before. */
  stepExample(by: 1 | -1): void {
    const { view } = this.store.state;
    const shown = { board: this.board, stage: this.stage, motion: this.motion }[view];
    if (shown) stepExample(shown.element, by);
  }

  async help(): Promise<void> {
    const { helpDialog } = await import('./help');
    if (!this.#help) this.element.append((this.#help = helpDialog()));
    this.#help.showModal();
  }

  /** A few words at the lower edge, for a while. */
  say(words: string, kind: 'news' | 'warning' | 'error' = 'news'): void {
    this.#toast.textContent = words;
    this.#toast.dataset['kind'] = kind;
    this.#toast.hidden = false;
    clearTimeout(this.#toastEnd);
    this.#toastEnd = window.setTimeout(
      () => (this.#toast.hidden = true),
      kind === 'news' ? 3000 : 12_000,
    );
  }

  /** Copies the address that opens the present state; what it cannot carry is said before. */
  async copyLink(): Promise<string> {
    this.board.remember();
    const { askBeforeSharing, leftOut } = await import('./sharing');
    const lacking = leftOut(this.store.state, this.shelves);
    const hash = await linkOf(this.store.state);
    const copied = new URL(hash, location.href).href;
    if (lacking.length > 0 && !(await askBeforeSharing(lacking, this.projects))) return '';
    try {
      await navigator.clipboard.writeText(copied);
      this.say('The link is copied. It opens a copy of exactly this.');
    } catch {
      prompt('Copy this link. It opens a copy of exactly this.', copied);
    }
    return hash;
  }

  // ---- what projects keep ----

  remember(): void {
    this.board.remember();
  }

  /** Views that are not made yet have what the project began with. */
  get shelves(): Shelves {
    const stage = this.stage ? this.stage.shelf : this.kept.stage;
    return { ...this.kept, ...this.motion?.shelves, stage };
  }

  adopt(state: AppState, shelves: Shelves, history?: History): void {
    this.kept = shelves;
    this.store.replace(state, history);
    this.board.renew();
    this.#tryState();
  }

  // files are taken anywhere on the page, and opened on the stage
  #acceptDrops(): void {
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      const files = filesOf(event.dataTransfer);
      void files.then((all) => this.openFiles(all));
    });
  }

  async openFiles(files: Map<string, Blob>): Promise<void> {
    // the doors, or another window, would hide what is opened and what is said of it
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]'))
      dialog.close();
    if (files.size === 0) return this.say('There are no files in this folder.', 'error');
    const [project] = [...files].filter(([path]) => isProject(path));
    if (project) return this.#openProject(...project);
    if ([...files.keys()].every(isArchive)) {
      const { unpacked } = await import('../ui/archives');
      let refused = false;
      const refuse = (words: string): void => this.say(words, ((refused = true), 'error'));
      files = await unpacked(files, refuse);
      if (files.size === 0) return refused ? undefined : refuse('There are no files in it.');
    }
    if (this.store.state.view === 'motion' || isMotionDrop(files)) return this.openMotion(files);
    const refusal = refusalOf(files);
    if (refusal !== '') return this.say(refusal, 'error');
    this.show('stage');
    await this.#load('stage');
    await this.stage?.openFiles(files);
  }

  async #openProject(path: string, file: Blob): Promise<void> {
    try {
      const { readProject } = await import('./project_file');
      const { name, state, shelves } = await readProject(file);
      await this.projects.create(name, state, shelves);
    } catch (error) {
      this.say(`${path}: ${wordsOf(error)}`, 'error');
    }
  }

  get stageModel(): ModelWithMeshes {
    return this.stage?.given ?? { origin: this.store.state.stage.model, files: new Map() };
  }

  /** The view is shown when there is something to play in it. */
  async openMotion(files: ReadonlyMap<string, Blob>): Promise<void> {
    if (this.store.state.view !== 'motion') this.say('Reading the motion …');
    await this.#load('motion');
    await this.motion?.openFiles(files);
  }

  // what a link names may not be here: its view begins as usual then
  #tryState(): void {
    try {
      this.update();
    } catch (error) {
      const { view } = this.store.state;
      this.say(`The link cannot be followed: ${wordsOf(error)}`, 'error');
      this.store.replace({ ...plainState(), view });
      this.update();
    }
  }

  /** The model that `limber view` serves beside the page. */
  async openServed(followed: boolean): Promise<void> {
    const get = async (name: string): Promise<string> => {
      const response = await fetch(name);
      if (!response.ok) throw new Error(`${name} is not served`);
      return response.text();
    };
    try {
      const text = await get('model.json');
      const meshes = JSON.parse(await get('meshes.json')) as Record<string, string>;
      const { name } = JSON.parse(text) as { name: string };
      this.show('stage');
      await this.#load('stage');
      this.stage!.openServed({ from: 'file', name: `${name}.json`, text }, meshes);
      if (followed) void this.#follow();
    } catch (error) {
      this.say(wordsOf(error), 'error');
    }
  }

  // rows of joint values, where the program has some: the latest before each picture
  async #follow(): Promise<void> {
    let last = 0;
    for (let over = false; !over;) {
      const response = await fetch('pose.json').catch(() => null);
      if (!response?.ok) return void (this.#live.hidden = true);
      const pose = (await response.json()) as { row: number; over: boolean; q: number[] };
      if (pose.row !== last) this.stage!.follow(pose.q);
      ({ row: last, over } = pose);
      this.#live.textContent = `● live, row ${last}`;
      this.#live.hidden = over;
      await new Promise(requestAnimationFrame);
    }
    this.say(`The rows ended after ${last}.`);
  }

  async #openSavings(): Promise<void> {
    if (!this.#savings.hidden) return void (this.#savings.hidden = true);
    const { boardSavings, stageSavings } = await import('./export');
    const { state } = this.store;
    const savings: Saving[] =
      state.view === 'board'
        ? boardSavings(state, this.board)
        : state.view === 'motion'
          ? (this.motion?.savings() ?? [])
          : this.stage
            ? stageSavings(state, this.stage)
            : [];
    fill(
      this.#savings,
      ...[...savings, ...projectSavings(this.projects, this)].map(({ id, label, hint, save }) =>
        h(
          'button',
          {
            type: 'button',
            role: 'menuitem',
            'data-save': id,
            title: hint,
            onclick: async () => {
              this.#savings.hidden = true;
              try {
                download(await save());
              } catch (error) {
                this.say(wordsOf(error), 'error');
              }
            },
          },
          h('b', {}, label),
          h('small', {}, hint),
        ),
      ),
    );
    this.#savings.hidden = false;
    this.#savings.querySelector('button')?.focus();
  }

  #showTheme(): void {
    this.#theme.replaceChildren(icon(currentTheme() === 'dark' ? 'sun' : 'moon'));
    this.stage?.recolor();
    this.motion?.recolor();
  }

  // the 3D library is large: it comes with the first view that needs it
  #load(view: 'stage' | 'motion'): Promise<void> {
    const place = this.#places[view];
    this.#loading[view] ??= (async () => {
      place.textContent = `Loading the ${view} …`;
      try {
        const made = view === 'stage' ? await this.#makeStage() : await this.#makeMotion();
        place.replaceWith(made.element);
      } catch (error) {
        fill(
          place,
          notShown(view, wordsOf(error), () => void this.#load(view)),
        );
        delete this.#loading[view];
        return;
      }
      this.#tryState();
    })();
    return this.#loading[view];
  }

  async #makeStage(): Promise<StageView> {
    const [{ StageView }, limber] = await Promise.all([import('../stage/view'), clipsLibrary()]);
    return (this.stage = new StageView(this, limber));
  }

  async #makeMotion(): Promise<MotionView> {
    const { MotionView } = await import('../motion/view');
    return (this.motion = new MotionView(this));
  }

  update(): void {
    const { view } = this.store.state;
    set(this.#undo, { disabled: !this.store.canUndo });
    set(this.#redo, { disabled: !this.store.canRedo });
    for (const name of ['board', 'stage', 'motion'] as const)
      set(this.#tabs[name], {
        'aria-selected': String(name === view),
        tabindex: name === view ? 0 : -1,
      });
    set(this.board.element, { hidden: view !== 'board' });
    for (const name of ['stage', 'motion'] as const) {
      const made = this[name];
      set(made?.element ?? this.#places[name], { hidden: view !== name });
      if (view === name && !made) void this.#load(name);
    }
    this.board.update();
    this.stage?.update();
    this.motion?.update();
    this.#tour.update(view);
  }
}
