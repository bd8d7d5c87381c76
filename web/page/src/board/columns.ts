// columns.ts - where each joint alone takes the tip: the columns of the Jacobian, as in Figure 5.18.
//
// The names are the figure's, counted from zero as the points of Equation 5.17 are: P of a joint, E
// the tip, V the line from the joint to it, and g at right angles to that line.

import { type Shape, shape } from '../ui/dom';
import type { Point } from './arm';
import { arrowPath, subscript } from './shapes';

/** A g is drawn half as long as its V. */
const scale = 0.5;

/** Pixels between a name and what it names. */
const gap = 16;

/** A point from another, farther by some pixels. */
function beyond(from: Point, to: Point, pixels: number): Point {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(x, y) || 1;
  return [to[0] + (x / length) * pixels, to[1] + (y / length) * pixels];
}

/** Whether the link before a joint lies where its name would be, on the line from the tip. */
function isTaken(before: Point, joint: Point, end: Point): boolean {
  const [place, link] = [beyond(end, joint, gap), beyond(before, joint, -gap)];
  return Math.hypot(place[0] - link[0], place[1] - link[1]) < gap / 2;
}

/** A name in the middle of a place, with the point of the plane that it stands for. */
function name(what: string, [x, y]: Point, [px, py]: Point): Shape {
  return shape('text', { x, y: y + 5, 'data-name': what, 'data-x': px, 'data-y': py }, what);
}

/** Lines, arrows and names of one arm; `pixel` is where a point of the plane is drawn. */
export function drawColumns(
  points: readonly Point[],
  changes: readonly Point[],
  pixel: (point: Point) => Point,
): Shape[] {
  const tip = points.at(-1)!;
  const end = pixel(tip);
  const last = pixel(points.at(-2)!);
  const groups = changes.map((change, i) => {
    const joint = pixel(points[i]!);
    const ahead: Point = [tip[0] + scale * change[0], tip[1] + scale * change[1]];
    const to = pixel(ahead);
    const sign = subscript(i);
    // beside the middle of the line, on the side that its arrow points to
    const middle: Point = [(joint[0] + end[0]) / 2, (joint[1] + end[1]) / 2];
    const side: Point = [middle[0] + to[0] - end[0], middle[1] + to[1] - end[1]];
    const far = Math.hypot(side[0] - middle[0], side[1] - middle[1]);
    const aside: Point = [joint[0] + to[0] - end[0], joint[1] + to[1] - end[1]];
    const taken = i > 0 && isTaken(pixel(points[i - 1]!), joint, end);
    return shape(
      `g.column-${i % 3}`,
      {},
      shape('path.radius', { d: `M${joint}L${end}` }),
      shape('path.arrow', { d: arrowPath(end, to) }),
      // the last line lies in the link: its name is on the other side, where no arrows are
      name(`V${sign}`, beyond(middle, side, (i === changes.length - 1 ? -gap : gap) - far), [
        tip[0],
        tip[1],
      ]),
      name(`g${sign}`, beyond(end, to, gap), ahead),
      name(`P${sign}`, beyond(taken ? aside : end, joint, gap + 4), points[i]!),
    );
  });
  return [...groups, name('E', beyond(last, end, gap + 4), tip)];
}
