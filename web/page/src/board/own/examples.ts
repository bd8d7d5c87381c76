// examples.ts - methods to begin with: two that arrive, and one that does not.

export interface OwnExample {
  id: string;
  title: string;
  code: string;
}

const transpose = (alpha: number, comment: string): string => `// ${comment}
function step(arm, q, target) {
  const alpha = ${alpha};
  const [x, y] = arm.tip(q);
  const [dx, dy] = [target[0] - x, target[1] - y];
  // a column of the Jacobian: where joint i alone takes the tip
  return arm.jacobian(q).map(([jx, jy], i) => q[i] + alpha * (jx * dx + jy * dy));
}
`;

export const ownExamples: readonly OwnExample[] = [
  {
    id: 'transpose',
    title: 'Plain transpose',
    code: transpose(0.001, 'each joint turns by alpha times its column on the way to the target'),
  },
  {
    id: 'descent',
    title: 'Cyclic descent from the tip',
    code: `// each joint in turn, the last first, points the tip at the target
function step(arm, q, target) {
  for (let i = q.length - 1; i >= 0; i--) {
    const points = arm.points(q);
    const [jx, jy] = points[i];
    const [ex, ey] = [points.at(-1)[0] - jx, points.at(-1)[1] - jy];
    const [tx, ty] = [target[0] - jx, target[1] - jy];
    q[i] += Math.atan2(ex * ty - ey * tx, ex * tx + ey * ty);
  }
  return q;
}
`,
  },
  {
    id: 'too-great',
    title: 'A transpose that never arrives',
    code: transpose(0.005, 'alpha is too great for this arm: the tip leaps over the target'),
  },
];
