// examples.ts - the figures of Parent 2012 on hierarchies, as models on the stage.
//
// The board shows those of chains in the plane; these are about joints and trees.

import type { ModelOrigin, StageShow } from './document';

export interface StageExample {
  id: string;
  figure: string;
  title: string;
  /** What it is, and what to notice. */
  text: string;
  /** As limber JSON. */
  model: object;
  show: Partial<StageShow>;
  /** Its tree is gone through step by step. */
  traversal?: boolean;
}

const grey = [0.72, 0.75, 0.8];
const blue = [0.16, 0.42, 0.75];
const orange = [0.82, 0.45, 0.16];

/** A bar along x. */
const bar = (length: number, color = grey, radius = 0.06): object => ({
  shape: 'capsule',
  radius,
  to: [length, 0, 0],
  color,
});
const box = (size: number[], xyz: number[], color = grey): object => ({
  shape: 'box',
  size,
  placement: { xyz },
  color,
});
/** A pin along y, which the joints below turn about. */
const pin = {
  shape: 'cylinder',
  radius: 0.09,
  length: 0.3,
  placement: { rpy: [90, 0, 0] },
  color: blue,
};

/** Three links in a row, each placed at an angle to the one before: Figures 5.7 to 5.10. */
const chain = {
  name: 'chain',
  angles: 'degrees',
  root: { xyz: [0, 0, 0.4], rpy: [0, -12, 0] },
  links: [
    { name: 'Link_0', visuals: [bar(1)] },
    { name: 'Link_1', visuals: [pin, bar(0.88, orange)] },
    { name: 'Link_1,1', visuals: [pin, bar(0.68, blue)] },
    { name: 'tip' },
  ],
  joints: [
    {
      name: 'T_1',
      kind: 'continuous',
      axis: [0, -1, 0],
      parent: 'Link_0',
      child: 'Link_1',
      placement: { xyz: [1, 0, 0], rpy: [0, -42, 0] },
    },
    {
      name: 'T_1,1',
      kind: 'continuous',
      axis: [0, -1, 0],
      parent: 'Link_1',
      child: 'Link_1,1',
      placement: { xyz: [0.88, 0, 0], rpy: [0, 70, 0] },
    },
    { name: 'end', parent: 'Link_1,1', child: 'tip', placement: { xyz: [0.68, 0, 0] } },
  ],
};

/** A body with two arms of two links: Figures 5.11 and 5.12. */
const arm = (side: number, name: string): { links: object[]; joints: object[] } => ({
  links: [
    { name: `Link_${name}`, visuals: [pin, bar(0.72, orange)] },
    { name: `Link_${name},1`, visuals: [pin, bar(0.56, blue)] },
    { name: `tip_${name}` },
  ],
  joints: [
    {
      name: `T_${name}`,
      kind: 'continuous',
      axis: [0, -1, 0],
      parent: 'Link_0',
      child: `Link_${name}`,
      placement: { xyz: [0.5 * side, 0, 0.25], rpy: [0, side > 0 ? -35 : -145, 0] },
    },
    {
      name: `T_${name},1`,
      kind: 'continuous',
      axis: [0, -1, 0],
      parent: `Link_${name}`,
      child: `Link_${name},1`,
      placement: { xyz: [0.72, 0, 0], rpy: [0, 60 * side, 0] },
    },
    {
      name: `end_${name}`,
      parent: `Link_${name},1`,
      child: `tip_${name}`,
      placement: { xyz: [0.56, 0, 0] },
    },
  ],
});
const [right, left] = [arm(1, '1'), arm(-1, '2')];
const branches = {
  name: 'two arms',
  angles: 'degrees',
  root: { xyz: [0, 0, 0.3] },
  links: [
    { name: 'Link_0', visuals: [box([1.1, 0.26, 0.5], [0, 0, 0.05])] },
    ...right.links,
    ...left.links,
  ],
  joints: [...right.joints, ...left.joints],
};

/** The same without the ends of the arms, which are no links of the figure's: Figure 5.13. */
const bare = {
  ...branches,
  name: 'traversal',
  links: [branches.links[0]!, ...right.links.slice(0, 2), ...left.links.slice(0, 2)],
  joints: [...right.joints.slice(0, 2), ...left.joints.slice(0, 2)],
};

/** The two joints of one degree of freedom: Figure 5.3. */
const simple = {
  name: 'two joints',
  angles: 'degrees',
  links: [
    { name: 'ground', visuals: [box([2.2, 0.5, 0.06], [0, 0, -0.03])] },
    { name: 'post_1', visuals: [bar(0.7)] },
    { name: 'turning', visuals: [pin, bar(0.7, orange)] },
    { name: 'post_2', visuals: [bar(0.5, grey, 0.08)] },
    { name: 'sliding', visuals: [bar(0.6, orange)] },
  ],
  joints: [
    {
      name: 'stands_1',
      parent: 'ground',
      child: 'post_1',
      placement: { xyz: [-0.6, 0, 0], rpy: [0, -90, 0] },
    },
    {
      name: 'revolute',
      kind: 'revolute',
      axis: [0, 1, 0],
      parent: 'post_1',
      child: 'turning',
      value: 50,
      limits: [-120, 120],
      placement: { xyz: [0.7, 0, 0] },
    },
    {
      name: 'stands_2',
      parent: 'ground',
      child: 'post_2',
      placement: { xyz: [0.6, 0, 0], rpy: [0, -90, 0] },
    },
    {
      name: 'prismatic',
      kind: 'prismatic',
      axis: [1, 0, 0],
      parent: 'post_2',
      child: 'sliding',
      value: 0.3,
      limits: [0.05, 0.45],
    },
  ],
};

/** A joint of three freedoms, as one and as three with links of no length: Figure 5.4. */
const complex = {
  name: 'ball joints',
  angles: 'degrees',
  links: [
    { name: 'ground', visuals: [box([2.2, 0.5, 0.06], [0, 0, -0.03])] },
    {
      name: 'ball_arm',
      visuals: [
        { shape: 'sphere', radius: 0.13, color: blue },
        { shape: 'capsule', radius: 0.06, to: [0, 0, 0.8], color: orange },
      ],
    },
    { name: 'first' },
    { name: 'second' },
    {
      name: 'third',
      visuals: [
        { shape: 'sphere', radius: 0.13, color: blue },
        { shape: 'capsule', radius: 0.06, to: [0, 0, 0.8], color: orange },
      ],
    },
    { name: 'ball_tip' },
    { name: 'three_tip' },
  ],
  joints: [
    {
      name: 'ball',
      kind: 'ball',
      parent: 'ground',
      child: 'ball_arm',
      placement: { xyz: [-0.6, 0, 0.2] },
      limits: { swing: 80 },
    },
    { name: 'ball_end', parent: 'ball_arm', child: 'ball_tip', placement: { xyz: [0, 0, 0.8] } },
    {
      name: 'turn_z',
      kind: 'continuous',
      axis: [0, 0, 1],
      parent: 'ground',
      child: 'first',
      placement: { xyz: [0.6, 0, 0.2] },
    },
    {
      name: 'turn_y',
      kind: 'revolute',
      axis: [0, 1, 0],
      limits: [-80, 80],
      parent: 'first',
      child: 'second',
    },
    {
      name: 'turn_x',
      kind: 'revolute',
      axis: [1, 0, 0],
      limits: [-80, 80],
      parent: 'second',
      child: 'third',
    },
    { name: 'three_end', parent: 'third', child: 'three_tip', placement: { xyz: [0, 0, 0.8] } },
  ],
};

/** A joint that turns and one that slides, one after the other: Figure 5.16. */
const turnAndSlide = {
  name: 'turn and slide',
  angles: 'degrees',
  links: [
    { name: 'ground', visuals: [box([1.2, 1.2, 0.06], [0, 0, -0.03])] },
    {
      name: 'turning',
      visuals: [
        {
          shape: 'cylinder',
          radius: 0.1,
          length: 0.5,
          placement: { xyz: [0, 0, 0.25] },
          color: blue,
        },
        { shape: 'capsule', radius: 0.08, from: [0, 0, 0.5], to: [0.7, 0, 0.5], color: grey },
      ],
    },
    { name: 'sliding', visuals: [bar(0.6, orange, 0.05)] },
    { name: 'tip' },
  ],
  joints: [
    {
      name: 'revolute',
      kind: 'revolute',
      axis: [0, 0, 1],
      parent: 'ground',
      child: 'turning',
      limits: [-170, 170],
    },
    {
      name: 'prismatic',
      kind: 'prismatic',
      axis: [1, 0, 0],
      parent: 'turning',
      child: 'sliding',
      value: 0.3,
      limits: [0.1, 0.6],
      placement: { xyz: [0.2, 0, 0.5] },
    },
    { name: 'end', parent: 'sliding', child: 'tip', placement: { xyz: [0.6, 0, 0] } },
  ],
};

export const stageExamples: readonly StageExample[] = [
  {
    id: '5.3',
    figure: '5.3',
    title: 'The two basic joints',
    model: simple,
    show: { axes: true },
    text: 'A revolute joint turns about its axis, a prismatic one slides along it: one degree of freedom each. Move the sliders “revolute” and “prismatic” and see what each can do and what it cannot.',
  },
  {
    id: '5.4',
    figure: '5.4',
    title: 'Complex joints',
    model: complex,
    show: { frames: true },
    text: 'On the left a ball joint with a quaternion; on the right the same three freedoms as three joints with links of no length between. Turn “turn_y” far over, and “turn_z” and “turn_x” come to do the same: the three have lost a freedom that the ball keeps.',
  },
  {
    id: '5.5',
    figure: '5.5–5.8',
    title: 'A hierarchy and its tree',
    model: chain,
    show: { frames: true },
    text: 'Each link is placed relative to the one before, by the transform of the arc that leads to it; see the tree under Structure. Turn T_1, and everything below it in the tree comes along, as a vertex of Link_1,1 is at T₀ T₁ T₁,₁ V.',
  },
  {
    id: '5.9',
    figure: '5.9–5.10',
    title: 'Variable rotations',
    model: chain,
    show: { frames: true, axes: true },
    text: 'To each arc’s constant placement comes the turn that is animated, R(θ), next to the link’s own points: V′ = T₀ T₁ R₁ T₁,₁ R₁,₁ V. Capture two poses below with other angles and play what lies between.',
  },
  {
    id: '5.11',
    figure: '5.11–5.12',
    title: 'Two appendages',
    model: branches,
    show: { frames: true },
    text: 'Two arms hang from one body, so the tree has two branches at its root. Drag one arm’s target: the other arm keeps its pose.',
  },
  {
    id: '5.13',
    figure: '5.13',
    title: 'The traversal and its stack',
    model: bare,
    show: { frames: true },
    traversal: true,
    text: 'Each link’s transform M is that of its parent times its arc’s. Going depth first, M is pushed before an arc is gone down and popped on the way back, so that the second arm begins with the same M₀ as the first. Play it, or go step by step.',
  },
  {
    id: '5.16',
    figure: '5.16',
    title: 'Velocities that joints induce',
    model: turnAndSlide,
    show: { axes: true, changes: true },
    text: 'The orange arrow is the velocity that the turning joint gives the tip, its axis times the way to the tip: slide the arm out and it grows. The green one is the sliding joint’s, along its axis and always of the same length. These are the columns of the Jacobian.',
  },
];

/** The figure that a model is of, undefined: none. */
export const exampleOf = ({ from, name }: ModelOrigin): StageExample | undefined =>
  from === 'figure' ? stageExamples.find(({ id }) => id === name) : undefined;
