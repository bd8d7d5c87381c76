// solutions.ts - all solutions of the stage's target, or why they are not listed.

import type { AllSolutions, Model, Solution, Solutions } from 'limber';
import { status } from '../ui/status';
import { type StageState, taskOf, type TipState } from './document';

/** No six joints have more than 16 solutions; a spherical wrist and calibration add a few. */
const capacity = 32;

/**
 * Radians by which a pose may differ from a solution and still be it: methods stop within their
 * tolerance of 1e-6, and branches that differ by less are about to meet.
 */
const same = 1e-3;

export interface Listed {
  /** By branch, so that they keep their places while the target moves. */
  solutions: readonly Solution[];
  /** Which of them the present pose is, -1: none. */
  present: number;
  /** What is to be known besides, or why there are none. */
  words: string;
}

const none = (words: string): Listed => ({ solutions: [], present: -1, words });

/** The solution that a step forward (1) or back (-1) leads to, limits kept; -1: none. */
export function stepped({ solutions, present }: Listed, by: 1 | -1): number {
  const { length } = solutions;
  const from = present < 0 && by < 0 ? length : present;
  for (let k = 1; k <= length; k++) {
    const i = (from + by * k + 2 * length) % length;
    if (i !== present && solutions[i]!.inLimits) return i;
  }
  return -1;
}

/** Lists solutions with the library's finder for the present tip, which is made when it changes. */
export class SolutionFinder {
  readonly #model: Model;
  #finder: Solutions | null = null;
  #refusal = '';
  #madeFor = '';
  #listed = none('');
  #listedFor = '';

  constructor(model: Model) {
    this.#model = model;
  }

  /** The solutions of the target, seen from q. */
  list({ tips }: StageState, q: readonly number[]): Listed {
    const key = JSON.stringify([tips, q]);
    if (key !== this.#listedFor) this.#listed = this.#list(tips, q);
    this.#listedFor = key;
    return this.#listed;
  }

  #list(tips: readonly TipState[], q: readonly number[]): Listed {
    const [tip, ...more] = tips;
    if (tip?.target.length !== 12) return none('Add a tip to give it a target.');
    if (more.length > 0)
      return none('All solutions are listed for a single tip: remove the others.');
    this.#make(tip);
    if (!this.#finder) return none(this.#refusal);
    return this.#ordered(this.#finder.find(tip.target, q));
  }

  #ordered(found: AllSolutions): Listed {
    // the nearest comes first
    const nearest = found.solutions[0];
    const solutions = [...found.solutions].sort((a, b) => a.branch - b.branch);
    const there = nearest !== undefined && nearest.distance < same;
    return {
      solutions,
      present: there ? solutions.indexOf(nearest) : -1,
      words: this.#about(found),
    };
  }

  #about({ count, inLimits, certified, family }: AllSolutions): string {
    const bad = status(count > 0 ? 'at limits' : 'out of reach');
    if (count === 0)
      return `${bad.sign} ${bad.kind}: no joint values bring the tip there${certified ? ', which is proved' : ''}`;
    if (inLimits === 0) return `${bad.sign} ${bad.kind}: every solution breaks them`;
    const free = family.map((joint) => this.#model.joints[joint]!.name);
    return free.length > 0 ? `Infinitely many: ${free.join(' and ')} can move on the spot.` : '';
  }

  #make(tip: TipState): void {
    const { link, kind, free } = tip;
    const key = JSON.stringify([link, kind, free]);
    if (key === this.#madeFor) return;
    this.release();
    this.#madeFor = key;
    try {
      const finder = this.#model.solutions(taskOf(tip), { outOfLimits: true, capacity });
      if (finder.armClass === 'redundant') {
        this.#refusal = 'The arm has a joint to spare: infinitely many solutions, and no list.';
        finder.release();
      } else this.#finder = finder;
    } catch (error) {
      // what the message advises is for programs
      const [why] = (error instanceof Error ? error.message : String(error)).split(';');
      this.#refusal = `${why![0]!.toUpperCase()}${why!.slice(1)}.`;
    }
  }

  release(): void {
    this.#finder?.release();
    this.#finder = null;
    this.#madeFor = this.#listedFor = this.#refusal = '';
  }
}
