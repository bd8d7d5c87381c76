// whole_body.ts - planted tips: the whole body is solved, and what is planted comes before all else.

import type { Body, BodyTask, Limber, Model, State } from 'limber';
import type { StatusKind } from '../ui/status';
import type { TipState } from './document';
import { supportOf, type Vertex } from './support';

/** Planted links never give way. */
const planted = 0;

/** What gives way to what then: balance, what is dragged, the other targets. */
const levels = {
  plain: { balance: 1, dragged: 1, other: 2 },
  balanced: { balance: 1, dragged: 2, other: 3 },
};

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
};

/** Whether the tips are solved as a whole body: one of them stays while another is dragged. */
export const isWholeBody = (
  tips: readonly TipState[],
  selected: number,
  balance: boolean,
): boolean => tips.some(({ planted }, i) => planted && (balance || i !== selected));

export class WholeBody {
  readonly #model: Model;
  readonly #limber: Limber;
  readonly #state: State;
  readonly #size: number;
  #made: { key: string; body: Body } | null = null;

  /** Whether the centre of mass is to stay above what is planted. */
  balance = false;

  constructor(limber: Limber, model: Model, size: number) {
    this.#limber = limber;
    this.#model = model;
    this.#state = model.state();
    this.#size = size;
  }

  get #level(): typeof levels.plain {
    return this.balance ? levels.balanced : levels.plain;
  }

  /** The polygon that the figure stands on at q; empty: it does not stand, or has no mass. */
  support(tips: readonly TipState[], q: readonly number[]): Vertex[] {
    this.#state.update(q);
    if (!(this.#state.centerOfMass().mass > 0)) return [];
    return supportOf(this.#model, this.#state, tips, this.#size);
  }

  #balanced(tips: readonly TipState[], q: readonly number[]): Demand[] {
    const vertices = this.balance ? this.support(tips, q) : [];
    if (vertices.length < 3) return [];
    const task: BodyTask = { kind: 'support', vertices, level: this.#level.balance };
    return [{ task, target: [...this.#limber.transforms.from()] }];
  }

  // what stays before all else
  #held(tips: readonly TipState[], q: readonly number[]): Demand[] {
    const held = tips.filter((tip) => tip.planted).flatMap((tip) => demandsOf(tip, planted));
    return [...held, ...this.#balanced(tips, q)];
  }

  /** The configuration near q in which what is planted is in its place; null: none was found. */
  hold(tips: readonly TipState[], q: readonly number[]): number[] | null {
    const { outcome, q: held } = this.#solve(this.#held(tips, q), q);
    return outcome === 'reached' ? held : null;
  }

  /** Every target, from q; the selected one is the one that is dragged. */
  solve(tips: readonly TipState[], selected: number, q: readonly number[]): WholeSolved {
    const { dragged, other } = this.#level;
    const demands = tips.flatMap((tip, i) =>
      demandsOf(tip, i === selected ? dragged : tip.planted ? planted : other),
    );
    return this.#solve([...demands, ...this.#balanced(tips, q)], q);
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
      task: { kind: 'position', link, tool: { xyz: point }, level: this.#level.dragged },
      target: [...transforms.from({ xyz: to })],
    };
    return this.#solve([...this.#held(tips, q), dragged], q).q;
  }

  /** A joint to values of its own; what is planted stays, and holds the joint where it must. */
  turn(
    tips: readonly TipState[],
    q: readonly number[],
    joint: number,
    values: readonly number[],
  ): WholeSolved {
    const turned: Demand = {
      task: { kind: 'joint', joint, level: this.#level.dragged },
      target: values,
    };
    return this.#solve([...this.#held(tips, q), turned], q);
  }

  /** The configuration that closes the loops, from q: joints of one value give way alike. */
  close(q: readonly number[]): number[] {
    const joints = this.#model.joints.filter(({ nq, mimic }) => nq === 1 && mimic < 0);
    const demands = joints.map(({ index, q: at }): Demand => ({
      task: { kind: 'joint', joint: index, level: this.#level.other },
      target: [q[at]!],
    }));
    return this.#solve(demands, q).q;
  }

  #solve(demands: readonly Demand[], q: readonly number[]): WholeSolved {
    const body = this.#body(demands.map(({ task }) => task));
    demands.forEach(({ target }, i) => body.setTarget(i, target));
    const { outcome, tasks, q: solved } = body.solve(q);
    const missed = tasks.findIndex(({ reached }) => !reached);
    const { reason, words } = missed < 0 ? { reason: 'none', words: '' } : body.explain(missed);
    return { q: [...solved], outcome, kind: kinds[reason] ?? 'stalled', words };
  }

  // made anew when the tasks change; near is enough, at once is better
  #body(tasks: readonly BodyTask[]): Body {
    const key = JSON.stringify(tasks);
    if (this.#made?.key !== key) {
      const body = this.#model.body(tasks, {
        positionTolerance: 1e-5,
        rotationTolerance: 1e-4,
        restarts: 0, // the figure follows the pointer and never jumps
      });
      this.#made?.body.release();
      this.#made = { key, body };
    }
    return this.#made.body;
  }

  release(): void {
    this.#made?.body.release();
    this.#made = null;
    this.#state.release();
  }
}

/** A tip's target as tasks: with a free roll the place and the direction of the z axis. */
function demandsOf({ link, kind, free, target, planted: stays }: TipState, at: number): Demand[] {
  const own = (name: BodyTask['kind']): Demand => ({
    task: { kind: name, link, level: at },
    target,
  });
  if (stays && at === planted) return [own('pose')];
  if (kind === 'position') return [own('position')];
  return free ? [own('position'), own('direction')] : [own('pose')];
}
