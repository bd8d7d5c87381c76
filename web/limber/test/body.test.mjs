// Whole bodies, roots that move, default tips, and models written as JSON.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../node.js';
import { arm, modelText, near } from './support.mjs';

const limber = await load();
const human = () => limber.model(modelText('human')).withRoot('floating');
const apart = (a, b) => Math.hypot(...[9, 10, 11].map((i) => a[i] - b[i]));

test('a hand reaches as far as the planted feet allow', () => {
  const model = human();
  const feet = ['left_toe', 'right_toe'];
  const body = model.body([
    ...feet.map((link) => ({ kind: 'contact', link, level: 0 })),
    { kind: 'position', link: 'left_fingertip', level: 1 },
  ]);
  const state = model.state();
  const planted = feet.map((link) => state.update(model.neutral()).transform(link));
  feet.forEach((_, i) => body.hold(i, model.neutral()));
  let q = model.neutral();
  for (const xyz of [
    [0.5, 0.3, 1],
    [0.3, 0.2, 0.1],
    [3, 0, 1],
  ]) {
    body.setTarget(2, limber.transforms.from({ xyz }));
    const result = body.solve(q);
    q = result.q;
    state.update(q);
    feet.forEach((link, i) => near(state.transform(link), planted[i], 1e-5, `${link} at ${xyz}`));
    model.validate(q);
    const far = xyz[0] > 1;
    assert.equal(result.tasks[2].reached, !far);
    assert.equal(result.outcome === 'reached', !far);
    assert.equal(result.reached, far ? 2 : 3);
    if (far) {
      // the figure leans towards it and says what holds it back
      assert.ok(state.transform('left_fingertip')[9] > 0.8);
      const { reason, words } = body.explain(2);
      assert.notEqual(reason, 'none');
      assert.ok(words.length > 10, words);
    } else {
      assert.ok(apart(state.transform('left_fingertip'), limber.transforms.from({ xyz })) < 1e-5);
      assert.equal(body.explain(2).reason, 'none');
    }
  }
  body.release();
});

test('other starts reach what the first does not, and limits are narrowed', () => {
  const model = limber.model(modelText('panda'));
  const random = limber.random(5);
  const tip = 'panda_hand';
  const count = (restarts) => {
    const body = model.body([{ kind: 'pose', link: tip }], { restarts });
    const state = model.state();
    let reached = 0;
    for (let i = 0; i < 40; i++) {
      body.setTarget(0, state.update(model.random(random)).transform(tip));
      if (body.solve(model.random(random)).outcome === 'reached') reached++;
    }
    body.release();
    return reached;
  };
  const without = count(0);
  assert.ok(without < 40);
  assert.equal(count(40), 40);
  const body = model.body([{ kind: 'position', link: tip }]);
  body.setLimits('panda_joint1', -0.1, 0.2);
  body.setTarget(0, limber.transforms.from({ xyz: [-0.4, 0.4, 0.4] }));
  const { q } = body.solve();
  assert.ok(q[0] >= -0.1 - 1e-9 && q[0] <= 0.2 + 1e-9, `${q[0]}`);
  assert.throws(() => body.setLimits('panda_joint1', 2, 1), /limits/);
  assert.throws(() => model.body([{ kind: 'pose', link: tip }], { restart: 1 }), /restarts/);
});

test('every kind of task can be asked for', () => {
  const model = human();
  const tasks = [
    { kind: 'position', link: 'left_hand' },
    { kind: 'orientation', link: 'head', level: 2 },
    { kind: 'pose', link: 'right_toe' },
    { kind: 'on-line', link: 'right_hand', level: 1 },
    { kind: 'on-plane', link: 'right_hand', level: 1 },
    { kind: 'look-at', link: 'head', axis: [1, 0, 0], level: 2 },
    { kind: 'direction', link: 'chest', axis: [0, 0, 1], level: 2, cone: 0.2 },
    { kind: 'pole', link: 'left_forearm', first: 'left_upper_arm', last: 'left_hand', level: 3 },
    { kind: 'center-of-mass', level: 2, box: [0.1, 0.1, 0.5] },
    {
      kind: 'support',
      level: 2,
      vertices: [
        [-0.1, -0.2],
        [0.2, -0.2],
        [0.2, 0.2],
        [-0.1, 0.2],
      ],
    },
    { kind: 'joint', joint: 'left_elbow', level: 3 },
    { kind: 'contact', link: 'left_toe' },
  ];
  const body = model.body(tasks);
  body.setTarget(10, [0.7]);
  for (let i = 0; i < tasks.length; i++) body.setWeight(i, i === 10 ? 1 : 0);
  const { outcome, q } = body.solve();
  assert.equal(outcome, 'reached');
  assert.ok(Math.abs(q[model.joints[model.findJoint('left_elbow')].q] - 0.7) < 1e-5);
});

test('what is no task of a body is refused by name', () => {
  const model = human();
  assert.throws(() => model.body({ kind: 'posse', link: 'head' }), /did you mean 'pose'/);
  assert.throws(() => model.body({ link: 'haed' }), /did you mean 'head'/);
  assert.throws(() => model.body({ kind: 'joint', joint: 'x' }), /has no joint 'x'/);
  assert.throws(() => model.body({ link: 'head', weight: -1 }), /weight/);
  assert.throws(() => model.body({ link: 'head' }, { budget: 3 }), /option 'budget'/);
  assert.throws(
    () => model.body({ kind: 'support', vertices: new Array(17).fill([0, 0]) }),
    /at most 16 vertices/,
  );
  const body = model.body({ link: 'head' });
  assert.throws(() => body.setTarget(0, new Array(12).fill(0)), /this target/);
  assert.throws(() => body.hold(1, model.neutral()), /task 1 of 1/);
  assert.throws(() => body.solve([0]), /configurations of/);
});

test('a root is fixed, planar or floating', () => {
  const fixed = limber.model(modelText('human'));
  for (const [kind, more] of [
    ['planar', 3],
    ['floating', 7],
  ]) {
    const model = fixed.withRoot(kind);
    assert.equal(model.nq, fixed.nq + more);
    assert.equal(model.joints[0].kind, kind);
    const [a, b] = [fixed, model].map((m) => m.state(m.neutral()).transform('left_hand'));
    near(b, a, 1e-12, kind);
    assert.equal(model.withRoot('fixed').nq, fixed.nq);
  }
  assert.throws(() => fixed.withRoot('ball'), /root is fixed, planar or floating/);
  assert.throws(() => fixed.withRoot('flying'), /kind of root 'flying'/);
});

test('default tips: tools, hands and feet', () => {
  const tips = (model) => model.defaultTips.map((link) => model.links[link].name);
  const figure = ['left_fingertip', 'right_fingertip', 'left_toe', 'right_toe'];
  assert.deepEqual(tips(limber.model(modelText('human'))), figure);
  assert.deepEqual(tips(human()), figure);
  assert.deepEqual(tips(limber.model(modelText('panda'))), ['panda_hand']);
  assert.deepEqual(tips(limber.model(modelText('ur5'))), ['tool0']);
  assert.deepEqual(tips(limber.model(arm)), ['tip']);
});

test('what is written reads back as an equal model', () => {
  const models = new URL('../../../models/', import.meta.url);
  for (const file of readdirSync(models).filter((name) => name.endsWith('.json'))) {
    const model = limber.model(modelText(file.slice(0, -5)));
    const again = limber.model(model.toJson());
    // JSON has no zero with a minus
    const parts = ({ links, joints, root }) => JSON.parse(JSON.stringify([links, joints, root]));
    assert.deepEqual(parts(again), parts(model), file);
    assert.equal(again.toJson(), model.toJson());
  }
});
