// live.ts - arms that chase the target while it is dragged: a few iterations in every picture.

import type { Limber } from 'limber';
import type { Arm, Point } from './arm';
import type { BoardState } from './document';
import { type Ending, type Frame, type Run, Worker } from './run';

/** Frames that are remembered for the scrubber and the trace. */
const memory = 400;

interface Chaser {
  worker: Worker;
  frames: Frame[];
  /** The number of the first frame that is remembered. */
  first: number;
  ending: Ending;
}

/** All methods on show, each with its own arm. */
export class Chase {
  readonly #chasers: Chaser[];
  #goal: Point;

  constructor(limber: Limber, arm: Arm, board: BoardState) {
    this.#goal = board.target;
    this.#chasers = board.panes.map((pane, i) => {
      const worker = new Worker(limber, arm, board, pane);
      const q = board.poses[i]?.length === arm.model.nq ? board.poses[i]! : board.start;
      return {
        worker,
        frames: [worker.frame(q, board.target)],
        first: 0,
        ending: worker.refusal ? 'not possible' : 'still on its way',
      };
    });
  }

  /** Whether anything still moves. */
  get busy(): boolean {
    return this.#chasers.some(({ ending }) => ending === 'still on its way');
  }

  /** The target is elsewhere now: whoever rested goes on. */
  aim(goal: Point): void {
    if (goal[0] === this.#goal[0] && goal[1] === this.#goal[1]) return;
    this.#goal = goal;
    for (const chaser of this.#chasers)
      if (chaser.ending !== 'not possible') chaser.ending = 'still on its way';
  }

  /** `count` iterations of every arm that is not at rest. */
  advance(count: number): void {
    for (const chaser of this.#chasers)
      for (let i = 0; i < count && chaser.ending === 'still on its way'; i++) {
        const { frame, ending } = chaser.worker.step(chaser.frames.at(-1)!.q, this.#goal);
        chaser.ending = ending;
        if (ending !== 'stuck') chaser.frames.push(frame);
        if (chaser.frames.length > memory) {
          chaser.frames.shift();
          chaser.first++;
        }
      }
  }

  /** What has been, as runs; the frames are numbered from the earliest that any remembers. */
  runs(): { runs: Run[]; first: number } {
    const first = Math.max(0, ...this.#chasers.map((chaser) => chaser.first));
    const runs = this.#chasers.map(({ worker, frames, ending, first: own }) => ({
      method: worker.method,
      frames: frames.slice(Math.min(first - own, frames.length - 1)),
      ending,
      refusal: worker.refusal,
    }));
    return { runs, first };
  }

  poses(): number[][] {
    return this.#chasers.map(({ frames }) => [...frames.at(-1)!.q]);
  }

  release(): void {
    for (const { worker } of this.#chasers) worker.release();
  }
}
