// live.ts - arms that chase the target while it is dragged: a few iterations in every picture.

import type { Limber } from 'limber';
import type { Arm, Point } from './arm';
import { type BoardState, ownName } from './document';
import { type OwnMethod, OwnWorker } from './own/method';
import type { Status } from '../ui/status';
import { type Frame, type Run, Worker } from './run';

/** Iterations that are remembered for the scrubber, the trace and the plot. */
const memory = 400;

interface Chaser {
  worker: Worker;
  frames: Frame[];
  status: Status;
}

/** All methods on show, each with its own arm, on one clock: an iteration of all is a tick. */
export class Chase {
  readonly #chasers: Chaser[];
  #goal: Point;
  /** The tick of the first frame that is remembered. */
  #first = 0;
  /** The ticks at which the target moved. */
  #moves: number[] = [];

  constructor(limber: Limber, arm: Arm, board: BoardState, own: OwnMethod) {
    this.#goal = board.target;
    this.#chasers = board.panes.map((pane, i) => {
      const worker =
        pane.method === ownName
          ? new OwnWorker(limber, arm, board, own)
          : new Worker(limber, arm, board, pane);
      const q = board.poses[i]?.length === arm.model.nq ? board.poses[i]! : board.start;
      return { worker, frames: [worker.frame(q, board.target)], status: worker.first };
    });
    // the first steps are on the way before the first tick
    this.#ready();
  }

  /** Whether anything still moves. */
  get busy(): boolean {
    return this.#chasers.some(({ status }) => status.kind === 'moving');
  }

  /** The target has moved: arms at rest go on. */
  aim(goal: Point): void {
    if (goal[0] === this.#goal[0] && goal[1] === this.#goal[1]) return;
    this.#goal = goal;
    const now = this.#first + this.#chasers[0]!.frames.length - 1;
    if (this.#moves.at(-1) !== now) this.#moves.push(now);
    for (const chaser of this.#chasers)
      if (chaser.status.kind !== 'refused') chaser.status = chaser.worker.first;
  }

  // all wait for a step that comes from elsewhere: the race is by iterations
  #ready(): boolean {
    return this.#chasers.every(
      ({ worker, frames, status }) =>
        status.kind !== 'moving' || worker.ready(frames.at(-1)!.q, this.#goal),
    );
  }

  /** `count` ticks; arms at rest keep their pose. */
  advance(count: number): void {
    for (let i = 0; i < count && this.busy && this.#ready(); i++) {
      for (const chaser of this.#chasers) chaser.frames.push(this.#next(chaser));
      if (this.#chasers[0]!.frames.length > memory) this.#forget();
    }
  }

  #next(chaser: Chaser): Frame {
    const { worker, frames } = chaser;
    const { q } = frames.at(-1)!;
    if (chaser.status.kind !== 'moving') return worker.frame(q, this.#goal);
    const { frame, status } = worker.step(q, this.#goal);
    chaser.status = status;
    return frame;
  }

  #forget(): void {
    for (const { frames } of this.#chasers) frames.shift();
    this.#first++;
    this.#moves = this.#moves.filter((tick) => tick >= this.#first);
  }

  /** What has been, as runs, with the tick of their first frame and those of the target's moves. */
  runs(): { runs: Run[]; first: number; moves: readonly number[] } {
    const runs = this.#chasers.map(({ worker, frames, status }) => ({
      method: worker.method,
      frames: [...frames],
      status,
      refusal: worker.refusal,
    }));
    return { runs, first: this.#first, moves: this.#moves };
  }

  poses(): number[][] {
    return this.#chasers.map(({ frames }) => [...frames.at(-1)!.q]);
  }

  release(): void {
    for (const { worker } of this.#chasers) worker.release();
  }
}
