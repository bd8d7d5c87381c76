// playback.ts - the arms over time: what each method on show does, the frame that is seen, and playing.

import type { Limber } from 'limber';
import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { Arm } from './arm';
import { type BoardState, ownName } from './document';
import { Chase } from './live';
import { type OwnMethod, OwnWorker } from './own/method';
import { type Frame, type Run, runPane } from './run';

/** Pictures a second when playing. */
const speeds = { follow: 60, steps: 9, path: 12 };

/** The runs of the methods on show, in the order of the panes, on one clock. */
export interface Runs {
  runs: Run[];
  /** The number of their first frame. */
  first: number;
  /** The frames at which the target moved. */
  moves: readonly number[];
}

export class Playback {
  readonly #limber: Limber;
  readonly #store: Store<AppState>;
  readonly #own: OwnMethod;
  readonly #changed: () => void;
  #arm: Arm | null = null;
  #armKey = '';
  #runs: Runs = { runs: [], first: 0, moves: [] };
  #runsKey = '';
  #chase: Chase | null = null;
  #chaseKey = '';
  #playing = true;
  #lastTick = 0;
  /** While a joint is dragged, arms hold still. */
  held = false;

  /** `changed` is called when another frame is to be seen. */
  constructor(limber: Limber, store: Store<AppState>, own: OwnMethod, changed: () => void) {
    this.#limber = limber;
    this.#store = store;
    this.#own = own;
    this.#changed = changed;
    requestAnimationFrame((now) => this.#tick(now));
  }

  get #board(): BoardState {
    return this.#store.state.board;
  }

  // ---- what is seen ----

  get arm(): Arm {
    return this.#arm!;
  }

  get runs(): Runs {
    return this.#runs;
  }

  /** The last frame of the longest run. */
  get last(): number {
    const { runs, first } = this.#runs;
    return first + Math.max(1, ...runs.map(({ frames }) => frames.length - 1));
  }

  /** The frame that is seen. */
  get cursor(): number {
    return this.#board.cursor < 0 ? this.last : Math.min(this.#board.cursor, this.last);
  }

  /** The index of a run's frame that is seen: its last one, once it has ended. */
  indexIn({ frames }: Run): number {
    return Math.max(0, Math.min(this.cursor - this.#runs.first, frames.length - 1));
  }

  frameOf(run: Run): Frame {
    return run.frames[this.indexIn(run)]!;
  }

  /** Whether an arm still moves. */
  get busy(): boolean {
    return this.#chase?.busy ?? false;
  }

  /** Whether frames follow each other by themselves. */
  get moving(): boolean {
    const { motion, cursor } = this.#board;
    return this.#playing && (motion === 'follow' ? cursor < 0 && this.busy : cursor >= 0);
  }

  // ---- what can be done ----

  /** Frames follow each other, or not, from the present one. */
  set playing(on: boolean) {
    this.#playing = on;
  }

  /** Arms begin anew with the next preparation. */
  restart(): void {
    this.#chaseKey = '';
    this.#playing = true;
  }

  reset(): void {
    this.#playing = false;
    this.#chaseKey = '';
    this.#store.adjust(({ board }) => {
      board.cursor = board.motion === 'follow' ? -1 : 0;
      board.poses = [];
    });
    if (this.#board.motion === 'follow') this.#startChase(false);
    this.#changed();
  }

  play(): void {
    const { motion } = this.#board;
    const go = !this.moving;
    // what has come to its end plays again
    if (go && motion === 'follow' && !this.busy) this.reset();
    const atEnd = this.cursor >= this.last;
    if (go && motion === 'follow') this.#store.adjust(({ board }) => void (board.cursor = -1));
    else if (go && atEnd) this.#store.adjust(({ board }) => void (board.cursor = 0));
    this.#playing = go;
    this.#changed();
  }

  step(by: number): void {
    this.#playing = false;
    if (this.#board.motion === 'follow' && by > 0 && this.cursor >= this.last) {
      this.#chase?.advance(by);
      this.#changed();
    } else this.seek(this.cursor + by);
  }

  seek(to: number): void {
    this.#playing = false;
    const cursor = Math.min(this.last, Math.max(this.#runs.first, to));
    this.#store.adjust(({ board }) => void (board.cursor = cursor));
  }

  /** The present poses go into the state, for a link: it is no change that is to be kept in turn. */
  remember(): void {
    if (this.#board.motion !== 'follow' || !this.#chase) return;
    const poses = this.#chase.poses();
    this.#store.note(({ board }) => void (board.poses = poses));
  }

  // ---- the arm and its runs, made when the board has changed ----

  /** Whether the board's arm is the one that was made. */
  get current(): boolean {
    return this.#arm !== null && keyOfArm(this.#board) === this.#armKey;
  }

  /** The arm of the board, made if it is another one; true: it was. */
  prepareArm(): boolean {
    if (this.current) return false;
    const board = this.#board;
    const arm = new Arm(this.#limber, board.links);
    this.#dropChase();
    this.#arm?.release();
    this.#arm = arm;
    this.#armKey = keyOfArm(board);
    return true;
  }

  /** The runs of the methods on show, as the board now is. */
  prepareRuns(): void {
    if (this.#board.motion === 'follow') this.#follow();
    else this.#runAll();
  }

  #runAll(): void {
    const board = this.#board;
    const key = keyOfRuns(board);
    this.#dropChase();
    // those of the library are as they were; the own one may have got its answer
    const known = key === this.#runsKey ? this.#runs.runs : null;
    if (known && !known.some(({ method }) => method === ownName)) return;
    this.#runsKey = key;
    const runs = board.panes.map((pane, i) =>
      pane.method === ownName
        ? this.runOwn(board)
        : (known?.[i] ?? runPane(this.#limber, this.arm, board, pane)),
    );
    this.#runs = { runs, first: 0, moves: [] };
  }

  /** What the user's own method does, as far as it is known by now. */
  runOwn(board: BoardState): Run {
    return this.#own.runOf(new OwnWorker(this.#limber, this.arm, board, this.#own), board);
  }

  #follow(): void {
    if (this.#keyOfChase() !== this.#chaseKey) this.#startChase(true);
    this.#chase!.aim(this.#board.target);
    this.#runs = this.#chase!.runs();
    this.#runsKey = '';
  }

  // a code begins when it may
  #keyOfChase(): string {
    const { panes, own } = this.#board;
    const typed =
      panes.some(({ method }) => method === ownName) && own + this.#own.refusal(this.#board);
    return keyOfChase(this.#board) + typed;
  }

  #startChase(play: boolean): void {
    this.#chase?.release();
    this.#chase = new Chase(this.#limber, this.arm, this.#board, this.#own);
    this.#chaseKey = this.#keyOfChase();
    this.#playing = play;
  }

  #dropChase(): void {
    this.#chase?.release();
    this.#chase = null;
    this.#chaseKey = '';
  }

  // ---- time ----

  #tick(now: number): void {
    requestAnimationFrame((next) => this.#tick(next));
    if (!this.#playing || this.#store.state.view !== 'board') return;
    const { motion } = this.#board;
    if (now - this.#lastTick < 1000 / speeds[motion] - 4) return;
    this.#lastTick = now;
    if (motion === 'follow') this.#advance();
    else this.#nextFrame();
  }

  #advance(): void {
    const { cursor, pace } = this.#board;
    if (this.held || cursor >= 0 || !this.#chase?.busy) return;
    this.#chase.advance(pace);
    this.#changed();
  }

  #nextFrame(): void {
    const { cursor } = this.#board;
    if (cursor < 0) return;
    const { last } = this;
    if (cursor >= last) this.#playing = false;
    this.#store.adjust(({ board }) => void (board.cursor = cursor + 1 >= last ? -1 : cursor + 1));
  }
}

/** What of a board its arm is made from. */
function keyOfArm({ links }: BoardState): string {
  return JSON.stringify(links.map(({ length, lower, upper }) => [length, lower, upper]));
}

/** What of a board decides its runs from the start to the target. */
function keyOfRuns(board: BoardState): string {
  const { links, start, target, panes, settings, motion, frames, perFrame, iterations } = board;
  const { sweep } = board.show;
  return JSON.stringify([
    ...[links, start, target, panes, settings, motion, frames, perFrame, iterations],
    sweep,
  ]);
}

/** What of a board arms that follow the target begin anew for. */
function keyOfChase({ panes, settings, start, links }: BoardState): string {
  const gains = links.map(({ gain, desired }) => [gain, desired]);
  return JSON.stringify([panes, settings, start, gains]);
}
