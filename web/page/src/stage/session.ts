// session.ts - the model on the stage and what is computed with it, by the library alone.

import type { Joint, LimberWithClips, Model, Result, Solver, Srdf, State } from 'limber';
import { lengthWords, type StatusKind } from '../ui/status';
import { type ModelOrigin, type StageState, taskOf, type TipState } from './document';
import { Clearance } from './clearance';
import { SolutionFinder } from './solutions';
import type { Vertex } from './support';
import { isWholeBody, WholeBody } from './whole_body';

export type Vector = [number, number, number];

/** A solver for the present tips, method and protocol, made anew when these change. */
interface Ready {
  key: string;
  solver: Solver | null;
  refusal: string;
}

export interface Solved {
  /** null: nothing could be solved. */
  q: number[] | null;
  outcome?: Result['outcome'];
  kind: StatusKind;
  /** By how much the target is missed, where it is: "15 cm out of reach". */
  short?: string;
  /** The outcome and its reason in words. */
  words: string;
  /** Microseconds of the latest solves, 0: not measured yet. */
  time: number;
}

/** Angles are not said: the words after it have them. */
function missed({ outcome, beyondReach, positionError }: Result): string {
  if (outcome === 'reached' || outcome === 'invalid') return '';
  const away = lengthWords(positionError);
  if (!(beyondReach > 0)) return `${away} away`;
  // the links laid end to end; joints seldom allow that
  const least = lengthWords(beyondReach);
  return least === away ? `${away} out of reach` : `at least ${least} out of reach`;
}

type Unmeasured = Omit<Solved, 'time'>;

const refused = (error: unknown): Unmeasured => ({
  q: null,
  kind: 'refused',
  words: error instanceof Error ? error.message : String(error),
});

/** The outcome in the words that the board uses too. */
function kindOf({ outcome, reason }: Result): StatusKind {
  if (outcome === 'reached') return 'arrived';
  if (outcome === 'unreachable') return 'out of reach';
  if (reason === 'at limits') return 'at limits';
  return reason === 'minimum' ? 'local minimum' : 'stalled';
}

function srdfOf(
  limber: LimberWithClips,
  model: Model,
  origin: ModelOrigin,
  warn: (words: string) => void,
): Srdf {
  const text = origin.from === 'file' ? origin.srdf : undefined;
  try {
    if (text) return limber.clips.srdf(text, model, { warn: ({ message }) => warn(message) });
  } catch (error) {
    warn(refused(error).words);
  }
  return { states: [], disabled: [] };
}

export class Session {
  readonly limber: LimberWithClips;
  readonly model: Model;
  /** What came along with the model: named poses, pairs that may touch. */
  readonly srdf: Srdf;
  readonly state: State;
  readonly solutions: SolutionFinder;
  readonly clearance: Clearance;
  #ready: Ready = { key: '', solver: null, refusal: '' };
  #times: number[] = [];
  readonly #wholeBody: WholeBody;

  /** `warn` gets what is wrong with an SRDF, of which the rest counts. */
  constructor(
    limber: LimberWithClips,
    model: Model,
    origin: ModelOrigin,
    warn: (words: string) => void = () => {},
  ) {
    this.limber = limber;
    this.model = model;
    this.srdf = srdfOf(limber, model, origin, warn);
    this.state = model.state();
    this.solutions = new SolutionFinder(limber, model);
    this.clearance = new Clearance(limber, model, this.srdf.disabled);
    this.#wholeBody = new WholeBody(limber, model, this.size);
  }

  /** T_world_link at the configuration that was last looked at. */
  pose(link: string): number[] {
    return [...this.state.transform(link)];
  }

  /** How far the farthest link is from the root when the joints are at rest: a size for drawing. */
  get size(): number {
    const t = this.model.state(this.model.neutral()).transforms;
    let far = 0;
    for (let i = 0; i < t.length; i += 12)
      far = Math.max(far, Math.hypot(t[i + 9]! - t[9]!, t[i + 10]! - t[10]!, t[i + 11]! - t[11]!));
    return far > 0 ? far : 1;
  }

  /** Whether no joint moves anything out of a plane that is parallel to the floor. */
  get planar(): boolean {
    const state = this.model.state(this.model.neutral());
    const t = state.transforms;
    const keeps = this.model.joints.every(({ kind, nq, child, axis }) => {
      if (nq === 0) return true;
      const up = Math.abs(
        [2, 5, 8].reduce((sum, row, i) => sum + t[12 * child + row]! * axis[i]!, 0),
      );
      return kind === 'prismatic' ? up < 0.01 : nq === 1 && up > 0.99;
    });
    state.release();
    return keeps;
  }

  // ---- solving ----

  /** The configuration that brings the tips to their targets, from q. */
  solve(stage: StageState, q: readonly number[]): Solved {
    const tips = stage.tips.filter((tip) => tip.target.length === 12);
    if (tips.length === 0)
      return { q: null, kind: 'refused', words: 'Add a tip to give it a target.', time: 0 };
    const begin = performance.now();
    this.#wholeBody.balance = stage.balance;
    const solved = isWholeBody(stage.tips, stage.selected, stage.balance)
      ? this.#solveWhole(stage, tips, q)
      : this.#solveTips(stage, tips, q);
    if (solved.q) this.#times.push((performance.now() - begin) * 1000);
    return { ...solved, time: solved.q ? this.#usualTime() : 0 };
  }

  #solveWhole(stage: StageState, tips: readonly TipState[], q: readonly number[]): Unmeasured {
    const planted = tips.filter((tip) => tip.planted);
    try {
      const { words, ...solved } = this.#wholeBody.solve(
        tips,
        tips.indexOf(stage.tips[stage.selected]!),
        q,
      );
      return { ...solved, words: words || `${planted.length} planted, every target reached` };
    } catch (error) {
      return refused(error);
    }
  }

  #solveTips(stage: StageState, tips: readonly TipState[], q: readonly number[]): Unmeasured {
    const { solver, refusal } = this.#solver(stage, tips);
    if (!solver) return { q: null, kind: 'refused', words: refusal };
    const targets = tips.map(({ target }) => target);
    const result = solver.solve(targets, q);
    const { outcome } = result;
    return {
      q: [...result.q],
      outcome,
      kind: kindOf(result),
      short: missed(result),
      words: solver.explain(targets, result),
    };
  }

  // the clock of a page is coarse, and it is interrupted: the mean of the quicker half of the latest
  #usualTime(): number {
    if (this.#times.length > 40) this.#times.shift();
    if (this.#times.length < 12) return 0;
    const half = [...this.#times].sort((a, b) => a - b).slice(0, this.#times.length / 2);
    return half.reduce((sum, each) => sum + each, 0) / half.length;
  }

  #solver(stage: StageState, tips: readonly TipState[]): Ready {
    const key = JSON.stringify([
      tips.map(({ link, kind, free }) => [link, kind, free]),
      stage.method,
      stage.protocol,
    ]);
    if (key === this.#ready.key) return this.#ready;
    this.#ready.solver?.release();
    this.#ready = { key, solver: null, refusal: '' };
    try {
      this.#ready.solver = this.model.solver(tips.map(taskOf), {
        method: stage.method,
        protocol: stage.protocol,
      });
    } catch (error) {
      this.#ready.refusal = refused(error).words;
    }
    return this.#ready;
  }

  /**
   * Pulls a point of a link to a place in the world, while what is planted keeps its
   * own; returns the configuration, q itself when there is none.
   */
  pull(stage: StageState, q: readonly number[], link: number, point: Vector, to: Vector): number[] {
    const tips = stage.tips.filter((tip) => tip.target.length === 12);
    this.#wholeBody.balance = stage.balance;
    try {
      return this.#wholeBody.pull(tips, q, link, point, to);
    } catch {
      return [...q];
    }
  }

  /** Sets a joint to the values it has in `wanted`, while what is planted keeps its place. */
  turn(stage: StageState, q: readonly number[], joint: Joint, wanted: readonly number[]): Solved {
    const tips = stage.tips.filter((tip) => tip.target.length === 12);
    this.#wholeBody.balance = stage.balance;
    const planted = tips.filter((tip) => tip.planted).map(({ link }) => link);
    const them = planted.length > 0 ? `the planted ${planted.join(' and ')}` : 'the loops';
    try {
      const values = wanted.slice(joint.q, joint.q + joint.nq);
      const solved = this.#wholeBody.turn(tips, q, joint.index, values);
      const words = solved.words
        ? `${joint.name} is held by ${them}`
        : `${joint.name} is set, ${them} kept`;
      return { ...solved, words, time: 0 };
    } catch (error) {
      return { ...refused(error), time: 0 };
    }
  }

  /** The configuration near q in which loops are closed and what is planted is in its place; null: there is none. */
  held({ tips, balance }: StageState, q: readonly number[]): number[] | null {
    if (!tips.some(({ planted }) => planted)) return this.close(q);
    this.#wholeBody.balance = balance;
    return this.#wholeBody.hold(tips, q);
  }

  /** The configuration near q that closes the model's loops. */
  close(q: readonly number[]): number[] {
    return this.model.loopCount > 0 ? this.#wholeBody.close(q) : [...q];
  }

  // ---- properties of a configuration ----

  /** The polygon that the figure stands on; empty: nothing is planted, or it has no mass. */
  support({ tips }: StageState, q: readonly number[]): Vertex[] {
    return this.#wholeBody.support(tips, q);
  }

  release(): void {
    this.#ready.solver?.release();
    this.#wholeBody.release();
    this.solutions.release();
    this.clearance.release();
    this.state.release();
    this.model.release();
  }
}
