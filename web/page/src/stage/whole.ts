// whole.ts - planted tips: the whole body is solved, and what is planted comes before all else.

import type { Body, BodyTask, Limber, Model } from 'limber';
import type { StatusKind } from '../ui/status';
import type { TipState } from './document';

/** What gives way to what: planted links never, then what is dragged, then the other targets. */
const level = { planted: 0, dragged: 1, other: 2 };

/** Something that is to be brought somewhere. */
interface Demand {
  task: BodyTask;
  target: readonly number[];
}

export interface WholeSolved {
  q: number[];
  outcome: 'reached' | 'stalled' | 'exhausted' | 'invalid';
  kind: StatusKind;
  words: string;
}

const kinds: Record<string, StatusKind> = {
  none: 'arrived',
  level: 'out of reach',
  reach: 'out of reach',
  limits: 'at limits',
  conflict: 'local minimum',
  budget: 'local minimum',
};

/** Whether the tips are solved as a whole body: one of them stays while another is dragged. */
export const isWhole = (tips: readonly TipState[], selected: number): boolean =>
  tips.some(({ planted }, i) => planted && i !== selected);

export class WholeBody {
  readonly #model: Model;
  readonly #limber: Limber;
  #made: { key: string; body: Body } | null = null;

  constructor(limber: Limber, model: Model) {
    this.#limber = limber;
    this.#model = model;
  }

  /** Every target, from q; the selected one is the one that is dragged. */
  solve(tips: readonly TipState[], selected: number, q: readonly number[]): WholeSolved {
    const demands = tips.flatMap((tip, i) =>
      demandsOf(tip, i === selected ? level.dragged : tip.planted ? level.planted : level.other),
    );
    return this.#solve(demands, q);
  }

  /** A point of a link to a place in the world; what is not planted goes where it is carried. */
  pull(
    tips: readonly TipState[],
    q: readonly number[],
    link: number,
    point: readonly number[],
    to: readonly number[],
  ): number[] {
    const { transforms } = this.#limber;
    const dragged: Demand = {
      task: { kind: 'position', link, tool: { xyz: point }, level: level.dragged },
      target: [...transforms.from({ xyz: to })],
    };
    const planted = tips.filter((tip) => tip.planted);
    const held = planted.flatMap((tip) => demandsOf(tip, level.planted));
    return this.#solve([...held, dragged], q).q;
  }

  /** A joint to values of its own; what is planted stays, and holds the joint where it must. */
  turn(
    tips: readonly TipState[],
    q: readonly number[],
    joint: number,
    values: readonly number[],
  ): WholeSolved {
    const turned: Demand = { task: { kind: 'joint', joint, level: level.dragged }, target: values };
    const planted = tips.filter((tip) => tip.planted);
    const held = planted.flatMap((tip) => demandsOf(tip, level.planted));
    return this.#solve([...held, turned], q);
  }

  #solve(demands: readonly Demand[], q: readonly number[]): WholeSolved {
    const body = this.#body(demands.map(({ task }) => task));
    demands.forEach(({ target }, i) => body.setTarget(i, target));
    const { outcome, tasks, q: solved } = body.solve(q);
    const missed = tasks.findIndex(({ reached }) => !reached);
    const { reason, words } = missed < 0 ? { reason: 'none', words: '' } : body.explain(missed);
    return { q: [...solved], outcome, kind: kinds[reason] ?? 'local minimum', words };
  }

  // made anew when the tasks change; near is enough, at once is better
  #body(tasks: readonly BodyTask[]): Body {
    const key = JSON.stringify(tasks);
    if (this.#made?.key !== key) {
      const body = this.#model.body(tasks, { positionTolerance: 1e-5, rotationTolerance: 1e-4 });
      this.#made?.body.release();
      this.#made = { key, body };
    }
    return this.#made.body;
  }

  release(): void {
    this.#made?.body.release();
    this.#made = null;
  }
}

/** A tip's target as tasks: with a free roll the place and the direction of the z axis. */
function demandsOf({ link, kind, free, target, planted }: TipState, at: number): Demand[] {
  const own = (name: BodyTask['kind']): Demand => ({
    task: { kind: name, link, level: at },
    target,
  });
  if (planted && at === level.planted) return [own('pose')];
  if (kind === 'position') return [own('position')];
  return free ? [own('position'), own('direction')] : [own('pose')];
}
