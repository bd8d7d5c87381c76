// skeleton.ts - a model as round strokes from joint to joint, seen from a place that stays.

import type { Model, State } from 'limber';
import { s } from '../ui/dom';

export type Point3 = readonly [number, number, number];

/** Shows `width` by `height` metres around a middle: x to the right, y down. */
export const frame = (width: number, height: number, x: number, y: number): SVGElement =>
  s('svg', {
    viewBox: `${x - width / 2} ${y - height / 2} ${width} ${height}`,
    'aria-hidden': 'true',
  });

/** Gives a line its ends. */
export function drawLine(line: SVGElement, a: readonly number[], b: readonly number[]): void {
  const ends = { x1: a[0]!, y1: -a[1]!, x2: b[0]!, y2: -b[1]! };
  for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value.toFixed(4));
}

/** Looks along the ground from `azimuth`, and down by `elevation`, radians. */
export function viewer(azimuth: number, elevation: number) {
  const [c, n] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [ce, se] = [Math.cos(elevation), Math.sin(elevation)];
  return ([x, y, z]: Point3): [right: number, up: number, near: number] => {
    const away = x * c + y * n;
    return [y * c - x * n, z * ce - away * se, away * ce + z * se];
  };
}

export const originOf = (transforms: ArrayLike<number>, link: number): Point3 => [
  transforms[12 * link + 9]!,
  transforms[12 * link + 10]!,
  transforms[12 * link + 11]!,
];

/** The strokes of a model: one for each joint that is away from the one before, but for a root in the air. */
export class Skeleton {
  readonly element = s('g.skeleton');
  readonly #state: State;
  readonly #strokes: { from: number; to: number; line: SVGElement }[];
  readonly #look: ReturnType<typeof viewer>;

  constructor(model: Model, look: ReturnType<typeof viewer>, thickness: (link: string) => number) {
    this.#state = model.state();
    this.#look = look;
    this.#strokes = model.joints
      .filter(
        ({ parent, kind, placement }) =>
          parent >= 0 && kind !== 'floating' && Math.hypot(...placement.slice(9)) > 1e-9,
      )
      .map(({ parent, child }) => ({
        from: parent,
        to: child,
        line: s('line', { 'stroke-width': thickness(model.links[child]!.name) }),
      }));
  }

  /** What is nearer is drawn later. */
  draw(q: ArrayLike<number>): void {
    const { transforms } = this.#state.update(q);
    const drawn = this.#strokes.map(({ from, to, line }) => {
      const [a, b] = [from, to].map((link) => this.#look(originOf(transforms, link)));
      drawLine(line, a!, b!);
      return { line, near: a![2] + b![2] };
    });
    drawn.sort((a, b) => a.near - b.near);
    this.element.replaceChildren(...drawn.map(({ line }) => line));
  }

  release(): void {
    this.#state.release();
  }
}
