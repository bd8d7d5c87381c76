// pictures.ts - what moves on the doors: all of it is solved by the library, frame by frame.

import type { Limber } from 'limber';
import human from '../../../../models/human.json';
import panda from '../../../../models/panda.json';
import { Arm, type Point } from '../board/arm';
import { link } from '../board/document';
import { s } from '../ui/dom';
import { drawLine, frame, type Point3, Skeleton, viewer } from './skeleton';

export interface Picture {
  element: SVGElement;
  /** Shows it at a time, seconds, and goes on from what was shown before. */
  draw(time: number): void;
  release(): void;
}

const turn = 2 * Math.PI;

/** Two methods chase one target, by one iteration a picture each. */
export function chase(limber: Limber): Picture {
  const arm = new Arm(limber, [link(1.5), link(1), link(0.6)]);
  const element = frame(5.2, 3.57, 0.4, -0.6);
  const target = s('circle', { r: 0.1, class: 'target' });
  const goal = limber.transforms.from();
  const runners = ['ccd', 'damped'].map((method, i) => ({
    solver: arm.model.solver({ tip: 'tip', kind: 'position' }, { method }),
    q: Float64Array.of(0.4, 0.8, 0.8),
    line: s('polyline', { class: `arm method-${i + 1}`, 'stroke-width': 0.13 }),
  }));
  element.append(...runners.map(({ line }) => line), target);
  const path = (time: number): Point => [
    0.4 + 1.7 * Math.sin((turn * time) / 7),
    1.2 + 0.9 * Math.sin((2 * turn * time) / 7),
  ];
  return {
    element,
    draw(time) {
      const [x, y] = path(time);
      goal.set([x, y], 9);
      target.setAttribute('cx', String(x));
      target.setAttribute('cy', String(-y));
      for (const runner of runners) {
        runner.q = Float64Array.from(runner.solver.step(goal, runner.q).q);
        const points = arm.points(runner.q).map(([px, py]) => `${px},${-py}`);
        runner.line.setAttribute('points', points.join(' '));
      }
    },
    release() {
      for (const { solver } of runners) solver.release();
      arm.model.release();
    },
  };
}

/** A robot draws a circle in the air, its tool straight down. */
export function robot(limber: Limber): Picture {
  const model = limber.model(panda);
  const look = viewer(0.9, 0.35);
  const element = frame(1.7, 1.17, -0.22, -0.4);
  const skeleton = new Skeleton(model, look, () => 0.075);
  const circle = s('polygon', { class: 'path' });
  const base = s('ellipse', { rx: 0.16, ry: 0.07, class: 'ground' });
  element.append(base, circle, skeleton.element);
  const solver = model.solver({ tip: model.defaultTips[0]! });
  const path = (time: number): Point3 => [
    0.5 + 0.06 * Math.cos((turn * time) / 6),
    0.28 * Math.cos((turn * time) / 6),
    0.42 + 0.2 * Math.sin((turn * time) / 6),
  ];
  const points = Array.from({ length: 60 }, (_, i) => look(path(i / 10)));
  circle.setAttribute('points', points.map(([x, y]) => `${x},${-y}`).join(' '));
  let q: ArrayLike<number> = model.neutral();
  return {
    element,
    draw(time) {
      const goal = limber.transforms.from({ xyz: [...path(time)], rpy: [Math.PI, 0, 0] });
      skeleton.draw((q = Float64Array.from(solver.solve(goal, q).q)));
    },
    release() {
      skeleton.release();
      solver.release();
      model.release();
    },
  };
}

/** Metres of half a step, and seconds of two. */
const [stride, period] = [0.34, 1.15];

/** How far a foot is forward, and above the ground, at a part of its cycle. */
const foot = (phase: number): [number, number] => {
  const p = phase - Math.floor(phase);
  if (p < 0.6) return [stride * (1 - (2 * p) / 0.6), 0];
  const w = (p - 0.6) / 0.4;
  return [-stride * Math.cos(Math.PI * w), 0.09 * Math.sin(Math.PI * w)];
};

/** A figure walks: its feet are held to their places on the ground by a solver of whole bodies. */
export function walker(limber: Limber): Picture {
  const fixed = limber.model(human);
  const model = fixed.withRoot('floating');
  const look = viewer(-0.9, 0.12);
  const element = frame(3.1, 2.13, 0, -0.83);
  const skeleton = new Skeleton(model, look, (name) => (name === 'head_top' ? 0.19 : 0.1));
  const ground = s('g.ground');
  element.append(ground, skeleton.element);
  const rest = model.state(model.neutral());
  const links = ['pelvis', 'left_foot', 'right_foot', 'left_hand', 'right_hand'];
  const start = links.map((name) => rest.transform(name));
  rest.release();
  const body = model.body(
    links.map((name, i) => ({
      link: name,
      kind: i < 3 ? ('pose' as const) : ('position' as const),
      level: i < 3 ? 0 : 1,
    })),
    { restarts: 0, posture: 1e-3 },
  );
  const floor = start[1]![11]! - 0.07;
  const place = (task: number, x: number, y: number, z: number): void => {
    const to = Float64Array.from(start[task]!);
    to[9]! += x;
    to[10] = y;
    to[11]! += z;
    body.setTarget(task, to);
  };
  const marks = Array.from({ length: 9 }, () => s('line', { 'stroke-width': 0.012 }));
  ground.append(...marks);
  let q: ArrayLike<number> = model.neutral();
  return {
    element,
    draw(time) {
      const phase = time / period;
      place(0, 0, 0, -0.045 - 0.02 * Math.cos(2 * turn * phase));
      for (const [side, i] of [
        [1, 0],
        [-1, 1],
      ] as const) {
        const [x, z] = foot(phase + 0.5 * i);
        place(1 + i, x, 0.09 * side, z);
        place(3 + i, -0.75 * x, 0.3 * side, 0.05 * Math.abs(x));
      }
      q = Float64Array.from(body.solve(q).q);
      skeleton.draw(q);
      // the ground goes back under it
      const speed = (2 * stride) / (0.6 * period);
      marks.forEach((mark, i) => {
        const x = (i - 4) * 0.4 - ((speed * time) % 0.4);
        drawLine(mark, look([x, -0.35, floor]), look([x, 0.35, floor]));
      });
    },
    release() {
      skeleton.release();
      body.release();
      model.release();
      fixed.release();
    },
  };
}
