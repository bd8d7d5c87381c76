// hostile.test.mjs - every method of the package, called with what nobody means.
//
// What a method does not take it refuses with an error in words; the module never traps, and what
// it computes afterwards is what it computed before.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, LimberError } from '../node.js';
import { arm, modelText } from './support.mjs';

const CALLS = 20_000;
const MOST_OBJECTS = 200;

const values = [
  ...[undefined, null, true, 0, 1, 3, -1, 0.5, NaN, Infinity, -Infinity, 1e15, 1e300, 5e-324],
  ...[2 ** 31, 2 ** 32, 1n, '', 'tip', 'elbow', 'pose', '__proto__', 'nearest', '\ud800', '0,0,0'],
  ...[[], [NaN], [0, 0, 0], [1, 0, 0, 0], [[1], [2]], new Array(500).fill(1e300)],
  ...[new Float64Array(2), new Float64Array(12), new Float64Array(1000), new Uint8Array(3)],
  ...[{}, { tip: 'tip' }, { tip: 'tip', kind: 'pose' }, { tip: 99 }, { xyz: [0.5, 0.5, 0] }],
  ...[{ link: 'tool0' }, { tip: 'tool0' }, [{ time: 0, q: [] }], [{ time: 1 }, { time: 0 }]],
  ...[{ seed: -1 }, { width: 3 }, { count: 4 }, { length: NaN }, { x: 1, y: 2, z: 3 }],
  ...[() => false, new Date(0), /x/],
];

/** The same numbers on every machine. */
function numbers(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** An object of one of the package's classes. */
function isOurs(value) {
  const prototype = value !== null && typeof value === 'object' && Object.getPrototypeOf(value);
  return (
    Boolean(prototype) &&
    ![Object.prototype, Array.prototype].includes(prototype) &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp)
  );
}

function methodsOf(object) {
  const all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
  // what is released would be refused ever after
  return Object.keys(all).filter(
    (name) => !['constructor', 'release'].includes(name) && typeof all[name].value === 'function',
  );
}

test('no method traps, whatever it is given', async () => {
  const limber = await load({ clips: true });
  const ask = () => {
    const solver = limber.model(arm).solver({ tip: 'tip', kind: 'position' });
    const { q } = solver.solve(limber.transforms.from({ xyz: [1.2, 0.6, 0] }));
    solver.free?.();
    return [...q];
  };
  const before = ask();
  const random = numbers(7);
  const [ur5, iiwa] = ['ur5', 'iiwa14'].map((name) => limber.model(modelText(name)));
  const tool = iiwa.links.at(-1).name;
  // one of each class; what calls make joins them
  const objects = [
    ...[limber, limber.transforms, ur5, ur5.state(), ur5.fkBatch(), limber.model(arm)],
    ...[
      ur5.solver({ tip: 'tool0' }),
      ur5.solutions({ tip: 'tool0' }),
      limber.clips.elbow(iiwa, { tip: tool }),
    ],
    ...[ur5.body({ link: 'tool0' }), ur5.clip([{ time: 0, q: ur5.neutral() }])],
    limber.clips.workspace(ur5, 'tool0'),
  ];
  const done = { returned: 0, refused: 0 };
  for (let i = 0; i < CALLS; i++) {
    const object = objects[random(objects.length)];
    const names = methodsOf(object);
    if (names.length === 0) continue;
    const name = names[random(names.length)];
    const given = Array.from({ length: random(4) }, () =>
      random(6) === 0 ? objects[random(objects.length)] : values[random(values.length)],
    );
    try {
      const result = object[name](...given);
      done.returned++;
      if (isOurs(result) && objects.length < MOST_OBJECTS) objects.push(result);
    } catch (error) {
      const known = [LimberError, TypeError, RangeError].some((kind) => error instanceof kind);
      assert.ok(known, `call ${i}: ${object.constructor.name}.${name}: ${error.stack}`);
      done.refused++;
    }
  }
  assert.deepEqual(ask(), before);
  assert.ok(done.returned > CALLS / 20 && done.refused > CALLS / 20, JSON.stringify(done));
});

// ---- what was released ----

const released = { name: 'LimberError', message: 'used after its release()' };

/** One of each class over a model of seven joints, and what uses it. */
function makersOf(model, limber) {
  const tip = model.links.at(-1).name;
  const target = limber.transforms.from({ xyz: [0.4, 0, 0.5] });
  return {
    solver: [
      () => model.solver({ tip }),
      (s) => s.solve([target]),
      (s) => s.step([target], model.neutral()),
      (s) => s.solveMany(target, model.neutral()),
      (s) => s.explain([target], { q: model.neutral(), outcome: 'reached', reason: 'none' }),
    ],
    solutions: [() => model.solutions({ tip }), (s) => s.find(target)],
    elbow: [
      () => limber.clips.elbow(model, { tip }),
      (e) => e.arcs(target),
      (e) => e.at(target, 0, 0),
      (e) => e.best(target),
    ],
    body: [
      () => model.body({ link: tip }),
      (b) => b.setTarget(0, target),
      (b) => b.setWeight(0, 1),
      (b) => b.hold(0, model.neutral()),
      (b) => b.solve(),
      (b) => b.explain(0),
    ],
    state: [
      () => model.state(),
      (s) => s.update(model.neutral()),
      (s) => s.transforms,
      (s) => s.transform(tip),
      (s) => s.jacobian(tip),
      (s) => s.singularity(tip),
      (s) => s.velocityEllipsoid(tip),
    ],
    batch: [
      () => model.fkBatch(),
      (b) => b.forward(model.neutral()),
      (b) => b.matrices(model.neutral()),
    ],
    clip: [() => model.clip([{ time: 0, q: model.neutral() }]), (c) => c.at(0), (c) => c.times],
    workspace: [() => limber.clips.workspace(model, tip), (w) => w.sample(1), (w) => w.cells()],
  };
}

test('what was released is refused, and so is what was made of it', async () => {
  const limber = await load({ clips: true });
  const model = limber.model(modelText('iiwa14'));
  for (const [name, [make, ...uses]] of Object.entries(makersOf(model, limber)))
    for (const use of uses) {
      const object = make();
      use(object);
      object.release();
      assert.throws(() => use(object), released, `${name}: ${use}`);
      object.release();
    }
  const makers = makersOf(model, limber);
  const kept = Object.values(makers).map(([make, ...uses]) => [make(), uses]);
  // defaults that the model would be asked for
  model.neutral = () => new Float64Array(model.nq);
  model.release();
  for (const [object, uses] of kept) {
    for (const use of uses) assert.throws(() => use(object), released, String(use));
    object.release();
  }
  assert.throws(() => model.random(limber.random(1)), released);
});

test('vectors of other lengths and too much memory are refused', async () => {
  const limber = await load();
  const model = limber.model(modelText('iiwa14'));
  const tip = model.links.at(-1).name;
  const refused = {
    freeAxis: () => model.solver({ tip, freeAxis: [1, 0] }),
    pole: () => model.solver({ tip }, { pole: [1, 0, 0, 0] }),
    axis: () => model.body({ link: tip, axis: [] }),
    box: () => model.body({ link: tip, box: [1] }),
    vertices: () => model.body({ link: tip, vertices: [[0, 0], [1]] }),
    point: () => model.fkBatch({ tip, point: {} }),
    xyz: () => limber.transforms.from({ xyz: [1, 2] }),
    rpy: () => limber.transforms.from({ rpy: 'abcd' }),
    quaternion: () => limber.transforms.from({ quaternion: [1, 0, 0] }),
    matrix: () =>
      limber.transforms.from({
        matrix: [
          [1, 0, 0],
          [0, 1],
          [0, 0, 1],
        ],
      }),
  };
  for (const [name, use] of Object.entries(refused))
    assert.throws(use, {
      name: 'LimberError',
      message: new RegExp(`^'${name}' has \\S+ numbers but`),
    });
  assert.throws(() => limber.transforms.multiply([1], [2]), /12 numbers/);
  // a short target would leave the numbers of the one before
  const body = model.body([{ link: tip }, { kind: 'joint', joint: model.joints[2].name }]);
  body.setTarget(0, limber.transforms.from({}));
  body.setTarget(1, [0.5]);
  for (const target of [[], [1, 0, 0], new Array(13).fill(0)]) {
    assert.throws(() => body.setTarget(0, target), /12 numbers/);
    assert.throws(() => body.setTarget(1, target), /'target' has \S+ numbers but/);
  }
  for (const capacity of [2 ** 25, 2 ** 26, 2 ** 29, 2 ** 32])
    assert.throws(() => model.solutions({ tip }, { capacity }), { code: 'out-of-memory' });
  const other = await load();
  assert.throws(() => model.random(other.random(1)), /another instance/);
});
