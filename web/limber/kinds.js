// kinds.js - the kinds of joints, in the order of lb_joint_kind.

/** How many values each has in q, and for each value and each pair of limits: a an angle, - not. */
export const kinds = [
  { name: 'fixed', nq: 0, values: '', limits: '' },
  { name: 'revolute', nq: 1, values: 'a', limits: 'a' },
  { name: 'continuous', nq: 1, values: 'a', limits: '' },
  { name: 'prismatic', nq: 1, values: '-', limits: '-' },
  { name: 'universal', nq: 2, values: 'aa', limits: 'aa' },
  { name: 'planar', nq: 3, values: '--a', limits: '--a' },
  { name: 'ball', nq: 4, values: '----', limits: '' },
  { name: 'floating', nq: 7, values: '-------', limits: '---' },
];

export function kindIndex(name) {
  return kinds.findIndex((kind) => kind.name === name);
}

/** A joint's source before anything is said of it; see lb_joint_default(). */
export function defaultJoint() {
  return {
    name: '',
    parent: '',
    child: '',
    kind: 'fixed',
    placement: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    axis: [0, 0, 1],
    axis2: [1, 0, 0],
    lower: [-Infinity, -Infinity, -Infinity],
    upper: [Infinity, Infinity, Infinity],
    value: [0, 0, 0, 0, 0, 0, 0],
    weight: 1,
    locked: false,
    mimic: null,
    velocity: Infinity,
    effort: Infinity,
  };
}

/** Where a joint rests when its source does not say: at zero, or at the nearest limit. */
export function restValue(joint) {
  const count = kinds[kindIndex(joint.kind)].nq;
  const plain = joint.kind === 'ball' ? 0 : joint.kind === 'floating' ? 3 : count;
  const value = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < plain; i++) value[i] = Math.min(Math.max(0, joint.lower[i]), joint.upper[i]);
  if (plain < count) value[plain] = 1;
  return value;
}

export function defaultLink(name = '') {
  return {
    name,
    dataOffset: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    mass: 0,
    center: [0, 0, 0],
    inertia: [0, 0, 0, 0, 0, 0],
    visuals: [],
  };
}
