// ellipse.ts - the velocity ellipse of an arm's tip, and what damping leaves of it.

import { type Shape, shape } from '../ui/dom';
import type { Point } from './arm';
import { number, place, short } from './shapes';

/** An ellipse about the tip: its semi-axes, longest first, per second at joint rates of norm 1. */
export type Ellipse = [Point, Point];

/** Half of the longest axis as a part of the arm's reach. */
const longest = 0.25;

/** Half axes that are shorter on the page, pixels, have no number; a number's place beyond the end. */
const shortest = 10;
const gap = 14;

const lengthOf = ([x, y]: Point): number => Math.hypot(x, y);

/** The first with its axes and their lengths; those after it dashed. */
export function drawEllipses(
  ellipses: readonly Ellipse[],
  reach: number,
  tip: Point,
  pixel: (point: Point) => Point,
): Shape[] {
  const most = Math.max(...ellipses.map(([a]) => lengthOf(a)));
  const scale = most > 0 ? (longest * reach) / most : 0;
  const middle = pixel(tip);
  const offset = ([x, y]: Point): Point => {
    const end = pixel([tip[0] + scale * x, tip[1] + scale * y]);
    return [end[0] - middle[0], end[1] - middle[1]];
  };
  const ends = ([x, y]: Point, side: number): string =>
    place(middle[0] + side * x, middle[1] + side * y);
  return ellipses.flatMap((axes, i) => {
    const [a, b] = axes.map(offset) as Ellipse;
    const angle = (Math.atan2(a[1], a[0]) * 180) / Math.PI;
    // two halves from end to end: radii that are too small grow until they fit. An <ellipse> would
    // need a transform, for which browsers composite the page anew
    const half = `1 ${(lengthOf(b) / (lengthOf(a) || 1)).toFixed(5)} ${angle} 0 0`;
    const outline = shape('path.outline', {
      d: `M${ends(a, -1)}A${half} ${ends(a, 1)}A${half} ${ends(a, -1)}z`,
      'data-axes': axes.map(lengthOf).join(' '),
    });
    if (i > 0) return [shape('g.damped', {}, outline)];
    const lines = [a, b].map((axis) => `M${ends(axis, -1)}L${ends(axis, 1)}`);
    const names = [a, b].flatMap((end, k) => {
      const far = lengthOf(end);
      if (far < shortest) return [];
      const [x, y] = [end[0] * (1 + gap / far), end[1] * (1 + gap / far)];
      const text = number(lengthOf(axes[k]!));
      return [shape('text', { x: short(middle[0] + x), y: short(middle[1] + y + 4) }, text)];
    });
    return [shape('g', {}, outline, shape('path.axes', { d: lines.join('') }), ...names)];
  });
}
