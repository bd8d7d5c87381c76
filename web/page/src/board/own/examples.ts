// examples.ts - methods to begin with: two that arrive, and one that does not.

const transpose = (alpha: number): string => `function step(arm, q, target) {
  const alpha = ${alpha};
  const [x, y] = arm.tip(q);
  const [dx, dy] = [target[0] - x, target[1] - y];
  return arm.jacobian(q).map(
    ([jx, jy], i) => q[i] + alpha * (jx * dx + jy * dy));
}
`;

const descent = `function step(arm, q, target) {
  for (let i = q.length - 1; i >= 0; i--) {
    const points = arm.points(q);
    const [x, y] = points[i];
    const [ex, ey] = [points.at(-1)[0] - x, points.at(-1)[1] - y];
    const [tx, ty] = [target[0] - x, target[1] - y];
    q[i] += Math.atan2(ex * ty - ey * tx, ex * tx + ey * ty);
  }
  return q;
}
`;

/** By their titles. The last one's steps leap over the target. */
export const ownExamples: ReadonlyMap<string, string> = new Map([
  ['Plain transpose', transpose(0.001)],
  ['Cyclic descent from the tip', descent],
  ['One that never arrives', transpose(0.005)],
]);
