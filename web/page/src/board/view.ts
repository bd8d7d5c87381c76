// view.ts - the board: puts story, pictures, transport, plot, methods and controls together.

import type { Host } from '../app/host';
import { type Control, segmented, section } from '../ui/controls';
import { h } from '../ui/dom';
import type { Point } from './arm';
import { derivationSection } from './derivation/section';
import type { DerivedStep } from './derivation/panel';
import { type BoardState, maxPanes, ownName, pane, reachOf } from './document';
import { OtherElbow, sideOf } from './elbow';
import { exampleBoard } from './examples';
import { looksOf } from './looks';
import { MeasuredMethods } from './measured';
import { OwnMethod } from './own/method';
import { ownSection } from './own/section';
import { BoardPanel } from './panel';
import { Pictures } from './pictures';
import { Playback } from './playback';
import { Plot } from './plot';
import { optionsOf, type Run, toleranceOf } from './run';
import { ownWords } from './settings';
import { Story } from './story';
import { Transport } from './transport';

/** Milliseconds for which numbers and curves stand while something is dragged: nobody reads faster. */
const reading = 50;

export class BoardView {
  readonly element: HTMLElement;
  readonly #host: Host;
  readonly #panel: BoardPanel;
  readonly #own: Control;
  readonly #derivation = derivationSection(() => this.#derived());
  readonly #playback: Playback;
  readonly #story: Story;
  readonly #pictures: Pictures;
  readonly #measured: MeasuredMethods;
  readonly #plot = new Plot((step) => this.#playback.seek(step));
  readonly #transport: Transport;
  readonly #layout: ReturnType<typeof segmented>;
  readonly #elbow = new OtherElbow();
  #controlsKey = '';
  #said = 0;
  #dragged: 'target' | 'joint' | '' = '';

  constructor(host: Host) {
    const { limber, store } = host;
    this.#host = host;
    const own = new OwnMethod(() => this.update());
    this.#playback = new Playback(limber, store, own, () => this.#show());
    this.#own = ownSection(own, {
      board: () => this.#board,
      run: () => this.#playback.runs.runs.find(({ method }) => method === ownName),
      type: (code) => this.#change('own method', (b) => void (b.own = code)),
      show: (code) => this.#showOwn(code),
    });
    this.#panel = new BoardPanel(store, {
      side: () => sideOf(this.#playback.arm, this.#seen),
      refusal: () => this.#elbowRefusal(),
      change: () => this.changeElbow(),
    });
    this.#story = new Story(store, {
      open: (id) => this.open(id),
      act: () => void (this.#playback.playing = false),
    });
    this.#pictures = new Pictures(limber, store, this.#playback, {
      changed: () => this.update(),
      begin: (what) => this.#beginDrag(what),
      target: (to) => this.#moveTarget(to),
      joint: (place, index, to) => this.#turnJoint(place, index, to),
      end: () => this.#endDrag(),
    });
    this.#measured = new MeasuredMethods(limber, store, this.#playback, (method) =>
      this.toggleMethod(method),
    );
    this.#transport = new Transport({
      reset: () => this.reset(),
      play: () => this.play(),
      step: (by) => this.step(by),
      seek: (to) => this.#playback.seek(to),
    });
    this.#layout = segmented<BoardState['layout']>({
      label: 'Layout',
      choices: [
        { value: 'side', text: 'Side by side', hint: 'A picture for each method' },
        { value: 'over', text: 'In one', hint: 'All methods in one picture' },
      ],
      get: () => this.#board.layout,
      set: (layout) => this.#change('layout', (b) => void (b.layout = layout)),
    });
    this.element = this.#makeElement();
  }

  get #board(): BoardState {
    return this.#host.store.state.board;
  }

  #change(label: string, edit: (board: BoardState) => void): void {
    this.#host.store.change(label, ({ board }) => edit(board));
  }

  // ---- layout ----

  #makeElement(): HTMLElement {
    return h(
      'main.view.board-view',
      { id: 'board' },
      h('aside.examples', { 'aria-label': 'Examples' }, this.#story.list),
      h(
        'div.centre',
        {},
        this.#story.element,
        h('div.bar', {}, this.#panel.motion, this.#layout.element),
        this.#pictures.chips,
        this.#pictures.element,
        this.#transport.element,
        this.#plot.element,
      ),
      this.#makeSheet(),
    );
  }

  // beside the pictures; on a phone a sheet over their lower half
  #makeSheet(): HTMLElement {
    const onclick = (): void => {
      const open = sheet.classList.toggle('open');
      handle.setAttribute('aria-expanded', String(open));
    };
    const handle = h(
      'button.sheet-handle',
      { type: 'button', 'aria-expanded': 'false', onclick },
      'Controls',
    );
    const { table } = this.#measured;
    const sheet = h(
      'aside.panel',
      { 'aria-label': 'Controls' },
      handle,
      section('Methods', { id: 'methods' }, table.element, table.about),
      this.#derivation.element,
      this.#own.element,
      this.#panel.settings,
      this.#panel.arm,
      this.#panel.show,
    );
    return sheet;
  }

  // ---- what can be done; the keyboard calls these too ----

  /** To the first picture, in which the target comes first. */
  focus(): void {
    this.element.querySelector<SVGElement>('svg.board')?.focus();
  }

  open(id: string): void {
    // what was typed goes along
    this.#host.store.change('example', (state) => {
      state.board = { ...exampleBoard(id), own: state.board.own };
    });
    this.#playback.restart();
    if (this.#board.motion !== 'follow' && this.#board.cursor < 0) {
      this.#host.store.adjust(({ board }) => void (board.cursor = 0));
    } else if (this.#board.cursor === 0) this.#playback.playing = false;
  }

  reset(): void {
    this.#playback.reset();
  }

  play(): void {
    this.#playback.play();
  }

  step(by: number): void {
    this.#playback.step(by);
  }

  toggleMethod(method: string): void {
    this.#pictures.front = method;
    this.#change('methods', (b) => {
      const rest = b.panes.filter((p) => p.method !== method);
      if (rest.length < b.panes.length) {
        if (rest.length > 0) b.panes = rest;
      } else if (rest.length < maxPanes) b.panes = [...rest, pane(method)];
      b.poses = [];
    });
  }

  // a code that has been started, from the start on
  #showOwn(code: string): void {
    this.#pictures.front = ownName;
    this.#change('own method', (b) => {
      b.own = code;
      if (!b.panes.some(({ method }) => method === ownName))
        b.panes = [...b.panes.slice(0, maxPanes - 1), pane(ownName)];
      b.poses = [];
      b.cursor = b.motion === 'follow' ? -1 : 0;
    });
    this.#playback.restart();
    this.update();
  }

  // the pose whose elbow is changed: the start, or where the arm in front is in pursuit
  get #seen(): number[] {
    const { motion, start } = this.#board;
    const { runs } = this.#playback.runs;
    return motion === 'follow' && runs[0] ? [...this.#playback.frameOf(runs[0]).q] : start;
  }

  #elbowRefusal(): string {
    const { arm } = this.#playback;
    const other = this.#elbow.of(arm, this.#seen);
    return this.#elbow.refusal(arm) || (other ? '' : 'Limits exclude the other elbow');
  }

  /** The start goes to its other solution, the elbow on the other side; in pursuit the arms do. */
  changeElbow(): void {
    const start = this.#elbow.of(this.#playback.arm, this.#seen);
    if (!start) return;
    this.#change('elbow', (b) => {
      b.start = start;
      b.poses = [];
      b.cursor = b.motion === 'follow' ? -1 : 0;
    });
  }

  /** The present poses go into the state, for a link. */
  remember(): void {
    this.#playback.remember();
  }

  /** Another state is there: arms begin anew, and wait where it is at its beginning. */
  renew(): void {
    this.#playback.restart();
    if (this.#board.cursor === 0) this.#playback.playing = false;
  }

  /** Whether an arm still moves. */
  get busy(): boolean {
    return this.#playback.busy;
  }

  /** Runs every method from the start to the target, for its figures in the table. */
  solveAll(): void {
    if (!this.#playback.current) this.#prepare();
    this.#measured.measureAll();
  }

  /** The pictures with their captions, and the plot below them, for export. */
  get pictures(): { panes: { svg: SVGElement; caption: string }[]; plot: SVGElement } {
    return { panes: this.#pictures.saved, plot: this.#plot.svg };
  }

  /** What is on show, for export. */
  get runs(): readonly Run[] {
    return this.#playback.runs.runs;
  }

  // ---- showing ----

  update(): void {
    if (this.#host.store.state.view !== 'board') return;
    this.#prepare();
    // arms that chase what is dragged show it with their next iteration, in the same picture
    if (this.#dragged !== 'target' || !this.#playback.moving) this.#show();
  }

  #show(): void {
    if (this.#host.store.state.view !== 'board') return;
    this.#prepare();
    this.#updateControls();
    const now = performance.now();
    const words = !this.#dragged || !this.#playback.moving || now - this.#said > reading;
    this.#pictures.update(words);
    if (!words) return;
    this.#said = now;
    this.#updateTransport();
    // the plot has what is measured, too
    this.#measured.update();
    this.#own.update();
    this.#updatePlot();
    this.#derivation.update();
  }

  // what moves by itself or is dragged changes none of them before it rests
  #updateControls(): void {
    const rest = { target: null, cursor: null, poses: null };
    const key = JSON.stringify({ ...this.#board, ...rest });
    if (key === this.#controlsKey && (this.#dragged || this.#playback.moving)) return;
    this.#controlsKey = key;
    this.#panel.update();
    this.#layout.update();
    this.#story.update();
  }

  // the step that is seen, of the method in front
  #derived(): DerivedStep | null {
    const board = this.#board;
    const place = this.#pictures.frontPlace;
    const run = this.#playback.runs.runs[place];
    if (!run) return null;
    const { q, goal } = this.#playback.frameOf(run);
    const { arm } = this.#playback;
    return {
      ...{ links: board.links, q, goal, reach: reachOf(board.links) },
      points: arm.points(q),
      changes: arm.changes(q),
      options: optionsOf(board, board.panes[place]!),
      methods: board.panes.map(({ method }) => method).filter((method) => method !== ownName),
      choose: (method) => {
        this.#pictures.front = method;
        this.update();
      },
      overlay: (draw) => this.#pictures.overlay(draw),
    };
  }

  #prepare(): void {
    if (this.#playback.prepareArm()) this.#measured.forgetTimes();
    this.#playback.prepareRuns();
  }

  #unit(): string {
    return this.#board.motion === 'path' ? 'frame' : this.#board.show.sweep ? 'turn' : 'iteration';
  }

  #updateTransport(): void {
    const { moving, last, cursor, runs } = this.#playback;
    this.#transport.update({
      playing: moving,
      first: runs.first,
      last,
      cursor,
      unit: this.#unit(),
      live: this.#board.motion === 'follow',
    });
  }

  // the methods on show, and behind them the others where all go the same way
  #updatePlot(): void {
    const { runs, first, moves } = this.#playback.runs;
    const methods = this.#board.panes.map(({ method }) => method);
    const looks = looksOf(methods);
    const others = this.#measured.runs.filter(({ method }) => !methods.includes(method));
    const { panes } = this.#board;
    // panes of one method differ in their own settings
    const nameOf = (i: number): string => {
      const { method, settings, gains } = panes[i]!;
      const isAlone = methods.indexOf(method) === methods.lastIndexOf(method);
      return (!isAlone && ownWords(settings, gains)) || method;
    };
    const curve = (run: Run, look: (typeof looks)[number] | null, name = run.method) => ({
      name,
      look,
      values: run.refusal ? [] : run.frames.map(({ error }) => error),
    });
    this.#plot.update({
      curves: [
        ...(this.#board.motion === 'follow' ? [] : others.map((run) => curve(run, null))),
        ...runs.map((run, i) => curve(run, looks[i]!, nameOf(i))),
      ],
      unit: this.#unit(),
      first,
      cursor: this.#playback.cursor,
      tolerance: toleranceOf(this.#board),
      moves,
      grows: this.#board.motion === 'follow',
    });
  }

  // ---- dragging ----

  #beginDrag(what: 'target' | 'joint'): void {
    this.#pictures.touched = true;
    this.#host.store.begin();
    this.#setDragged(what);
    if (what === 'target' && this.#board.motion === 'follow') this.#playback.playing = true;
  }

  #setDragged(what: 'target' | 'joint' | ''): void {
    this.#dragged = what;
    this.#playback.held = what === 'joint';
    this.#measured.dragged = what !== '';
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
    const { runs } = this.#playback.runs;
    const { q } = this.#playback.frameOf(runs[place] ?? runs[0]!);
    const start = this.#playback.arm.turned([...q], index, to);
    this.#change('joint', (b) => {
      b.start = start;
      b.poses = [];
      b.cursor = b.motion === 'follow' ? -1 : 0;
    });
  }

  #endDrag(): void {
    const turned = this.#dragged === 'joint';
    this.#setDragged('');
    this.#host.store.end();
    if (turned) this.#playback.playing = true;
    this.update();
  }
}
