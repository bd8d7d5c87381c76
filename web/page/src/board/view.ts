// view.ts - the board: puts pictures, transport, plot, methods and controls together.

import type { App } from '../app/app';
import { segmented, section } from '../ui/controls';
import { fill, h, reveal } from '../ui/dom';
import type { Status } from '../ui/status';
import { Arm, type Point } from './arm';
import { type BoardState, maxPanes, type Pane, pane } from './document';
import { type DrawnArm, Drawing, type Scene } from './drawing';
import { type Example, exampleBoard, examples, sources } from './examples';
import { Chase } from './live';
import { type Look, looksOf, lookOf, nameOf, swatch, titleOf } from './looks';
import { ownWords } from './settings';
import { BoardPanel } from './panel';
import { Plot } from './plot';
import {
  type Figures,
  figuresOf,
  outOfReach,
  type Run,
  runPane,
  timeIteration,
  toleranceOf,
} from './run';
import { MethodTable, type Row, shortError } from './table';
import { Transport } from './transport';

/** Frames of a path that stay as shadows, as in the figures of Parent 2012. */
const shadows = 5;
/** Pictures a second when playing. */
const speeds = { follow: 60, steps: 9, path: 12 };

/** A phone: one picture at a time, its method chosen by a chip. */
const narrow = matchMedia('(max-width: 760px)');

export class BoardView {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #panel: BoardPanel;
  readonly #plot = new Plot((step) => this.#seek(step));
  readonly #transport: Transport;
  readonly #table: MethodTable;
  readonly #panes = h('div.panes');
  readonly #story = h('div.story');
  readonly #chips = h('div.chips', { role: 'group', 'aria-label': 'Methods' });
  readonly #sheet = h('aside.panel', { 'aria-label': 'Controls' });
  readonly #list: HTMLElement;
  readonly #layout: ReturnType<typeof segmented>;
  #figures: { element: HTMLElement; drawing: Drawing; caption: HTMLElement }[] = [];

  #arm: Arm | null = null;
  #armKey = '';
  #runs: { runs: Run[]; first: number; moves: readonly number[] } = {
    runs: [],
    first: 0,
    moves: [],
  };
  // the method in the one picture of a phone
  #front = '';
  #runsKey = '';
  #chase: Chase | null = null;
  #chaseKey = '';
  #playing = true;
  // the target has been dragged once
  #touched = false;
  #dragged: 'target' | 'joint' | '' = '';
  #lastTick = 0;
  #times = new Map<string, number>();
  #rest = new Map<string, { run: Run; figures: Figures }>();
  #restKey = '';
  #restTime = 0;

  constructor(app: App) {
    this.#app = app;
    this.#panel = new BoardPanel(app.store);
    this.#transport = new Transport({
      reset: () => this.reset(),
      play: () => this.play(),
      step: (by) => this.step(by),
      seek: (to) => this.#seek(to),
    });
    this.#table = new MethodTable(app.limber.methods, (method) => this.toggleMethod(method));
    this.#layout = segmented<BoardState['layout']>({
      label: 'Layout',
      choices: [
        { value: 'side', text: 'Side by side', hint: 'A picture for each method' },
        { value: 'over', text: 'In one', hint: 'All methods in one picture' },
      ],
      get: () => this.#board.layout,
      set: (layout) => this.#change('layout', (b) => void (b.layout = layout)),
    });
    this.#list = this.#makeList();
    this.element = this.#makeElement();
    narrow.addEventListener('change', () => this.update());
    requestAnimationFrame((now) => this.#tick(now));
  }

  get #board(): BoardState {
    return this.#app.store.state.board;
  }

  #change(label: string, edit: (board: BoardState) => void): void {
    this.#app.store.change(label, ({ board }) => edit(board));
  }

  // ---- layout ----

  #makeElement(): HTMLElement {
    return h(
      'main.view.board-view',
      { id: 'board' },
      h('aside.examples', { 'aria-label': 'Examples' }, this.#list),
      h(
        'div.centre',
        {},
        this.#story,
        h('div.bar', {}, this.#panel.motion, this.#layout.element),
        this.#chips,
        this.#panes,
        this.#transport.element,
        this.#plot.element,
      ),
      this.#makeSheet(),
    );
  }

  // beside the pictures; on a phone a sheet over their lower half
  #makeSheet(): HTMLElement {
    const handle = h(
      'button.sheet-handle',
      {
        type: 'button',
        'aria-expanded': 'false',
        onclick: () => {
          const open = this.#sheet.classList.toggle('open');
          handle.setAttribute('aria-expanded', String(open));
        },
      },
      'Controls',
    );
    this.#sheet.append(
      handle,
      section('Methods', { id: 'methods' }, this.#table.element, this.#table.about),
      this.#panel.settings,
      this.#panel.arm,
      this.#panel.show,
    );
    return this.#sheet;
  }

  #makeList(): HTMLElement {
    const groups = [...new Set(examples.map(({ group }) => group))];
    return h(
      'nav',
      {},
      ...groups.flatMap((group) => [
        h('h2', {}, group),
        h(
          'ul',
          {},
          ...examples
            .filter((example) => example.group === group)
            .map(({ id, figure, title }) =>
              h(
                'li',
                {},
                h(
                  'button.example',
                  { type: 'button', 'data-example': id, onclick: () => this.open(id) },
                  h('span.figure', {}, figure || '·'),
                  h('span', {}, title),
                ),
              ),
            ),
        ),
      ]),
    );
  }

  // ---- what can be done; the keyboard calls these too ----

  open(id: string): void {
    this.#app.store.change('example', (state) => void (state.board = exampleBoard(id)));
    this.#playing = true;
    this.#chaseKey = '';
    if (this.#board.motion !== 'follow' && this.#board.cursor < 0) {
      this.#app.store.adjust(({ board }) => void (board.cursor = 0));
    } else if (this.#board.cursor === 0) this.#playing = false;
  }

  reset(): void {
    this.#playing = false;
    this.#chaseKey = '';
    this.#app.store.adjust(({ board }) => {
      board.cursor = board.motion === 'follow' ? -1 : 0;
      board.poses = [];
    });
    if (this.#board.motion === 'follow') this.#startChase(false);
    this.update();
  }

  play(): void {
    const { motion } = this.#board;
    const go = !this.#moving;
    // what has come to its end plays again
    if (go && motion === 'follow' && !this.busy) this.reset();
    const atEnd = this.#cursor() >= this.#last();
    if (go && motion === 'follow') this.#app.store.adjust(({ board }) => void (board.cursor = -1));
    else if (go && atEnd) this.#app.store.adjust(({ board }) => void (board.cursor = 0));
    this.#playing = go;
    this.update();
  }

  /** Whether pictures follow each other by themselves. */
  get #moving(): boolean {
    const { motion, cursor } = this.#board;
    return this.#playing && (motion === 'follow' ? cursor < 0 && this.busy : cursor >= 0);
  }

  step(by: number): void {
    this.#playing = false;
    if (this.#board.motion === 'follow' && by > 0 && this.#cursor() >= this.#last()) {
      this.#chase?.advance(by);
      this.update();
    } else this.#seek(this.#cursor() + by);
  }

  toggleMethod(method: string): void {
    this.#front = method;
    this.#change('methods', (b) => {
      const rest = b.panes.filter((p) => p.method !== method);
      if (rest.length < b.panes.length) {
        if (rest.length > 0) b.panes = rest;
      } else if (rest.length < maxPanes) b.panes = [...rest, pane(method)];
      b.poses = [];
    });
  }

  #seek(to: number): void {
    this.#playing = false;
    const { first } = this.#runs;
    const cursor = Math.min(this.#last(), Math.max(first, to));
    this.#app.store.adjust(({ board }) => void (board.cursor = cursor));
  }

  /** The present poses go into the state, for a link. */
  remember(): void {
    if (this.#board.motion !== 'follow' || !this.#chase) return;
    const poses = this.#chase.poses();
    this.#app.store.adjust(({ board }) => void (board.poses = poses));
  }

  /** Another state follows: arms begin anew. */
  forget(): void {
    this.#chaseKey = '';
    this.#playing = true;
  }

  /** Whether an arm still moves. */
  get busy(): boolean {
    return this.#chase?.busy ?? false;
  }

  /** Runs every method from the start to the target, for its figures in the table. */
  solveAll(): void {
    if (keyOfArm(this.#board) !== this.#armKey) this.#prepare();
    this.#rest.clear();
    for (const { name } of this.#app.limber.methods) this.#measure(pane(name));
  }

  /** The pictures with their captions, and the plot below them, for export. */
  get pictures(): { panes: { svg: SVGElement; caption: string }[]; plot: SVGElement } {
    return {
      panes: this.#figures.map(({ drawing, caption }) => ({
        svg: drawing.svg,
        caption: [...caption.querySelectorAll('.caption')]
          .map((c) => (c as HTMLElement).innerText.replace(/\s+/g, ' '))
          .join('   '),
      })),
      plot: this.#plot.svg,
    };
  }

  /** What is on show, for export. */
  get runs(): readonly Run[] {
    return this.#runs.runs;
  }

  // ---- runs ----

  #last(): number {
    const { runs, first } = this.#runs;
    return first + Math.max(1, ...runs.map(({ frames }) => frames.length - 1));
  }

  #cursor(): number {
    return this.#board.cursor < 0 ? this.#last() : Math.min(this.#board.cursor, this.#last());
  }

  #prepare(): void {
    const board = this.#board;
    const armKey = keyOfArm(board);
    if (armKey !== this.#armKey) {
      const arm = new Arm(this.#app.limber, board.links);
      this.#chase?.release();
      this.#chase = null;
      this.#chaseKey = '';
      this.#arm?.release();
      this.#arm = arm;
      this.#armKey = armKey;
      this.#times.clear();
    }
    if (board.motion === 'follow') this.#prepareChase();
    else this.#prepareRuns();
  }

  #prepareRuns(): void {
    const { links, start, target, panes, settings, motion, frames, perFrame, iterations, show } =
      this.#board;
    const key = JSON.stringify([
      links,
      start,
      target,
      panes,
      settings,
      motion,
      frames,
      perFrame,
      iterations,
      show.sweep,
    ]);
    this.#chase?.release();
    this.#chase = null;
    this.#chaseKey = '';
    if (key === this.#runsKey) return;
    this.#runsKey = key;
    this.#runs = {
      runs: panes.map((p) => runPane(this.#app.limber, this.#arm!, this.#board, p)),
      first: 0,
      moves: [],
    };
  }

  #prepareChase(): void {
    const { panes, settings, start, links } = this.#board;
    const key = JSON.stringify([
      panes,
      settings,
      start,
      links.map(({ gain, desired }) => [gain, desired]),
    ]);
    if (key !== this.#chaseKey) this.#startChase(true, key);
    this.#chase!.aim(this.#board.target);
    this.#runs = this.#chase!.runs();
    this.#runsKey = '';
  }

  #startChase(play: boolean, key = ''): void {
    this.#chase?.release();
    this.#chase = new Chase(this.#app.limber, this.#arm!, this.#board);
    this.#chaseKey = key || this.#chaseKey;
    this.#playing = play;
    if (!key) {
      const { panes, settings, start, links } = this.#board;
      this.#chaseKey = JSON.stringify([
        panes,
        settings,
        start,
        links.map(({ gain, desired }) => [gain, desired]),
      ]);
    }
  }

  // ---- time ----

  #tick(now: number): void {
    requestAnimationFrame((next) => this.#tick(next));
    if (!this.#playing || this.#app.store.state.view !== 'board') return;
    const { motion, cursor, pace } = this.#board;
    if (now - this.#lastTick < 1000 / speeds[motion] - 4) return;
    this.#lastTick = now;
    if (motion === 'follow') {
      if (this.#dragged === 'joint' || cursor >= 0 || !this.#chase?.busy) return;
      this.#chase.advance(pace);
      this.update();
    } else if (cursor >= 0) {
      const last = this.#last();
      if (cursor >= last) this.#playing = false;
      this.#app.store.adjust(
        ({ board }) => void (board.cursor = cursor + 1 >= last ? -1 : cursor + 1),
      );
    }
  }

  // ---- showing ----

  update(): void {
    if (this.#app.store.state.view !== 'board') return;
    this.#prepare();
    this.#panel.update();
    this.#layout.update();
    this.#updateStory();
    this.#updatePictures();
    this.#updateTransport();
    this.#updatePlot();
    this.#updateTable();
  }

  #updateStory(): void {
    const { example } = this.#board;
    const found = examples.find(({ id }) => id === example);
    for (const item of this.#list.querySelectorAll<HTMLElement>('.example')) {
      const current = item.dataset['example'] === example;
      if (current) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    if (this.#story.dataset['example'] === example) return;
    this.#story.dataset['example'] = example;
    const item = this.#list.querySelector<HTMLElement>('[aria-current]');
    if (item) reveal(this.#list.parentElement!, item);
    const source = found ? sources[found.group] : '';
    fill(
      this.#story,
      found &&
        h(
          'h1',
          {},
          found.figure && h('span.figure', {}, `${source}, figure ${found.figure} `),
          found.title,
        ),
      found && h('p', {}, ...this.#storyText(found)),
    );
  }

  // the story's text, with a button for each {words} that act
  #storyText({ text, acts = {} }: Example): (string | HTMLElement)[] {
    return text.split(/[{}]/).map((part) => {
      const act = acts[part];
      return act
        ? h(
            'button.act',
            {
              type: 'button',
              onclick: () => {
                this.#playing = false;
                this.#change(part, act);
              },
            },
            part,
          )
        : part;
    });
  }

  #drawn(run: Run, place: number, look: Look, cursor: number): DrawnArm {
    const { show, motion } = this.#board;
    const at = Math.min(cursor - this.#runs.first, run.frames.length - 1);
    const frame = run.frames[Math.max(0, at)]!;
    const arm = this.#arm!;
    const ghosts =
      motion === 'follow'
        ? []
        : ghostFrames(run.frames.length, at, motion === 'path' ? shadows : 4);
    return {
      place,
      look,
      points: arm.points(frame.q),
      ghosts: show.ghosts
        ? ghosts.map((k) => ({ points: arm.points(run.frames[k]!.q), label: String(k) }))
        : [],
      trace: run.frames.slice(motion === 'follow' ? -140 : 0, at + 1).map(({ tip }) => tip),
      changes: show.changes ? arm.changes(frame.q) : [],
    };
  }

  #updatePictures(): void {
    const { layout, panes, links, target, show, motion, start } = this.#board;
    const cursor = this.#cursor();
    const looks = looksOf(panes.map(({ method }) => method));
    const arms = this.#runs.runs.map((run, i) => this.#drawn(run, i, looks[i]!, cursor));
    const all = layout === 'over' ? [arms.map((_, i) => i)] : arms.map((_, i) => [i]);
    const front = Math.max(
      0,
      panes.findIndex(({ method }) => method === this.#front),
    );
    const groups = narrow.matches && layout === 'side' ? [all[front]!] : all;
    this.#updateChips(panes[front]!.method);
    this.#panes.dataset['count'] = String(groups.length);
    while (this.#figures.length > groups.length) this.#figures.pop()!.element.remove();
    while (this.#figures.length < groups.length) this.#panes.append(this.#makeFigure());
    groups.forEach((places, i) => {
      const { drawing, caption } = this.#figures[i]!;
      const first = this.#runs.runs[places[0]!]!;
      const at = Math.max(0, Math.min(cursor - this.#runs.first, first.frames.length - 1));
      const scene: Scene = {
        hint: this.#touched || i > 0 ? '' : 'drag me',
        title: `Arm of ${links.length} links, ${places.map((p) => titleOf(panes[p]!.method)).join(', ')}`,
        links,
        target,
        show,
        arms: places.map((p) => arms[p]!),
        start: motion === 'follow' ? null : this.#arm!.points(start),
        goal: motion === 'path' ? first.frames[at]!.goal : null,
      };
      drawing.update(scene);
      fill(caption, ...places.map((p) => this.#caption(this.#runs.runs[p]!, p, looks[p]!, cursor)));
    });
  }

  // a chip for each method; the one in front is chosen, a tap on another brings it to the front
  #updateChips(front: string): void {
    const on = new Set(this.#board.panes.map(({ method }) => method));
    fill(
      this.#chips,
      ...this.#app.limber.methods.map(({ name }) =>
        h(
          'button.chip',
          {
            type: 'button',
            'aria-pressed': String(name === front),
            'data-chip': name,
            onclick: () => {
              this.#front = name;
              if (on.has(name)) this.update();
              else this.#change('methods', (b) => void b.panes.push(pane(name)));
            },
          },
          swatch(lookOf(name)),
          titleOf(name),
        ),
      ),
    );
  }

  #makeFigure(): HTMLElement {
    const drawing = new Drawing({
      begin: (what) => this.#beginDrag(what),
      target: (to) => this.#moveTarget(to),
      joint: (place, index, to) => this.#turnJoint(place, index, to),
      end: () => this.#endDrag(),
    });
    const caption = h('figcaption');
    const element = h('figure.pane', {}, drawing.element, caption);
    this.#figures.push({ element, drawing, caption });
    return element;
  }

  // what a run's last frame says; a target out of reach is said at once
  #statusOf(run: Run, atEnd: boolean): Status | null {
    if (!atEnd) return null;
    const { target, motion } = this.#board;
    if (run.status.kind !== 'moving') return run.status;
    if (motion !== 'path' && this.#arm!.beyond(target) > 0) return outOfReach(this.#arm!, target);
    // along a path an arm is never where it was going until the last frame
    return motion === 'path' ? null : run.status;
  }

  #caption(run: Run, place: number, look: Look, cursor: number): HTMLElement {
    const at = Math.max(0, Math.min(cursor - this.#runs.first, run.frames.length - 1));
    const atEnd = at === run.frames.length - 1;
    const { error } = run.frames[at]!;
    const { settings, gains } = this.#board.panes[place]!;
    const own = ownWords(settings, gains);
    const status = this.#statusOf(run, atEnd);
    const off = shortError(error);
    return h(
      'div.caption',
      { title: run.refusal || undefined, 'data-method': run.method, 'data-error': error },
      swatch(look),
      nameOf(run.method),
      h('span.sign', { 'data-status': status?.kind }, status?.sign ?? ''),
      h('span.state', {}, status?.words ?? ''),
      h('span.error', {}, run.refusal ? '' : off, h('small', {}, run.refusal ? '' : ' away')),
      own && h('span.own', {}, own),
    );
  }

  #unit(): string {
    return this.#board.motion === 'path' ? 'frame' : this.#board.show.sweep ? 'turn' : 'iteration';
  }

  #updateTransport(): void {
    this.#transport.update({
      playing: this.#moving,
      first: this.#runs.first,
      last: this.#last(),
      cursor: this.#cursor(),
      unit: this.#unit(),
      live: this.#board.motion === 'follow',
    });
  }

  #updatePlot(): void {
    const looks = looksOf(this.#board.panes.map(({ method }) => method));
    const shown = this.#runs.runs.map((run, i) => ({
      name: run.method,
      look: looks[i]!,
      values: run.refusal ? [] : run.frames.map(({ error }) => error),
    }));
    const others =
      this.#board.motion === 'follow'
        ? []
        : [...this.#rest.values()]
            .filter(
              ({ run }) => !run.refusal && !this.#board.panes.some((p) => p.method === run.method),
            )
            .map(({ run }) => ({
              name: run.method,
              look: null,
              values: run.frames.map(({ error }) => error),
            }));
    this.#plot.update({
      curves: [...others, ...shown],
      unit: this.#unit(),
      first: this.#runs.first,
      cursor: this.#cursor(),
      tolerance: toleranceOf(this.#board),
      moves: this.#runs.moves,
    });
  }

  // ---- figures of all methods, those on show and the others ----

  #updateTable(): void {
    const { links, start, target, settings, motion, frames, perFrame, iterations } = this.#board;
    const inputs = [links, start, target, settings, motion, frames, perFrame, iterations];
    const key = JSON.stringify(inputs);
    // while something is dragged, only what takes no time
    if (key !== this.#restKey && (this.#dragged === '' || this.#restTime < 8)) {
      const begin = performance.now();
      this.#restKey = key;
      this.solveAll();
      this.#restTime = performance.now() - begin;
    }
    this.#table.update(
      this.#app.limber.methods.map((method): Row => {
        const shown = this.#board.panes.filter((p) => p.method === method.name);
        const known = this.#rest.get(method.name);
        return {
          method,
          looks: shown.map((_, i) => lookOf(method.name, i)),
          status: known?.run.status ?? null,
          refusal: known?.run.refusal ?? '',
          ...(known?.figures ?? { iterations: 0, error: 0, travel: 0, straying: 0 }),
          time: this.#times.get(method.name) ?? NaN,
        };
      }),
    );
    this.#timeOne();
  }

  #measure(p: Pane): void {
    const board =
      this.#board.motion === 'follow' ? { ...this.#board, motion: 'steps' as const } : this.#board;
    const run = runPane(
      this.#app.limber,
      this.#arm!,
      { ...board, show: { ...board.show, sweep: false } },
      p,
    );
    this.#rest.set(p.method, { run, figures: figuresOf(run) });
  }

  // one method at a time, when there is nothing better to do
  #timing = false;
  #timeOne(): void {
    if (this.#timing || this.#dragged) return;
    const next = this.#app.limber.methods.find(
      ({ name }) => !this.#times.has(name) && !this.#rest.get(name)?.run.refusal,
    );
    if (!next) return;
    this.#timing = true;
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 50));
    idle(() => {
      this.#timing = false;
      // the state may be one of another arm already, which the next update makes
      if (!this.#arm || keyOfArm(this.#board) !== this.#armKey) return;
      this.#times.set(
        next.name,
        timeIteration(this.#app.limber, this.#arm, this.#board, pane(next.name)),
      );
      this.#updateTable();
    });
  }

  // ---- dragging ----

  #beginDrag(what: 'target' | 'joint'): void {
    this.#touched = true;
    this.#app.store.begin();
    this.#dragged = what;
    if (what === 'target' && this.#board.motion === 'follow') this.#playing = true;
  }

  #moveTarget(to: Point): void {
    const round = (x: number): number => Math.round(x * 1000) / 1000;
    this.#change('target', (b) => {
      b.target = [round(to[0]), round(to[1])];
      b.cursor = -1;
    });
  }

  // the pose that is seen becomes the start, with the joint turned
  #turnJoint(place: number, index: number, to: Point): void {
    const run = this.#runs.runs[place] ?? this.#runs.runs[0]!;
    const at = Math.max(0, Math.min(this.#cursor() - this.#runs.first, run.frames.length - 1));
    const start = this.#arm!.turned([...run.frames[at]!.q], index, to);
    this.#change('joint', (b) => {
      b.start = start;
      b.poses = [];
      b.cursor = b.motion === 'follow' ? -1 : 0;
    });
  }

  #endDrag(): void {
    const turned = this.#dragged === 'joint';
    this.#dragged = '';
    this.#app.store.end();
    if (turned) this.#playing = true;
    this.update();
  }
}

/** What of a board its arm is made from. */
function keyOfArm({ links }: BoardState): string {
  return JSON.stringify(links.map(({ length, lower, upper }) => [length, lower, upper]));
}

/** The numbers of up to `count` frames before `at`, evenly spread, the first among them. */
function ghostFrames(length: number, at: number, count: number): number[] {
  const step = Math.max(1, Math.round((length - 1) / (count - 1)));
  return Array.from({ length: count }, (_, k) => k * step).filter((k) => k < at);
}
