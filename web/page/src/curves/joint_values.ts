// joint_values.ts - the numbers of a joint as they are shown: a ball's as turns about x, y and z.

import type { Joint, Model } from 'limber';

/** One number of a joint: how it is read from a pose, and a pose with another one. */
export interface Value {
  joint: Joint;
  label: string;
  turns: boolean;
  get(q: ArrayLike<number>): number;
  set(q: ArrayLike<number>, value: number): Float64Array;
}

/** Numbers of a velocity, by the kind; others have as many as values. */
export const speeds: Record<string, number> = { floating: 6, ball: 3 };

function single(joint: Joint, i: number, label: string): Value {
  const at = joint.q + i;
  return {
    ...{ joint, label },
    turns: !['prismatic', 'floating'].includes(joint.kind) && !(joint.kind === 'planar' && i < 2),
    get: (q) => q[at]!,
    set: (q, value) => {
      const next = Float64Array.from(q);
      next[at] = value;
      return next;
    },
  };
}

// a ball by turns about x, y, z
function turned(model: Model, joint: Joint, at: number, i: number, name: string): Value {
  const { transforms } = model.limber;
  const angles = (q: ArrayLike<number>): number[] => {
    const quaternion = Array.from({ length: 4 }, (_, k) => q[at + k]!);
    return [...transforms.rpy(transforms.from({ quaternion }))];
  };
  return {
    ...{ joint, label: `${joint.name} ${name}`, turns: true },
    get: (q) => angles(q)[i]!,
    set: (q, value) => {
      const rpy = angles(q);
      rpy[i] = value;
      const next = Float64Array.from(q);
      next.set(transforms.quaternion(transforms.from({ rpy })), at);
      return next;
    },
  };
}

const axes = ['roll', 'pitch', 'yaw'];

/** The numbers of a joint, in rows that are shown as one. */
export function rowsOf(model: Model, joint: Joint): Value[][] {
  const ball = (at: number): Value[] => axes.map((name, i) => turned(model, joint, at, i, name));
  if (joint.kind === 'ball') return [ball(joint.q)];
  const count = joint.kind === 'floating' ? 3 : joint.nq;
  const names = count > 1 ? ['x', 'y', joint.kind === 'planar' ? 'yaw' : 'z'] : [''];
  const plain = Array.from({ length: count }, (_, i) =>
    single(joint, i, `${joint.name} ${names[i] ?? i + 1}`.trim()),
  );
  return joint.kind === 'floating' ? [plain, ball(joint.q + 3)] : [plain];
}
