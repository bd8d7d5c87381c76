// elbow.ts - the other solution of a planar arm of two or three links: its elbow on the other side.

import type { Solutions } from 'limber';
import type { Arm } from './arm';

/** Configurations that differ by less are the same one. */
const same = 1e-6;

/** To which side the elbow bends, as --bend of the analytic method: seen along the first link. */
export function sideOf(arm: Arm, q: readonly number[]): 'left' | 'right' {
  const [base, elbow, end] = arm.points(q) as [number, number][];
  if (!end) return 'left';
  const [ax, ay] = [elbow![0] - base![0], elbow![1] - base![1]];
  const [bx, by] = [end[0] - elbow![0], end[1] - elbow![1]];
  return ax * by - ay * bx >= 0 ? 'left' : 'right';
}

export class OtherElbow {
  #arm: Arm | null = null;
  #finder: Solutions | null = null;

  /**
   * The configuration with the elbow on the other side and the tip in the same place, of three links
   * with the last one in the same direction; null: there is none within the limits.
   */
  of(arm: Arm, q: readonly number[]): number[] | null {
    if (this.#arm !== arm) this.#make(arm);
    if (!this.#finder) return null;
    const state = arm.model.state(q);
    const target = Float64Array.from(state.transform('tip'));
    state.release();
    const side = sideOf(arm, q);
    const other = this.#finder
      .find(target, q)
      .solutions.find((one) => one.distance > same && sideOf(arm, [...one.q]) !== side);
    return other ? [...other.q] : null;
  }

  /** Why the arm has no other elbow, '' when it has as far as its limits go. */
  refusal(arm: Arm): string {
    const { length } = arm.links;
    if (length < 2) return 'An arm of one link has no elbow';
    return length > 3 ? 'An arm of more than three links has infinitely many elbows' : '';
  }

  #make(arm: Arm): void {
    this.#finder?.release();
    this.#finder = null;
    this.#arm = arm;
    if (this.refusal(arm) !== '') return;
    const kind = arm.links.length === 2 ? 'position' : 'pose';
    this.#finder = arm.model.solutions({ tip: 'tip', kind });
  }
}
