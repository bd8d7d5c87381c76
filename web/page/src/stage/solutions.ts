// solutions.ts - all solutions of the stage's target, or why they are not listed.

import type {
  AllSolutions,
  Configuration,
  Elbow,
  ElbowArc,
  LimberWithClips,
  Model,
  Solution,
  Solutions,
} from 'limber';
import { status } from '../ui/status';
import { type StageState, taskOf, type TipState } from './document';
import type { ElbowArcs, ElbowPlace, ElbowScale } from './elbow';

/** Six joints have up to 16 solutions, seven up to 8 at each sample, calibration adds a few. */
const capacity = 64;

/**
 * Radians by which a pose may differ from a solution and still be it: methods stop within their
 * tolerance of 1e-6, and branches that differ by less are about to meet.
 */
const same = 1e-3;

/** Of arms with a joint to spare: so many places of that joint or of the elbow are shown. */
const samples = 8;

export interface Listed {
  /** By branch, so that they keep their places while the target moves. */
  solutions: readonly Solution[];
  /** Which of them the present pose is, -1: none. */
  present: number;
  /** What is to be known besides, or why there are none. */
  words: string;
  /** Of an arm that moves while the tool stays. */
  elbow: ElbowArcs | null;
}

const none = (words: string): Listed => ({ solutions: [], present: -1, words, elbow: null });

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
  readonly #limber: LimberWithClips;
  readonly #model: Model;
  #finder: Solutions | null = null;
  #elbow: Elbow | null = null;
  #refusal = '';
  #madeFor = '';
  #listed = none('');
  #listedFor = '';

  constructor(limber: LimberWithClips, model: Model) {
    this.#limber = limber;
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
    if (this.#model.loopCount > 0)
      return none('All solutions are listed for models without loops.');
    if (tip?.target.length !== 12) return none('Add a tip to give it a target.');
    if (more.length > 0)
      return none('All solutions are listed for a single tip: remove the others.');
    this.#make(tip);
    if (this.#elbow) return this.#onCircle(this.#elbow, tip.target, q);
    if (!this.#finder || this.#refusal) return none(this.#refusal);
    return this.#ordered(this.#finder.find(tip.target, q));
  }

  #onCircle(elbow: Elbow, target: readonly number[], q: readonly number[]): Listed {
    const arcs = elbow.arcs(target, q);
    const { outcome, value, branch, angle } = elbow.best(target, 'nearest', q);
    const present = outcome === 'reached' && value < same ? { branch, angle } : null;
    const { sign, kind } = status('out of reach');
    const scale = this.#scale(elbow, arcs);
    const words =
      arcs.length > 0
        ? `Filled: angles of the ${scale.what} within the limits. Move the handle; the tool stays.`
        : outcome === 'unreachable'
          ? `${sign} ${kind}: no ${scale.what} within the limits brings the tip there, which is proved`
          : `${sign} ${kind}: nothing within the limits was found that brings the tip there`;
    return { solutions: [], present: -1, words, elbow: { arcs, present, scale } };
  }

  // the elbow's circle, or a joint's range; of more than a turn one turn, as arcs are listed. Arcs
  // that are followed begin at 0
  #scale({ joint }: Elbow, arcs: readonly ElbowArc[]): ElbowScale {
    if (joint === -2)
      return { what: 'arm', lower: 0, upper: Math.max(1, ...arcs.map(({ end }) => end)) };
    const moved = this.#model.joints[joint];
    const [lower, upper] = [moved?.lower[0] ?? -Math.PI, moved?.upper[0] ?? Math.PI];
    const less = upper - lower < 2 * Math.PI;
    const range = less ? { lower, upper } : { lower: -Math.PI, upper: Math.PI };
    return { what: moved?.name ?? 'elbow', ...range };
  }

  /** The configuration of a branch at an elbow angle; null: the arm has no such elbow. */
  elbowAt({ tips }: StageState, { branch, angle }: ElbowPlace, q: readonly number[]) {
    const [tip] = tips;
    if (!tip || !this.#elbow) return null;
    const { outcome, q: there } = this.#elbow.at(tip.target, branch, angle, q);
    return outcome === 'reached' || outcome === 'stalled' ? [...there] : null;
  }

  /** Other configurations within the limits for the target; of infinitely many some. */
  ghosts(stage: StageState, q: readonly number[]): Configuration[] {
    const { elbow } = this.list(stage, q);
    const [tip] = stage.tips;
    if (!tip) return [];
    if (elbow && this.#elbow) return this.#alongArcs(this.#elbow, elbow, tip.target, q);
    const { length } = stage.tips;
    if (!this.#finder || length !== 1) return [];
    const found = this.#finder.find(tip.target, q).solutions;
    return found.filter((one) => one.inLimits && one.distance > same).map((one) => one.q);
  }

  // evenly along the arcs of the present branch, or of all
  #alongArcs(
    elbow: Elbow,
    { arcs, present }: NonNullable<Listed['elbow']>,
    target: readonly number[],
    q: readonly number[],
  ): Configuration[] {
    const shown = present ? arcs.filter(({ branch }) => branch === present.branch) : arcs;
    const whole = shown.reduce((sum, { begin, end }) => sum + end - begin, 0);
    return shown.flatMap(({ branch, begin, end }) => {
      const count = Math.max(2, Math.round((2 * samples * (end - begin)) / whole));
      return Array.from({ length: count }, (_, i) => {
        const angle = begin + ((end - begin) * (i + 0.5)) / count;
        return elbow.at(target, branch, angle, q).q;
      });
    });
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
      elbow: null,
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
      const options = { outOfLimits: true, capacity, redundancy: samples };
      this.#finder = this.#model.solutions(taskOf(tip), options);
      if (this.#finder.armClass === 'redundant') this.#makeElbow(tip);
    } catch (error) {
      // what the message advises is for programs
      const [why] = (error instanceof Error ? error.message : String(error)).split(';');
      this.#refusal = `${why![0]!.toUpperCase()}${why!.slice(1)}.`;
    }
  }

  // of seven joints: the elbow's circle, where it is one
  #makeElbow(tip: TipState): void {
    try {
      this.#elbow = this.#limber.clips.elbow(this.#model, taskOf(tip));
    } catch {
      this.#refusal =
        'The arm has a joint to spare: infinitely many solutions. All solutions, below, draws some.';
    }
  }

  release(): void {
    this.#finder?.release();
    this.#elbow?.release();
    this.#finder = this.#elbow = null;
    this.#madeFor = this.#listedFor = this.#refusal = '';
  }
}
