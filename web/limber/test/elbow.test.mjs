// The elbow's circle: exact arcs, configurations on them, and the best of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../node.js';
import { modelText, near } from './support.mjs';

const limber = await load({ clips: true });
const { transforms } = limber;
const iiwa = limber.model(modelText('iiwa14'));
const elbow = limber.clips.elbow(iiwa, { tip: 'flange' });
const state = iiwa.state();

test('every arc is at the target, inside the limits and no further', () => {
  const random = limber.random(11);
  assert.equal(elbow.joint, -1);
  let arcs = 0;
  for (let i = 0; i < 30; i++) {
    const q = iiwa.random(random);
    const target = Float64Array.from(state.update(q).transform('flange'));
    const found = elbow.arcs(target, q);
    assert.deepEqual(found, elbow.arcs(target));
    assert.ok(found.length > 0, `problem ${i}`);
    for (const { branch, begin, end } of found) {
      arcs++;
      assert.ok(begin <= end && end <= begin + 2 * Math.PI && branch >= 0 && branch < 8);
      const middle = elbow.at(target, branch, (begin + end) / 2, q);
      assert.equal(middle.outcome, 'reached', `problem ${i}, branch ${branch}`);
      near(state.update(middle.q).transform('flange'), target, 1e-9, `problem ${i}`);
      iiwa.validate(middle.q);
      if (end - begin > 6) continue;
      for (const beyond of [begin - 1e-6, end + 1e-6])
        assert.notEqual(elbow.at(target, branch, beyond, q).outcome, 'reached', `problem ${i}`);
    }
    // the nearest to where the arm is, is there
    const { outcome, value, angle, branch } = elbow.best(target, 'nearest', q);
    assert.equal(outcome, 'reached');
    assert.ok(value < 1e-4, `problem ${i}: ${value}`);
    near(elbow.at(target, branch, angle, q).q, q, 1e-4, `problem ${i}`);
  }
  assert.ok(arcs > 100, `${arcs}`);
});

test('the best elbow is at least as good as what is sampled', () => {
  const target = transforms.from({ xyz: [0.4, 0.2, 0.6], rpy: [3.1, 0, 0] });
  const q = iiwa.clamp(iiwa.neutral());
  const all = iiwa.solutions({ tip: 'flange' }, { redundancy: 100 });
  const [nearest] = all.find(target, q).solutions;
  assert.ok(elbow.best(target, 'nearest', q).value <= nearest.distance + 1e-9);
  const margin = elbow.best(target, 'margin', q);
  assert.ok(margin.value > 0 && margin.value <= 1);
  near(state.update(margin.q).transform('flange'), target, 1e-9, 'margin');
  assert.ok(elbow.best(target, 'manipulability').value > 0);
  all.release();
});

test('what is out of reach has none, and what has no elbow is refused', () => {
  const far = transforms.from({ xyz: [4, 0, 0] });
  assert.deepEqual(elbow.arcs(far), []);
  const q = iiwa.clamp(iiwa.neutral());
  const best = elbow.best(far, 'margin', q);
  assert.equal(best.outcome, 'unreachable');
  assert.deepEqual([...best.q], [...q]);
  assert.throws(() => elbow.arcs([1, 2, 3]), /12 numbers/);
  assert.throws(() => elbow.arcs(far, [1]), /7/);
  assert.throws(() => elbow.best(far, 'margn'), /margin/);
  assert.throws(() => elbow.at(far, 0, 0, [1]), /7/);
  const ur5 = limber.model(modelText('ur5'));
  assert.throws(() => limber.clips.elbow(ur5, { tip: 'tool0' }), /seven turning joints/);
  const other = limber.clips.elbow(iiwa, { tip: 'flange' });
  other.release();
  assert.throws(() => other.arcs(far), /release/);
});
