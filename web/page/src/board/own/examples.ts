// examples.ts - methods to begin with: two that arrive, and one with too great a scale.

const transpose = (alpha: number): string => `function step(arm, q, [tx, ty]) {
  const alpha = ${alpha};
  const [x, y] = arm.tip(q);
  const g = arm.jacobian(q);
  return q.map((angle, i) => angle + alpha *
    (g[i][0] * (tx - x) + g[i][1] * (ty - y)));
}
`;

const descent = `function step(arm, q, [tx, ty]) {
  for (let i = q.length - 1; i >= 0; i--) {
    const points = arm.points(q);
    const [x, y] = points[i];
    const [ex, ey] = points.at(-1);
    const [ax, ay] = [ex - x, ey - y];
    const [bx, by] = [tx - x, ty - y];
    q[i] += Math.atan2(ax * by - ay * bx,
      ax * bx + ay * by);
  }
  return q;
}
`;

/**
 * By their titles. The last one's steps leap over every target more than 15 m from the base: in
 * each pose there 2 / σ² is below 0.01, σ being the long semi-axis of the velocity ellipse.
 */
export const ownExamples: ReadonlyMap<string, string> = new Map([
  ['Plain transpose', transpose(0.001)],
  ['Cyclic descent from the tip', descent],
  ['A scale too great', transpose(0.01)],
]);
