// Every solution: all of them, confirmed, in order, and refused where there are none to list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../node.js';
import { modelText, near } from './support.mjs';

const limber = await load();
const { transforms } = limber;

test('lists the solutions of an arm, each at the target and in the order of their distance', () => {
  const model = limber.model(modelText('ur5'));
  const all = model.solutions({ tip: 'tool0' }, { outOfLimits: true, condition: true });
  assert.equal(all.armClass, 'three parallel axes');
  assert.match(all.description, /'elbow_joint'.* parallel/);
  const state = model.state();
  const random = limber.random(3);
  for (let i = 0; i < 50; i++) {
    const q = model.random(random);
    const target = state.update(q).transform('tool0');
    const found = all.find(target, q);
    assert.equal(found.outcome, 'reached');
    assert.ok(found.complete && !found.truncated && found.family.length === 0);
    assert.equal(found.count, found.solutions.length);
    assert.equal(found.count % 2, 0);
    near(found.solutions[0].q, q, 1e-9, `problem ${i}`);
    let last = 0;
    for (const solution of found.solutions) {
      near(state.update(solution.q).transform('tool0'), target, 1e-9, `problem ${i}`);
      assert.ok(solution.distance >= last && solution.condition >= 1);
      assert.equal(solution.joint >= 0, !solution.inLimits);
      last = solution.distance;
    }
    assert.equal(new Set(found.solutions.map((s) => s.branch)).size, found.count);
  }
  all.release();
  assert.throws(() => all.find(transforms.from({})), /release/);
});

test('lists copies on request, and says when its room is used up', () => {
  const model = limber.model(modelText('ur5'));
  const target = transforms.from({ xyz: [0.4, 0.2, 0.3], rpy: [3.1, 0, 0] });
  const once = model.solutions({ tip: 'tool0' }).find(target);
  const copies = model.solutions({ tip: 'tool0' }, { copies: true, capacity: 64 }).find(target);
  assert.ok(copies.solutions.length > once.solutions.length);
  assert.equal(once.truncated, false);
  const few = model.solutions({ tip: 'tool0' }, { capacity: 2 }).find(target);
  assert.deepEqual([few.solutions.length, few.truncated], [2, true]);
});

test('proves that there is none, and refuses what has no such list', () => {
  const model = limber.model(modelText('kr6'));
  const all = model.solutions({ tip: 'tool0' });
  const far = all.find(transforms.from({ xyz: [4, 0, 0] }));
  assert.deepEqual([far.outcome, far.certified, far.solutions.length], ['unreachable', true, 0]);
  assert.throws(() => all.find([1, 2, 3]), /12 numbers/);
  assert.throws(() => model.solutions({ tip: 'tool0' }, { copy: true }), /copies/);
  assert.throws(() => model.solutions({ tip: 'tool0' }, { capacity: 0 }), /capacity/);
  const human = limber.model(modelText('human'));
  assert.throws(() => human.solutions({ tip: 'left_hand' }), /solutions cannot be listed/);
});
