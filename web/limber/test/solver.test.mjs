// Inverse kinematics: every method, single steps, batches, explanations, refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../node.js';
import { arm, modelText, near } from './support.mjs';

const limber = await load();
const { transforms } = limber;

test('reaches a pose, and forward kinematics agrees', () => {
  const model = limber.model(modelText('panda'));
  const state = model.state();
  const solver = model.solver({ tip: 'panda_hand', kind: 'pose' });
  const random = limber.random(1);
  for (let i = 0; i < 100; i++) {
    const target = state.update(model.random(random)).transform('panda_hand');
    const result = solver.solve(target, model.random(random));
    assert.equal(result.outcome, 'reached');
    model.validate(result.q);
    near(state.update(result.q).transform('panda_hand'), target, 2e-6, `problem ${i}`);
  }
});

test('the control term: desired values are sought, the goal is kept', () => {
  const model = limber.model(modelText('planar3'));
  const target = transforms.from({ xyz: [-20, 5, 0] });
  const task = { tip: 'tip', kind: 'position' };
  const bend = (gains) => {
    const solver = model.solver(task, { method: 'pseudoinverse', gains, desired: [0, 0, 0] });
    let q = model.neutral();
    for (let i = 0; i < 100; i++) q = solver.step(target, q).q;
    const { positionError } = solver.step(target, q);
    assert.ok(positionError < 1e-3, `${positionError}`);
    return q.map(Math.abs);
  };
  const second = bend([0.01, 0.1, 0.01]);
  const third = bend([0.01, 0.01, 0.1]);
  assert.ok(second[1] < third[1] && third[2] < second[2], `${second} ${third}`);
  assert.throws(() => model.solver(task, { method: 'pseudoinverse', gains: [1] }), /3/);
});

test('what is stuck is freed, unless it may not be', () => {
  const model = limber.modelFromDh([
    { a: 10, kind: 'continuous' },
    { a: 7, kind: 'continuous' },
  ]);
  const target = transforms.from({ xyz: [7, 0, 0] });
  const run = (nudge) => {
    const solver = model.solver({ tip: 'tool', kind: 'position' }, { method: 'ccd', nudge });
    let step = solver.step(target, [0, 0]);
    for (let i = 0; i < 500 && step.progress === 'processing'; i++)
      step = solver.step(target, step.q);
    return step;
  };
  assert.equal(run(true).progress, 'success');
  const stuck = run(false);
  assert.equal(stuck.progress, 'failure');
  assert.equal(stuck.reason, 'singular');
});

test('out of reach is said, and by how much', () => {
  const model = limber.model(arm);
  const solver = model.solver({ tip: 'tip', kind: 'position' });
  const target = transforms.from({ xyz: [3, 0, 0] });
  const result = solver.solve(target, [0.3, 0.3]);
  assert.equal(result.outcome, 'unreachable');
  near([result.beyondReach], [1], 1e-12);
  assert.match(solver.explain(target, result), /[Oo]ut of reach/);
});

test('every method comes nearer step by step', () => {
  const model = limber.model(modelText('planar3'));
  const target = transforms.from({ xyz: [-20, 5, 0] });
  for (const { name, summary, source } of limber.methods) {
    assert.ok(summary && source, name);
    let solver;
    try {
      solver = model.solver(
        { tip: 'tip', kind: 'position' },
        { method: name, positionTolerance: 1e-3 },
      );
    } catch (error) {
      // a method that cannot do this says why
      assert.ok(error.message.length > 20, error.message);
      continue;
    }
    let q = model.neutral();
    const first = solver.step(target, q);
    let last = first;
    for (let i = 0; i < 2000 && last.progress === 'processing'; i++)
      last = solver.step(target, (q = last.q));
    assert.ok(
      last.positionError < 0.5 * first.positionError || last.progress === 'success',
      `${name}: ${last.positionError}`,
    );
  }
});

test('many problems at once are the problems one by one', () => {
  const model = limber.model(modelText('ur5'));
  const state = model.state();
  const solver = model.solver({ tip: 'tool0', kind: 'pose' });
  const random = limber.random(9);
  const n = 20;
  const targets = new Float64Array(12 * n);
  const starts = new Float64Array(model.nq * n);
  for (let i = 0; i < n; i++) {
    targets.set(state.update(model.random(random)).transform('tool0'), 12 * i);
    starts.set(model.random(random), model.nq * i);
  }
  const all = solver.solveMany(targets, starts);
  assert.equal(all.reached, all.outcomes.filter((o) => o === 'reached').length);
  for (let i = 0; i < n; i++) {
    const one = solver.solve(
      targets.slice(12 * i, 12 * i + 12),
      starts.slice(model.nq * i, model.nq * (i + 1)),
    );
    assert.deepEqual(all.q.slice(model.nq * i, model.nq * (i + 1)), one.q);
  }
});

test('two tasks at once', () => {
  const model = limber.model(modelText('human'));
  const state = model.state(model.neutral());
  const left = state.transform('left_hand');
  const right = state.transform('right_hand');
  left[9] += 0.15;
  right[11] += 0.1;
  const solver = model.solver([
    { tip: 'left_hand', kind: 'position' },
    { tip: 'right_hand', kind: 'position' },
  ]);
  const result = solver.solve([left, right]);
  assert.equal(result.outcome, 'reached');
  state.update(result.q);
  near(state.transform('left_hand').slice(9), left.slice(9), 2e-6);
  near(state.transform('right_hand').slice(9), right.slice(9), 2e-6);
});

test('a position that is free along axes of the target', () => {
  const model = limber.model(modelText('ur5'));
  const target = transforms.from({ xyz: [0.4, 0.2, 9], rpy: [0, 0, 1] });
  const task = { tip: 'tool0', kind: 'pose', freePosition: 'z' };
  const result = model.solver(task).solve(target);
  assert.equal(result.outcome, 'reached');
  const at = model.state(result.q).transform('tool0');
  near(at.slice(9, 11), [0.4, 0.2], 2e-6);
  const plane = model.solver({ tip: 'tool0', kind: 'position', freePosition: 'xy' });
  target[11] = 0.3;
  near(model.state(plane.solve(target).q).transform('tool0').slice(11), [0.3], 2e-6);
});

test('transforms', () => {
  const a = transforms.from({ xyz: [1, 2, 3], rpy: [0.1, -0.4, 2] });
  near(transforms.multiply(a, transforms.inverse(a)), transforms.from(), 1e-14);
  near(transforms.rpy(a), [0.1, -0.4, 2], 1e-15);
  near(transforms.from({ xyz: [1, 2, 3], quaternion: transforms.quaternion(a) }), a, 1e-15);
  near(transforms.interpolate(transforms.from(), a, 1), a, 1e-15);
  near(transforms.interpolate(transforms.from(), a, 0.5).slice(9), [0.5, 1, 1.5], 1e-15);
  assert.throws(() => transforms.from({ xyz: [NaN, 0, 0] }), /NaN/);
});

const refusals = [
  [{ tip: 'tpi' }, {}, /no link 'tpi'; did you mean 'tip'/],
  [{ tip: 'tip', kind: 'poze' }, {}, /did you mean 'pose'/],
  [{ tip: 'tip', freePosition: 'yx' }, {}, /no free position 'yx'/],
  [{ tip: 'tip' }, { method: 'dampd' }, /did you mean 'damped'/],
  [{ tip: 'tip' }, { toleranc: 1 }, /no option 'toleranc'/],
  [{ tip: 'tip' }, { positionTolerance: -1 }, /position_tolerance/],
  [{ tip: 'base' }, {}, /./],
];
for (const [task, options, message] of refusals)
  test(`refused: ${JSON.stringify([task, options])}`, () => {
    assert.throws(() => limber.model(arm).solver(task, options), message);
  });

test('refused: wrong numbers of numbers', () => {
  const solver = limber.model(arm).solver({ tip: 'tip', kind: 'position' });
  assert.throws(() => solver.solve([1, 2, 3], [0, 0]), /12 numbers/);
  assert.throws(() => solver.solve(transforms.from(), [0]), /2 numbers/);
  assert.equal(solver.solve(transforms.from({ xyz: [1, 1, 0] }), [NaN, 0]).outcome, 'invalid');
});

test('the closest of all is searched where nothing reaches, and named among options', () => {
  const model = limber.model(modelText('scara'));
  const state = model.state();
  const random = limber.random(5);
  const [tip] = model.defaultTips;
  const task = { tip };
  const [quick, closest] = [false, true].map((on) => model.solver(task, { closest: on }));
  assert.deepEqual([quick.options.closest, closest.options.closest], [false, true]);
  assert.equal(model.solver(task).options.seeds, 512);
  let nearer = 0;
  for (let i = 0; i < 40; i++) {
    const target = state.update(model.random(random)).transform(tip);
    for (let k = 9; k < 12; k++) target[k] *= 1.5;
    const [a, b] = [quick, closest].map((solver) => solver.solve(target));
    assert.equal(b.outcome, a.outcome);
    const size = (r) => r.positionError + r.rotationError;
    nearer += size(b) < size(a) - 1e-6 ? 1 : 0;
  }
  assert.ok(nearer > 0, 'the search found nothing nearer');
});

test('joints are locked and narrowed for one solver, of every kind', () => {
  const model = limber.model(modelText('ur5'));
  const target = model.state(model.neutral().map(() => 0.3)).transform('tool0');
  const joints = [
    { joint: 'shoulder_pan_joint', locked: true, value: 0.1 },
    { joint: 2, lower: -0.5, upper: [0.5] },
  ];
  const task = { tip: 'tool0', kind: 'position' };
  const { q } = model.solver(task, { joints }).solve(target);
  assert.ok(Math.abs(q[0] - 0.1) < 1e-12 && Math.abs(q[2]) <= 0.5, `${q}`);
  const body = model.body({ ...task, link: 'tool0' }, { joints }).solve();
  assert.ok(Math.abs(body.q[0] - 0.1) < 1e-12, `${body.q}`);
  const narrow = [{ joint: 2, lower: -0.5, upper: 0.5 }];
  const all = model.solutions({ tip: 'tool0' }, { joints: narrow, outOfLimits: false });
  for (const { q: row } of all.find(target).solutions) assert.ok(Math.abs(row[2]) <= 0.5);
  assert.throws(() => model.solver(task, { joints: [{ joint: 0, loked: true }] }), /locked/);
  assert.throws(() => model.solver(task, { joints: [{ joint: 'elbow' }] }), /elbow_joint/);
});
