// run.ts - what a method does with an arm: every configuration in between, and the figures.

import type { Limber, Options, Progress, Solver } from 'limber';
import { trim } from '../ui/controls';
import { type Status, status, stopped } from '../ui/status';
import { Arm, type Point } from './arm';
import { type BoardState, ownName, type Pane, reachOf, type Settings } from './document';

/** One configuration of a run. */
export interface Frame {
  q: Float64Array;
  tip: Point;
  /** The target then. */
  goal: Point;
  /** The distance between the two. */
  error: number;
}

export interface Run {
  method: string;
  frames: Frame[];
  /** How it ended, or that it goes on. */
  status: Status;
  /** Why a method cannot do this at all; else ''. */
  refusal: string;
}

/** The sums of a run. */
export interface Figures {
  iterations: number;
  error: number;
  /** Degrees that all joints have turned, together. */
  travel: number;
  /** How far the tip strays from the straight line, as a share of that line. */
  straying: number;
}

export const effectiveSettings = (board: BoardState, pane: Pane): Settings => ({
  ...board.settings,
  ...pane.settings,
});

/** What of a board the library's options are. */
export function optionsOf(board: BoardState, pane: Pane): Options {
  const { escape, ...settings } = effectiveSettings(board, pane);
  const gains = pane.gains ?? board.links.map(({ gain }) => gain);
  const controlled = gains.some((gain) => gain > 0);
  return {
    method: pane.method,
    ...settings,
    nudge: escape,
    gains: controlled ? gains : null,
    desired: board.links.map(({ desired }) => desired),
    positionTolerance: toleranceOf(board),
    protocol: 'given',
    // there are no restarts, so no table of starts
    seeds: 0,
  };
}

/** A thousandth of the reach counts as there. */
export function toleranceOf(board: BoardState): number {
  return 1e-3 * reachOf(board.links);
}

/** What has happened to an arm after a step. */
function statusOf(arm: Arm, goal: Point, result: Progress): Status {
  if (result.progress === 'success') return status('arrived');
  if (result.progress === 'processing') return status('moving');
  return arm.beyond(goal) > 0
    ? outOfReach(arm, goal)
    : stopped(result.reason, '', arm.atLimits(result.q));
}

/** By how much a goal is too far away, or too near. */
export function outOfReach(arm: Arm, goal: Point): Status {
  return stopped('out of reach', trim(arm.beyond(goal), 3), []);
}

/** A method at work on one arm. */
export class Worker {
  readonly arm: Arm;
  readonly method: string;
  readonly refusal: string = '';
  readonly #solver: Solver | null = null;
  readonly #target: Float64Array;

  constructor(limber: Limber, arm: Arm, board: BoardState, pane: Pane) {
    this.#target = limber.transforms.from();
    this.arm = arm;
    this.method = pane.method;
    if (pane.method === ownName) return;
    try {
      this.#solver = arm.model.solver({ tip: 'tip', kind: 'position' }, optionsOf(board, pane));
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
    }
  }

  /** The status before any iteration. */
  get first(): Status {
    return this.#solver ? status('moving') : status('refused', `not possible: ${this.refusal}`);
  }

  frame(q: ArrayLike<number>, goal: Point): Frame {
    const tip = this.arm.tip(q);
    return {
      q: Float64Array.from(q),
      tip,
      goal,
      error: Math.hypot(goal[0] - tip[0], goal[1] - tip[1]),
    };
  }

  /** Whether the next iteration can be made at once. */
  ready(_q: ArrayLike<number>, _goal: Point): boolean {
    return true;
  }

  /** One iteration; null when nothing moves any more. */
  step(q: ArrayLike<number>, goal: Point): { frame: Frame; status: Status } {
    if (!this.#solver) return { frame: this.frame(q, goal), status: this.first };
    this.#target.set(goal, 9);
    const result = this.#solver.step(this.#target, q);
    return { frame: this.frame(result.q, goal), status: statusOf(this.arm, goal, result) };
  }

  /** Iterations from a start to one goal, until it arrives, stops or has made `most`. */
  iterate(start: ArrayLike<number>, goal: Point, most: number): Run {
    const frames = [this.frame(start, goal)];
    let now = this.first;
    while (now.kind === 'moving' && frames.length <= most) {
      const step = this.step(frames.at(-1)!.q, goal);
      now = step.status;
      // a step without effect is no picture of its own
      if (now.kind === 'moving' || now.kind === 'arrived') frames.push(step.frame);
    }
    return { method: this.method, frames, status: now, refusal: this.refusal };
  }

  /**
   * Towards each of the goals that lie evenly on the line from the tip to the last: as
   * many iterations as it takes to arrive, `most` at most.
   */
  track(start: ArrayLike<number>, last: Point, count: number, most: number): Run {
    const from = this.arm.tip(start);
    const frames = [this.frame(start, from)];
    let now = this.first;
    for (let k = 1; k <= count && this.#solver; k++) {
      const t = k / count;
      const goal: Point = [from[0] + t * (last[0] - from[0]), from[1] + t * (last[1] - from[1])];
      let frame = frames.at(-1)!;
      now = status('moving');
      for (let i = 0; i < most && now.kind === 'moving'; i++)
        ({ frame, status: now } = this.step(frame.q, goal));
      frames.push(frame);
    }
    return { method: this.method, frames, status: now, refusal: this.refusal };
  }

  release(): void {
    this.#solver?.release();
  }
}

/** The board's run of one pane, from the start. */
export function runPane(limber: Limber, arm: Arm, board: BoardState, pane: Pane): Run {
  const worker = new Worker(limber, arm, board, pane);
  try {
    if (board.motion === 'path')
      return worker.track(board.start, board.target, board.frames, board.perFrame);
    const run = worker.iterate(board.start, board.target, board.iterations);
    return board.show.sweep && pane.method === 'ccd' ? jointByJoint(worker, run) : run;
  } finally {
    worker.release();
  }
}

/**
 * The run with a frame for each joint that moved. A sweep of cyclic descent turns every
 * joint once, from the tip inwards, so what lies between is known from its two ends.
 */
function jointByJoint(worker: Worker, run: Run): Run {
  const frames = [run.frames[0]!];
  for (const { q, goal } of run.frames.slice(1)) {
    const now = Float64Array.from(frames.at(-1)!.q);
    for (let i = q.length - 1; i >= 0; i--) {
      if (now[i] === q[i]) continue;
      now[i] = q[i]!;
      frames.push(worker.frame(now, goal));
    }
  }
  return { ...run, frames };
}

export function figuresOf(run: Run, upTo = run.frames.length - 1): Figures {
  const frames = run.frames.slice(0, upTo + 1);
  const first = frames[0]!;
  const last = frames.at(-1)!;
  let travel = 0;
  for (let k = 1; k < frames.length; k++)
    frames[k]!.q.forEach((angle, i) => (travel += Math.abs(angle - frames[k - 1]!.q[i]!)));
  return {
    iterations: frames.length - 1,
    error: last.error,
    travel: (travel * 180) / Math.PI,
    straying: straying(
      frames.map(({ tip }) => tip),
      first.tip,
      last.goal,
    ),
  };
}

/** The farthest of these points from the line between two others, as a share of its length. */
function straying(points: readonly Point[], [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  if (length === 0) return 0;
  const distances = points.map(([x, y]) => {
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length ** 2));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy);
  });
  return Math.max(...distances) / length;
}

/** Microseconds of one iteration, measured: the best of some spans that the clock resolves. */
export function timeIteration(limber: Limber, arm: Arm, board: BoardState, pane: Pane): number {
  const worker = new Worker(limber, arm, board, pane);
  const goal = board.target;
  let last = worker.frame(board.start, goal).q;
  const spans = Array.from({ length: 3 }, () => {
    const begin = performance.now();
    let now = begin;
    let count = 0;
    do {
      for (let i = 0; i < 20; i++, count++) {
        const { frame, status } = worker.step(last, goal);
        last = status.kind === 'moving' ? frame.q : Float64Array.from(board.start);
      }
      now = performance.now();
    } while (now - begin < 1.5);
    return ((now - begin) * 1000) / count;
  });
  worker.release();
  return Math.min(...spans);
}
