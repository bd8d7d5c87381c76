// Models from JSON and Denavit-Hartenberg tables, configurations, forward kinematics.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { LimberError, load } from '../node.js';
import { arm, modelText, near } from './support.mjs';

const limber = await load();

test('a model tells its tree', () => {
  const model = limber.model(arm);
  assert.equal(model.name, 'arm');
  assert.deepEqual(
    model.links.map((l) => [l.name, l.parent]),
    [
      ['base', -1],
      ['upper', 0],
      ['fore', 1],
      ['tip', 2],
    ],
  );
  assert.deepEqual(
    model.joints.map((j) => [j.name, j.kind, j.q]),
    [
      ['shoulder', 'revolute', 0],
      ['elbow', 'revolute', 1],
      ['wrist', 'fixed', -1],
    ],
  );
  assert.deepEqual(
    [...model.joints[1].lower.slice(0, 1), ...model.joints[1].upper.slice(0, 1)],
    [-2.5, 2.5],
  );
  assert.deepEqual(model.tips, [3]);
  assert.equal(model.findLink('tip'), 3);
  assert.deepEqual([model.nq, model.nv], [2, 2]);
});

test('every built-in model is read', () => {
  const names = readdirSync(new URL('../../../models/', import.meta.url)).filter((n) =>
    n.endsWith('.json'),
  );
  assert.ok(names.length > 3);
  for (const file of names) {
    const model = limber.model(modelText(file.slice(0, -5)));
    const state = model.state(model.neutral());
    assert.ok(state.transforms.every(Number.isFinite), file);
    assert.ok(model.tips.length > 0, file);
  }
});

test('forward kinematics of an arm', () => {
  const state = limber.model(arm).state([Math.PI / 2, -Math.PI / 2]);
  near(state.transform('tip'), [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0], 1e-15, 'tip');
});

test('a link is seen from another', () => {
  const model = limber.model(modelText('human'));
  const state = model.state(model.random(limber.random(8)));
  const [chest, hand] = [state.transform('chest'), state.transform('left_hand')];
  const { transforms } = limber;
  near(
    state.transform('left_hand', 'chest'),
    transforms.multiply(transforms.inverse(chest), hand),
    1e-14,
  );
  assert.throws(() => state.transform('left_hand', 'chst'), /chst/);
});

test('a batch is the states one by one, where they stand', () => {
  const model = limber.model(modelText('panda'));
  const random = limber.random(4);
  const count = 7;
  const all = Array.from({ length: count }, () => model.random(random));
  const configurations = all.flatMap((q) => [...q]);
  const places = Float64Array.from({ length: 3 * count }, (_, i) => i - 5);
  const batch = model.fkBatch({ tip: 'panda_hand', point: [0.1, 0.2, 0.3] });
  const row = 12 * model.links.length;
  const { transforms, jacobians } = batch.forward(configurations);
  all.forEach((q, i) => {
    const state = model.state(q);
    assert.deepEqual(transforms.slice(i * row, (i + 1) * row), state.transforms.slice());
    assert.deepEqual(
      jacobians.slice(6 * model.nv * i, 6 * model.nv * (i + 1)),
      state.jacobian('panda_hand', [0.1, 0.2, 0.3]),
    );
  });
  const matrices = batch.matrices(configurations, places).slice();
  all.forEach((q, i) =>
    model.links.forEach(({ index, name }) => {
      const t = model.state(q).transform(index);
      const wanted = [0, 1, 2, 3].flatMap((c) => [
        ...t.slice(3 * c, 3 * c + 3).map((x, k) => (c === 3 ? x + places[3 * i + k] : x)),
        c === 3 ? 1 : 0,
      ]);
      const at = 16 * (i * model.links.length + index);
      // single precision, of lengths up to twenty
      near(matrices.slice(at, at + 16), wanted, 1e-5, name);
    }),
  );
  assert.equal(model.fkBatch().forward(configurations).jacobians.length, 0);
  assert.throws(() => batch.forward([1]), /8 numbers/);
  assert.throws(() => model.fkBatch({ tip: 'hand' }), /'hand'/);
  assert.throws(() => model.fkBatch({ width: 3 }), /fk_batch/);
  batch.release();
});

test('the Jacobian agrees with differences', () => {
  const model = limber.model(modelText('panda'));
  const state = model.state();
  const random = limber.random(5);
  const q = model.random(random);
  const point = [0.1, -0.2, 0.3];
  const at = (configuration) => {
    const t = state.update(configuration).transform('panda_hand');
    return [0, 1, 2].map(
      (i) => t[9 + i] + t[i] * point[0] + t[3 + i] * point[1] + t[6 + i] * point[2],
    );
  };
  const jacobian = state.update(q).jacobian('panda_hand', point);
  const h = 1e-6;
  for (let v = 0; v < model.nv; v++) {
    const step = new Float64Array(model.nv);
    step[v] = h;
    const ahead = at(model.integrate(q, step));
    step[v] = -h;
    const behind = at(model.integrate(q, step));
    // second-order differences of lengths near 1: h squared, and rounding over h
    near(
      [0, 1, 2].map((row) => jacobian[row * model.nv + v]),
      ahead.map((x, i) => (x - behind[i]) / (2 * h)),
      1e-8,
    );
  }
});

test('a Denavit-Hartenberg table in both conventions', () => {
  const rows = [
    { a: 1, limits: [-1, 1] },
    { a: 0.5, d: 0.25 },
  ];
  const standard = limber.modelFromDh(rows, { name: 'scara' });
  assert.deepEqual(
    standard.links.map((l) => l.name),
    ['base', 'link_1', 'link_2', 'tool'],
  );
  near(standard.state([0, 0]).transform('tool').slice(9), [1.5, 0, 0.25], 1e-15);
  const modified = limber.modelFromDh(rows, { convention: 'modified' });
  assert.equal(modified.joints.length, 2);
  near(modified.state([0, 0]).transform('link_2').slice(9), [1.5, 0, 0.25], 1e-15);
});

test('angles in degrees are exact fractions of pi', () => {
  const json = structuredClone(arm);
  json.angles = 'degrees';
  json.joints[0].limits = [-45, 90];
  json.joints[0].value = 30;
  const joint = limber.model(json).joints[0];
  assert.deepEqual(
    [joint.lower[0], joint.upper[0], joint.value[0]],
    [-Math.PI / 4, Math.PI / 2, (30 / 180) * Math.PI],
  );
});

test('configurations: clamp, interpolate, difference, validate', () => {
  const model = limber.model(arm);
  near(model.clamp([3, -3]), [2, -2.5], 0);
  near(model.interpolate([0, 0], [1, 2], 0.25), [0.25, 0.5], 1e-15);
  near(model.difference([0.5, 0], [1, 2]), [0.5, 2], 1e-15);
  near(model.integrate([0.5, 0], [0.5, 2]), [1, 2], 1e-15);
  model.validate([0, 0]);
  assert.throws(() => model.validate([0, 2.6]), /elbow/);
  assert.throws(() => model.clamp([0]), /2 numbers, not 1/);
});

test('balls keep unit quaternions', () => {
  const model = limber.model(modelText('human'));
  const q = model.random(limber.random(3));
  for (const joint of model.joints.filter((j) => j.kind === 'ball'))
    assert.ok(Math.abs(Math.hypot(...q.slice(joint.q, joint.q + 4)) - 1) < 1e-12, joint.name);
  assert.ok(model.state(q).centerOfMass().mass > 50);
});

test('random numbers are the same for the same seed', () => {
  const draw = (seed) => {
    const random = limber.random(seed);
    return [random.between(0, 1), random.between(-5, 5)];
  };
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
  assert.throws(() => limber.random(-1), /whole number/);
});

test('a singular arm is known by its Jacobian', () => {
  const state = limber.model(modelText('planar3')).state([0.3, 0, 0]);
  const stretched = state.singularity('tip');
  assert.equal(stretched.rank, 1);
  assert.ok(stretched.condition > 1e12);
  const bent = state.update([0.3, 1, 1]).singularity('tip');
  assert.equal(bent.rank, 2);
});

test('the velocity ellipsoid has the singular values as axes, and damping shortens them', () => {
  const state = limber.model(modelText('planar3')).state([0.3, 1, 1]);
  const { values } = state.singularity('tip');
  const { center, axes } = state.velocityEllipsoid('tip');
  const damped = state.velocityEllipsoid('tip', { damping: 2 });
  assert.deepEqual(center, state.transform('tip').slice(9));
  for (const i of [0, 1, 2]) {
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12 * values[0], `${a} ${b}`);
    near(Math.hypot(...axes[i]), values[i]);
    near(Math.hypot(...damped.axes[i]), values[i] ** 3 / (values[i] ** 2 + 4));
  }
  assert.throws(() => state.velocityEllipsoid('tip', { damping: -1 }), /damping/);
});

test('a clip passes its keys and rests outside', () => {
  const model = limber.model(arm);
  const keys = [
    { time: 0, q: [0, 0] },
    { time: 1, q: [1, -1] },
    { time: 3, q: [0, 2] },
  ];
  for (const interpolation of ['linear', 'cubic']) {
    const clip = model.clip(keys, { interpolation });
    for (const { time, q } of keys) near(clip.at(time), q, 1e-15);
    near(clip.at(-1), [0, 0], 0);
    near(clip.at(9), [0, 2], 0);
    assert.deepEqual([clip.begin, clip.end], [0, 3]);
    clip.release();
  }
  near(model.clip(keys, { interpolation: 'linear' }).at(2), [0.5, 0.5], 1e-15);
  assert.throws(() => model.clip([keys[1], keys[0]]), /time/);
  assert.throws(() => model.clip([]), /at least one key/);
});

test('a workspace lies within the reach', async () => {
  const whole = await load({ clips: true });
  const model = whole.model(modelText('ur5'));
  const workspace = whole.clips.workspace(model, 'tool0', { cells: 20 });
  const some = workspace.sample(2000);
  const more = workspace.sample(20000);
  assert.ok(more > some && some > 100);
  const cells = workspace.cells();
  assert.equal(cells.length, 4 * more);
  for (let i = 0; i < cells.length; i += 4) {
    assert.ok(Math.hypot(cells[i], cells[i + 1], cells[i + 2] - 0.09) < 1.1);
    assert.ok(cells[i + 3] > 0 && cells[i + 3] <= 1);
  }
  // the centre of the grid is well within the reach; its corner is beyond
  const [nx, ny, nz] = workspace.count;
  assert.equal(workspace.orientations, 108);
  const inside = workspace.solve(nx >> 2, ny >> 1, nz >> 1);
  assert.ok(inside > 0 && inside <= 1, String(inside));
  assert.equal(workspace.solve(0, 0, 0), -1);
  assert.equal(workspace.solve(nx, 0, 0), -1);
  workspace.release();
});

// ---- refusals: each names the place and the remedy ----

const change = (edit) => {
  const json = structuredClone(arm);
  edit(json);
  return json;
};
const refusals = [
  ['not JSON', '{"name": ', /this is not well-formed JSON/],
  [
    'a key nobody knows',
    change((j) => (j.joints[0].limit = [0, 1])),
    /joints\[0\]\.limit: .*'limits'/,
  ],
  ['a missing name', change((j) => delete j.name), /"name" is missing/],
  [
    'a kind nobody knows',
    change((j) => (j.joints[1].kind = 'revolut')),
    /joints\[1\]\.kind: .*'revolute'/,
  ],
  [
    'a text for a number',
    change((j) => (j.joints[1].placement.xyz[2] = '1')),
    /joints\[1\]\.placement\.xyz\[2\]: expected a number/,
  ],
  [
    'crossed limits',
    change((j) => (j.joints[0].limits = [1, -1])),
    /joints\[0\]\.limits: the lower limit 1 is above the upper one, -1/,
  ],
  [
    'limits of a fixed joint',
    change((j) => (j.joints[2].limits = [0, 1])),
    /a fixed joint has no limits/,
  ],
  [
    'two rotations',
    change((j) => (j.root = { rpy: [0, 0, 0], quaternion: [1, 0, 0, 0] })),
    /root: give one of/,
  ],
  ['a zero axis', change((j) => (j.joints[0].axis = [0, 0, 0])), /shoulder.*axis/],
  ['an unknown parent', change((j) => (j.joints[2].parent = 'foer')), /wrist.*foer/],
  ['two roots', change((j) => j.joints.pop()), /root|tip/],
  ['no links', { name: 'nothing' }, /it has no links/],
  ['a later version', change((j) => (j.limber = 2)), /version/],
  ['a zero in a name', change((j) => (j.links[3].name = j.joints[2].child = 'a\0b')), /zero/],
];

for (const [what, json, message] of refusals)
  test(`refused: ${what}`, () => {
    assert.throws(
      () => limber.model(json),
      (error) => {
        assert.ok(error instanceof LimberError, error.stack);
        assert.match(error.message, message);
        return true;
      },
    );
  });

test('a model that was released says so', () => {
  const model = limber.model(arm);
  model.release();
  model.release();
  assert.throws(() => model.neutral(), /after its release|release\(\)/);
});

test('memory comes back', () => {
  const before = limber.model(arm).heap.memory.buffer.byteLength;
  for (let i = 0; i < 3000; i++) {
    const model = limber.model(arm);
    const solver = model.solver({ tip: 'tip', kind: 'position' });
    solver.release();
    model.release();
  }
  const after = limber.model(arm).heap.memory.buffer.byteLength;
  // the work spaces of models go with the collector, the rest at once
  assert.ok(after - before < 8e6, `${before} bytes became ${after}`);
});

test('a link says which bone it is', () => {
  const links = [{ name: 'hips', bone: 'hips' }, { name: 'box' }];
  const joints = [{ name: 'j', kind: 'fixed', parent: 'hips', child: 'box' }];
  const model = limber.model({ name: 'm', links, joints });
  assert.deepEqual(
    model.links.map(({ bone }) => bone),
    ['hips', null],
  );
});

test('an MJCF includes the files that came with it', () => {
  const body = (inside) =>
    `<mujoco model="m"><default><joint axis="0 1 0"/></default><worldbody>${inside}</worldbody></mujoco>`;
  const [upper, lower] = ['a', 'b'].map((name) => `<body name="${name}"><joint/></body>`);
  const arms = `<mujocoinclude>\n${upper}<include file="hands/b.xml"></include>\n</mujocoinclude>`;
  const files = { 'parts/a.xml': arms, 'hands/b.xml': `<x>${lower}</x>` };
  const text = body('<include file="./parts/x/../a.xml"/>');
  const names = ({ links }) => links.map(({ name }) => name);
  assert.deepEqual(names(limber.model(text, { files })), names(limber.model(body(upper + lower))));
  const refusal = (changed, words) =>
    assert.throws(() => limber.model(text, { files: { ...files, ...changed } }), words);
  refusal({ 'parts/a.xml': '<x>\n<y></x>' }, /^LimberError: parts\/a\.xml:2: .*mismatch/);
  refusal(
    { 'hands/b.xml': '<x><include file="parts/a.xml"/></x>' },
    /read already, and is read once/,
  );
  assert.throws(
    () => limber.model(text, { files: {} }),
    /"\.\/parts\/x\/\.\.\/a\.xml">: this file is not among/,
  );
  assert.throws(() => limber.model(text), /<include> is read where the model is a file/);
});
