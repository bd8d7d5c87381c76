// arm.ts - a board's arm as a model of the library, and its points in the plane.

import type { Limber, Model, State } from 'limber';
import type { Ellipse } from './ellipse';
import { innerReachOf, type LinkSpec, reachOf } from './document';

export type Point = [number, number];

/** θ₁ for the first joint. */
export function jointName(i: number): string {
  return `θ${String(i + 1).replace(/\d/g, (d) => '₀₁₂₃₄₅₆₇₈₉'[Number(d)]!)}`;
}

/** The arm in the library's JSON format: a base, the links, and a tip at the end of the last. */
export function armJson(links: readonly LinkSpec[]): object {
  const name = (i: number): string => (i === 0 ? 'base' : `link_${i}`);
  return {
    limber: 1,
    name: 'arm',
    links: [
      ...links.map((_, i) => ({ name: name(i) })),
      { name: name(links.length) },
      { name: 'tip' },
    ],
    joints: [
      ...links.map(({ lower, upper }, i) => ({
        name: `joint_${i + 1}`,
        kind: lower === null && upper === null ? 'continuous' : 'revolute',
        parent: name(i),
        child: name(i + 1),
        placement: { xyz: [i === 0 ? 0 : links[i - 1]!.length, 0, 0] },
        ...(lower === null && upper === null ? {} : { limits: [lower, upper] }),
      })),
      {
        name: 'end',
        parent: name(links.length),
        child: 'tip',
        placement: { xyz: [links.at(-1)!.length, 0, 0] },
      },
    ],
  };
}

export class Arm {
  readonly model: Model;
  readonly links: readonly LinkSpec[];
  readonly #state: State;

  constructor(limber: Limber, links: readonly LinkSpec[]) {
    this.links = links;
    this.model = limber.model(armJson(links));
    this.#state = this.model.state();
  }

  /** The joints from the base on, and the tip. */
  points(q: ArrayLike<number>): Point[] {
    const t = this.#state.update(q).transforms;
    // link i + 1 is at joint i; the base's frame comes first and is left out
    return Array.from({ length: this.links.length + 1 }, (_, i) => {
      const at = 12 * (i + 1);
      return [t[at + 9]!, t[at + 10]!];
    });
  }

  tip(q: ArrayLike<number>): Point {
    return this.points(q).at(-1)!;
  }

  /** The tip's velocity for each joint's unit rate: the columns of the Jacobian. */
  changes(q: ArrayLike<number>): Point[] {
    const { nv } = this.model;
    const jacobian = this.#state.update(q).jacobian('tip');
    return Array.from({ length: nv }, (_, v) => [jacobian[v]!, jacobian[nv + v]!]);
  }

  /** The velocity ellipse of the tip, and if lambda is not 0 what damping leaves of it. */
  ellipses(q: ArrayLike<number>, lambda: number): Ellipse[] {
    const state = this.#state.update(q);
    return (lambda > 0 ? [0, lambda] : [0]).map((damping) => {
      const { axes } = state.velocityEllipsoid('tip', { damping });
      return axes.slice(0, 2).map(([x, y]) => [x, y]) as Ellipse;
    });
  }

  /** How far a point lies outside of what the links can span. */
  beyond([x, y]: Point): number {
    const far = Math.hypot(x, y);
    return Math.max(0, far - reachOf(this.links), innerReachOf(this.links) - far);
  }

  /** The joints that are at one of their limits, as the pictures name them. */
  atLimits(q: ArrayLike<number>): string[] {
    return this.links.flatMap(({ lower, upper }, i) => {
      const near = (limit: number | null): boolean =>
        limit !== null && Math.abs(q[i]! - limit) < 1e-6;
      return near(lower) || near(upper) ? [jointName(i)] : [];
    });
  }

  /** q with joint `i` turned so that the point after it lies in the direction of (x, y). */
  turned(q: readonly number[], i: number, [x, y]: Point): number[] {
    const points = this.points(q);
    const [jx, jy] = points[i]!;
    const before = q.slice(0, i).reduce((sum, angle) => sum + angle, 0);
    const out = [...q];
    out[i] = nearestTurn(Math.atan2(y - jy, x - jx) - before, q[i]!);
    const { lower, upper } = this.links[i]!;
    if (lower !== null) out[i] = Math.max(out[i]!, lower);
    if (upper !== null) out[i] = Math.min(out[i]!, upper);
    return out;
  }

  release(): void {
    this.#state.release();
    this.model.release();
  }
}

/** The angle equal to `angle` up to whole turns that is nearest to `to`. */
function nearestTurn(angle: number, to: number): number {
  const turn = 2 * Math.PI;
  return angle - turn * Math.round((angle - to) / turn);
}
