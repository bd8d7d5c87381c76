// measured.ts - the table's figures: every method, on show or not, from the start to the target, and its time.

import type { Limber } from 'limber';
import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { type BoardState, ownName, type Pane, pane } from './document';
import { lookOf } from './looks';
import { methodsOf, ownMethod } from './own/method';
import type { Playback } from './playback';
import { type Figures, figuresOf, type Run, runPane, timeIteration } from './run';
import { MethodTable, type Row } from './table';

/** A method's run and its figures. */
export interface Measured {
  run: Run;
  figures: Figures;
}

/** While something is dragged: milliseconds that all methods may take together, and between two times. */
const quick = 8;
const pause = 150;

export class MeasuredMethods {
  readonly table: MethodTable;
  /** Something is dragged: only what is quick, so that the picture keeps up. */
  dragged = false;
  readonly #limber: Limber;
  readonly #store: Store<AppState>;
  readonly #playback: Playback;
  #measured = new Map<string, Measured>();
  #key = '';
  /** Milliseconds that the last measurement of all took. */
  #spent = 0;
  #last = 0;
  #times = new Map<string, number>();
  #timing = false;

  constructor(
    limber: Limber,
    store: Store<AppState>,
    playback: Playback,
    toggle: (method: string) => void,
  ) {
    this.#limber = limber;
    this.#store = store;
    this.#playback = playback;
    this.table = new MethodTable([...limber.methods, ownMethod], toggle);
  }

  get #board(): BoardState {
    return this.#store.state.board;
  }

  /** The runs of all methods that can solve this arm, for the plot. */
  get runs(): Run[] {
    return [...this.#measured.values()].map(({ run }) => run).filter(({ refusal }) => !refusal);
  }

  /** Another arm: what was timed is of the one before. */
  forgetTimes(): void {
    this.#times.clear();
  }

  /** Runs every method from the start to the target. */
  measureAll(): void {
    this.#measured.clear();
    for (const { name } of this.#limber.methods) this.#measure(pane(name));
  }

  #measure(p: Pane): void {
    const board = this.#board;
    const motion = board.motion === 'follow' ? 'steps' : board.motion;
    const show = { ...board.show, sweep: false };
    const as = { ...board, motion, show };
    const run =
      p.method === ownName
        ? this.#playback.runOwn(as)
        : runPane(this.#limber, this.#playback.arm, as, p);
    if (run !== this.#measured.get(p.method)?.run)
      this.#measured.set(p.method, { run, figures: figuresOf(run) });
  }

  update(): void {
    const now = performance.now();
    if (this.dragged && now - this.#last < pause) return;
    this.#last = now;
    const key = keyOf(this.#board);
    if (key !== this.#key && (!this.dragged || this.#spent < quick)) {
      const begin = performance.now();
      this.#key = key;
      this.measureAll();
      this.#spent = performance.now() - begin;
    }
    if (this.#board.own) this.#measure(pane(ownName));
    else this.#measured.delete(ownName);
    this.#updateTable();
    this.#timeNext();
  }

  #updateTable(): void {
    this.table.update(
      methodsOf(this.#limber, this.#board).map((method): Row => {
        const shown = this.#board.panes.filter((p) => p.method === method.name);
        const known = this.#measured.get(method.name);
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
  }

  // one method at a time, when there is nothing better to do
  #timeNext(): void {
    if (this.#timing || this.dragged) return;
    const next = this.#limber.methods.find(
      ({ name }) => !this.#times.has(name) && !this.#measured.get(name)?.run.refusal,
    );
    if (!next) return;
    this.#timing = true;
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 50));
    idle(() => {
      this.#timing = false;
      // the state may be one of another arm already, which the next update makes
      if (!this.#playback.current) return;
      const { arm } = this.#playback;
      this.#times.set(next.name, timeIteration(this.#limber, arm, this.#board, pane(next.name)));
      this.update();
    });
  }
}

/** What of a board the figures depend on. */
function keyOf(board: BoardState): string {
  const { links, start, target, settings, motion, frames, perFrame, iterations } = board;
  return JSON.stringify([links, start, target, settings, motion, frames, perFrame, iterations]);
}
