// arrows.ts - what a number of a derivation is in the picture: an arrow, a point, or a turn.

import { type Shape, shape } from '../../ui/dom';
import type { Point } from '../arm';
import { arrowPath } from '../shapes';
import type { Place } from './formula';

/** A column of the Jacobian is drawn half as long, as beside the arm. */
const half = 0.5;
/** What is no length in the plane is drawn this long, as a part of the reach. */
const direction = 0.25;
/** Pixels: of the arc of a turn, of a ring about a point. */
const arc = 30;
const ring = 11;

/** What is marked, in the plane. */
export type Mark =
  | { as: 'arrow'; from: Point; to: Point; of: string }
  | { as: 'point'; at: Point; of: string }
  | { as: 'turn'; joint: number; by: number; of: string };

/** The arm that is derived, and its target. */
export interface Derivable {
  points: readonly Point[];
  changes: readonly Point[];
  reach: number;
  goal: Point;
}

const plus = ([x, y]: Point, [dx, dy]: Point, scale = 1): Point => [x + scale * dx, y + scale * dy];

/** The names of matrices by what their numbers are: directions at the tip, and of a joint each. */
const towards = ['beta', 'beta0', 'Jz', 'Jidlez'];
const ofJoints = [
  ...['theta', 'plusV', 'inverseV', 'JTbeta', 'JTV', 'rate', 'z', 'idlez', 'clamped', 'step'],
  ...['gains', 'desired', 'M2', 'plus', 'inverse', 'idle'],
];

/** The marks of one number; none: it is of no single arrow. */
export function marksOf({ name, joint, row, column, part }: Place, arm: Derivable): Mark[] {
  const tip = arm.points.at(-1)!;
  const { numbers, columns } = part;
  const vector: Point = [numbers[0] ?? 0, numbers[1] ?? 0];
  const arrow = (from: Point, by: Point, of: string, scale = 1): Mark => ({
    as: 'arrow',
    from,
    to: plus(from, by, scale),
    of,
  });
  const columnOf = (i: number): Mark => arrow(tip, arm.changes[i]!, `g${i + 1}`, half);
  if (name === 'V') return [arrow(tip, vector, 'V')];
  if (towards.includes(name)) {
    const length = Math.hypot(...vector);
    return length > 0 ? [arrow(tip, vector, name, (direction * arm.reach) / length)] : [];
  }
  if (name === 'G') return [{ as: 'point', at: arm.goal, of: 'G' }];
  if (name === 'E' || name === 'e') return [{ as: 'point', at: vector, of: 'E' }];
  if (name === 'J') return [columnOf(column)];
  // every entry of J Jᵀ is a sum over all columns
  if (name === 'A' || name === 'damped') return arm.changes.map((_, i) => columnOf(i));
  if (joint !== null && arm.points[joint]) {
    const at = arm.points[joint]!;
    if (name === 'a') return [{ as: 'point', at, of: `P${joint + 1}` }];
    if (name === 'axr') return [columnOf(joint)];
    if (name === 'r') return [arrow(at, vector, `r${joint + 1}`)];
    if (name === 'ej' || name === 'tj') return [arrow(at, vector, name[0]!)];
    if (name === 'turn') return [{ as: 'turn', joint, by: numbers[0]!, of: 'α' }];
  }
  if (!ofJoints.includes(name)) return [];
  // a row, or of a lying vector a column, belongs to a joint
  const which = part.rows === 1 ? column : row;
  const by = part.rows === 1 || columns === 1 ? numbers[which]! : numbers[row * columns + column]!;
  return which < arm.changes.length ? [{ as: 'turn', joint: which, by, of: `θ${which + 1}` }] : [];
}

// from the direction of the link on, at most once round; whatever its size, it can be seen
function turn(
  points: readonly Point[],
  joint: number,
  by: number,
  pixel: (p: Point) => Point,
): string {
  const [[x, y], ahead] = [pixel(points[joint]!), pixel(points[joint + 1]!)];
  const begin = Math.atan2(ahead[1] - y, ahead[0] - x);
  // the page's y points down
  const size = -Math.sign(by || 1) * Math.min(Math.max(Math.abs(by), 0.25), 6);
  const on = (share: number): Point => [
    x + arc * Math.cos(begin + share * size),
    y + arc * Math.sin(begin + share * size),
  ];
  const sides = `${Math.abs(size) > Math.PI ? 1 : 0} ${size > 0 ? 1 : 0}`;
  const barbs = arrowPath(on(0.9), on(1)).replace(/^[^L]*L[^M]*/, '');
  return `M${on(0)}A${arc} ${arc} 0 ${sides} ${on(1)}${barbs}`;
}

/** Lines over the picture; `pixel` is where a point of the plane is drawn. */
export function drawMarks(
  marks: readonly Mark[],
  points: readonly Point[],
  pixel: (p: Point) => Point,
): Shape[] {
  return marks.flatMap((mark) => {
    const named = { class: 'mark', 'data-mark': mark.of };
    if (mark.as === 'arrow')
      return [shape('path', { ...named, d: arrowPath(pixel(mark.from), pixel(mark.to)) })];
    if (mark.as === 'turn')
      return [shape('path', { ...named, d: turn(points, mark.joint, mark.by, pixel) })];
    const [cx, cy] = pixel(mark.at);
    return [shape('circle', { ...named, cx, cy, r: ring })];
  });
}
