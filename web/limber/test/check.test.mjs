// What is wrong with a motion, and what keeps links apart: the numbers of the program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../node.js';
import { capture, modelText, near } from './support.mjs';

const limber = await load({ clips: true });
const { clips } = limber;
const human = () => limber.model(modelText('human')).withRoot('floating');
const text = (bytes) => new TextDecoder().decode(bytes);

const program = process.env.LIMBER_PROGRAM;
const skip = program ? false : 'LIMBER_PROGRAM is not given';

/** Runs the program among these files; what it prints, `read(name)` of what it wrote, its notes. */
function byProgram(files, args, use) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    assert.ok(status === 0 || status === 1, stderr);
    return use(stdout, (name) => readFileSync(join(folder, name), 'utf8'), stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const camel = (key) => key.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** What JSON of the program says with the package's names. */
function renamed(value) {
  if (Array.isArray(value)) return value.map(renamed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [camel(key), renamed(v)]));
}

/** A walk whose arms are folded into the trunk. */
function folded(model) {
  const { clip } = clips.walk(model, { cycles: 1 });
  const { q } = model.joints[model.findJoint('left_shoulder')];
  const keys = Array.from({ length: clip.count }, (_, i) => {
    const pose = clip.key(i);
    const turn = -1.2 * Math.sin((3 * i) / clip.count);
    pose.set([Math.cos(turn), Math.sin(turn), 0, 0], q);
    return { time: clip.timeOf(i), q: pose };
  });
  return model.clip(keys, { interpolation: 'linear' });
}

test('a motion is measured as by limber check, links that overlap included', { skip }, () => {
  const model = human();
  const clip = folded(model);
  const collision = clips.collision(model);
  const report = clips.check(clip, { collision, margin: 0.02, frames: true });
  const args = ['check', 'a.json', '--model', 'human', '--margin', '0.02', '--json', '--frames'];
  byProgram({ 'a.json': clips.writeClipJson(clip) }, args, (stdout) => {
    const expected = renamed(JSON.parse(stdout));
    const { columns, eachFrame, ...rest } = report;
    const { columns: names, eachFrame: rows, eachFrameNear, ...others } = expected;
    assert.deepEqual(rest, others);
    assert.deepEqual([columns, [...eachFrame]], [names, rows.flat()]);
    assert.ok(report.links.near.length > 0 && report.links.pairs > 10);
    assert.equal(eachFrameNear.length, clip.count);
  });
});

/** A figure of nodes with a shoe on each foot, 8 cm below the ankle. */
function shod() {
  const corners = [-0.04, 0.04].flatMap((x) =>
    [-0.08, 0].flatMap((y) => [-0.06, 0.18].map((z) => [x, y, z])),
  );
  const bytes = Buffer.from(new Float32Array(corners.flat()).buffer);
  const node = (name, translation, children = [], more = {}) =>
    children.length > 0 ? { name, translation, children, ...more } : { name, translation, ...more };
  const leg = (side, x, n) => [
    node(`${side}UpLeg`, [x, 0, 0], [n + 1]),
    node(`${side}Leg`, [0, -0.45, 0], [n + 2]),
    node(`${side}Foot`, [0, -0.42, 0], [n + 3], { mesh: 0 }),
    node(`${side}ToeBase`, [0, -0.06, 0.14]),
  ];
  const nodes = [
    node('Hips', [0, 0.95, 0], [1, 3, 7]),
    node('Spine', [0, 0.3, 0], [2]),
    node('Head', [0, 0.3, 0]),
    ...leg('Left', 0.1, 3),
    ...leg('Right', -0.1, 7),
  ];
  return JSON.stringify({
    asset: { version: '2.0' },
    nodes,
    skins: [{ joints: nodes.map((_, i) => i) }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 8 }],
    bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length, uri: `data:;base64,${bytes.toString('base64')}` }],
  });
}

test('soles are where a glTF draws them, as by the program', { skip }, () => {
  const file = shod();
  const { model } = clips.gltf(new TextEncoder().encode(file), { name: 'shod.gltf' });
  const source = human();
  const { clip } = clips.walk(source, { cycles: 2 });
  const given = { 'a.json': clips.writeClipJson(clip), 'shod.gltf': file };
  const args = ['retarget', 'a.json', '--from', 'human', '--to', 'shod.gltf'];
  const outputs = ['--output', 'b.json', '--write-contacts', 'held.json', '--write-map', 'm.json'];
  const made = clips.retarget(clip, model);
  const bytes = clips.writeClipJson(made.clip);
  byProgram(given, [...args, ...outputs], (stdout, read) => {
    assert.deepEqual(JSON.parse(text(bytes)), JSON.parse(read('b.json')));
    const held = clips.readContacts(read('held.json'), model);
    assert.deepEqual(made.contacts, held);
    assert.deepEqual(clips.findMap(source, model), JSON.parse(read('m.json')));
  });
  // measured by the same soles, of the model and of one with narrower limits
  const more = ['--model', 'shod.gltf', '--ground', '0.05', '--json'];
  byProgram({ 'b.json': bytes, 'shod.gltf': file }, ['check', 'b.json', ...more], (stdout) => {
    const expected = renamed(JSON.parse(stdout));
    const narrow = clips.withLimits({ joint_limits: {} }, model).model;
    for (const moved of [made.clip, clips.clipJson(bytes, narrow)]) {
      const collision = clips.collision(moved.model);
      const report = clips.check(moved, { ground: 0.05, collision });
      assert.deepEqual(report, expected);
      assert.ok(report.penetration.worst > 0.04 && !report.contacts.solesAssumed);
      assert.equal(report.links.shapes, 'looks');
    }
  });
});

test('a mesh that cannot be read is warned of as by the program', { skip }, () => {
  const file = shod().replace('VEC3', 'VEC2');
  const { model } = clips.gltf(new TextEncoder().encode(file), { name: 'shod.gltf' });
  const source = human();
  const { clip } = clips.walk(source, { cycles: 2 });
  const said = [];
  // the program names the file, which the module's caller knows
  const warn = ({ message }) => said.push(`limber: note: shod.gltf: ${message}\n`);
  const made = clips.retarget(clip, model, { warn });
  const given = { 'a.json': clips.writeClipJson(clip), 'shod.gltf': file };
  const args = ['retarget', 'a.json', '--from', 'human', '--to', 'shod.gltf'];
  byProgram(given, [...args, '--output', 'b.json'], (stdout, read, notes) => {
    assert.match(said[0], /mesh/);
    // what it says of roles besides is no warning of the module
    assert.deepEqual(said, [notes.split('\n')[0] + '\n']);
    assert.deepEqual(JSON.parse(text(clips.writeClipJson(made.clip))), JSON.parse(read('b.json')));
  });
  // each call that looks at the soles says so, once, and goes on with soles that are assumed
  const counts = [
    () => clips.retarget(clip, model, { warn, retime: true }),
    () => clips.findMap(source, model, { warn }),
    () => clips.findContacts(made.clip, { warn }),
    () => {
      const report = clips.check(made.clip, { warn });
      assert.ok(report.contacts.solesAssumed && report.penetration === null);
    },
  ].map((call) => {
    const before = said.length;
    call();
    return said.length - before;
  });
  assert.deepEqual(counts, [1, 1, 1, 1]);
  assert.equal(new Set(said).size, 1);
  // of others there is nothing to say
  const fine = (words) => assert.fail(words.message);
  clips.retarget(clip, human(), { warn: fine });
  clips.findContacts(clip, { warn: fine });
});

test('a joint that may not move has its speed measured', () => {
  const hinge = { name: 'j', kind: 'revolute', parent: 'a', child: 'b', limits: [-1, 1] };
  const links = [{ name: 'a' }, { name: 'b' }];
  const joints = [{ ...hinge, velocity: 0 }];
  const model = limber.model(JSON.stringify({ limber: 1, name: 'stuck', links, joints }));
  const keys = [0, 1].map((time) => ({ time, q: [time / 2] }));
  const { speed } = clips.check(model.clip(keys));
  assert.deepEqual([speed.worst, speed.framesBeyond], [Infinity, 1]);
});

test('what is not known is null, and options that do not fit are refused', () => {
  const bvh = clips.bvh(capture(5));
  const { slide, contacts, speed, overlap, links, jump } = clips.check(bvh.clip);
  assert.deepEqual([slide, contacts, speed, overlap, links], [null, null, null, null, null]);
  assert.ok(jump.worst > 0);
  const model = human();
  const clip = model.clip([{ time: 0, q: model.neutral() }]);
  assert.throws(
    () => clips.check(clip, { collision: clips.collision(human()) }),
    /of another model/,
  );
  assert.throws(() => clips.check(clip, { accelerations: [1] }), /joints, not 1/);
  assert.throws(() => clips.check(clip, { groud: 0 }), /did you mean 'ground'/);
  assert.throws(() => clips.collision(model, { fit: 'hul' }), /did you mean 'hull'/);
  assert.throws(() => clips.collision(model, { samples: -1 }), /samples -1 must be 0 to 1000000/);
});

test('pairs of a collision: links, why they are left out, meshes that are given', () => {
  const model = human();
  const all = clips.collision(model);
  assert.ok(all.pairs.some(({ state }) => state === 'adjacent'));
  const { a, b } = all.pairs.find(({ state }) => state === 'checked');
  const less = clips.collision(model, { disabled: [[model.links[a].name, b]] });
  assert.equal(less.checked, all.checked - 1);
  const box = `<robot name="r"><link name="a"><collision><geometry><mesh filename="m.stl"/>
    </geometry></collision></link><link name="b"><collision><geometry><sphere radius="0.1"/>
    </geometry></collision></link><joint name="j" type="prismatic"><parent link="a"/>
    <child link="b"/><axis xyz="1 0 0"/><limit lower="0" upper="2" velocity="1" effort="1"/>
    </joint></robot>`;
  const robot = limber.model(box);
  assert.equal(clips.collision(robot).missing, 1);
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  const whole = clips.collision(robot, { meshes: { 'm.stl': cube.flat() } });
  assert.deepEqual([whole.missing, whole.pairs.length], [0, 1]);
  for (const collision of [all, less, whole]) collision.release();
});

// ---- options of retargeting, as the program has them ----

const limits = { joint_limits: { left_knee: { max_velocity: 3, max_acceleration: 40 } } };

/** A retargeting by both: the same poses, and the same report. */
function compare(options, args, { limited = false, margin = 0, files = {} } = {}) {
  const source = human();
  const { clip } = clips.walk(source, { cycles: 2, cadence: 140 });
  const robot = human();
  const narrowed = limited ? clips.withLimits(limits, robot) : { model: robot };
  const { model: target, accelerations } = narrowed;
  const collision = margin > 0 ? clips.collision(target, { distance: margin }) : null;
  const made = clips.retarget(clip, target, { ...options, accelerations, collision, margin });
  const given = { 'a.json': clips.writeClipJson(clip), ...files };
  const all = ['retarget', 'a.json', '--from', 'human', '--to', 'human', ...args];
  all.push('--output', 'b.json', '--report', 'r.json');
  byProgram(given, all, (stdout, read) => {
    assert.deepEqual(JSON.parse(text(clips.writeClipJson(made.clip))), JSON.parse(read('b.json')));
    const expected = JSON.parse(read('r.json'));
    const { report } = made;
    assert.deepEqual(
      [report.moved, report.worstMoved, report.shortened, report.touches, report.slowed],
      [
        ...[expected.contacts_moved, expected.worst_moved, expected.contacts_shortened],
        ...[expected.touches, expected.slowed_frames],
      ],
    );
    assert.deepEqual(
      [report.fastest, report.fastestLeg, report.unseenSlope],
      [expected.fastest, expected.fastest_leg, expected.unseen_slope ?? Infinity],
    );
    if (margin > 0)
      assert.deepEqual(
        [report.near, report.worstNear],
        [expected.near_frames, expected.worst_near],
      );
    if (options.retime) {
      assert.equal(report.secondsBeforeRetiming, expected.seconds_before_retiming);
      // when each frame of the source comes: later and later
      const { keyTimes } = made;
      assert.equal(keyTimes.length, clip.count);
      assert.equal(keyTimes[0], made.clip.begin);
      // the last of even ones is less than a frame before
      const left = keyTimes.at(-1) - made.clip.end;
      assert.ok(left >= 0 && left < 1 / made.clip.rate(), `${left}`);
      keyTimes.slice(1).forEach((time, i) => {
        const gap = clip.timeOf(i + 1) - clip.timeOf(i);
        assert.ok(time - keyTimes[i] > gap - 1e-9, `${time}`);
      });
    }
  });
}

test('hands and what they touch', { skip }, () => compare({ hands: true }, ['--hands']));
test('one scale alone is both', { skip }, () => {
  compare({ rootScale: 0.8 }, ['--root-scale', '0.8']);
  compare({ scale: 0.9, rootScale: 0.8 }, ['--scale', '0.9', '--root-scale', '0.8']);
});
test('ground, rate and speeds', { skip }, () =>
  compare({ ground: 0.1, rate: 30, anySpeed: true }, [
    ...['--ground', '0.1', '--fps', '30', '--no-speed-limits'],
  ]),
);
test('links are kept apart', { skip }, () => compare({}, ['--margin', '0.03'], { margin: 0.03 }));
test('limits of a file, and a motion slowed down for them', { skip }, () => {
  const files = { 'limits.json': JSON.stringify(limits) };
  const args = ['--limits', 'limits.json'];
  compare({}, args, { limited: true, files });
  compare({ retime: true }, [...args, '--retime'], { limited: true, files });
});

test('limits of a file narrow a model, and stay with it', () => {
  const robot = human();
  const { model, accelerations } = clips.withLimits(limits, robot, { name: 'limits.json' });
  const knee = model.joints[model.findJoint('left_knee')];
  assert.deepEqual([knee.velocity, accelerations[knee.index]], [3, 40]);
  assert.equal(accelerations.filter(Number.isFinite).length, 1);
  assert.equal(robot.joints[knee.index].velocity === 3, false);
  const { clip } = clips.walk(model, { cycles: 1 });
  const report = clips.check(clip, { accelerations });
  assert.ok(report.acceleration.framesBeyond > 0 && report.speed.framesBeyond > 0);
  const warnings = [];
  clips.withLimits({ joint_limits: { knee: {} } }, robot, { warn: (w) => warnings.push(w) });
  assert.match(warnings[0].message, /knee/);
  assert.throws(
    () => clips.withLimits({ joint_limits: { left_knee: { max_velocity: -1 } } }, robot),
    /below 0/,
  );
  assert.throws(
    () => clips.retarget(clip, human(), { retime: true, anySpeed: true }),
    /with anySpeed/,
  );
});

test('a frame of a capture is said to be a rest pose', () => {
  const of = (restFrame) => clips.bvh(capture(6), { restFrame });
  const second = of(1);
  assert.deepEqual([second.info.restFrame, second.info.restIndex], [true, 1]);
  near(second.rest, second.clip.key(1), 0);
  assert.equal(second.motion.count, 4);
  near(second.motion.key(0), second.clip.key(2), 0);
  assert.equal(of(true).motion.count, 5);
  assert.equal(of(false).rest, null);
  assert.throws(() => of(9), /9/);
  assert.throws(() => of('no'), /restFrame/);
});

test('thresholds say from where a frame counts', () => {
  const model = human();
  const { clip, contacts } = clips.walk(model);
  const usual = clips.check(clip, { contacts });
  const none = clips.check(clip, { contacts, thresholds: { jump: -1, slide: Infinity } });
  assert.ok(usual.jump.framesBeyond < none.jump.framesBeyond);
  assert.equal(none.slide.framesBeyond, 0);
  assert.deepEqual(none.jump.worst, usual.jump.worst);
  assert.throws(() => clips.check(clip, { thresholds: { slid: 1 } }), /did you mean 'slide'/);
});

test('how contacts are detected is said to retargeting', () => {
  const { clip } = clips.walk(human());
  const target = limber.model(modelText('biped')).withRoot('floating');
  const held = (options) => clips.retarget(clip, target, { rate: 30, ...options }).report.held;
  assert.ok(held({}) > 0);
  assert.equal(held({ detectShortest: 100 }), 0);
});

test('a motion is like its source, and one that is not is told by name', () => {
  const { clip } = clips.walk(human());
  const target = limber.model(modelText('biped')).withRoot('floating');
  const { clip: motion } = clips.retarget(clip, target);
  const found = clips.fidelity(motion, clip);
  assert.equal(found.frames, clip.count);
  assert.ok(found.trunk.mean < 0.1 && !found.trunk.beyond, JSON.stringify(found.trunk));
  near([found.travel], [found.sourceTravel], 0.1);
  const strict = clips.fidelity(motion, clip, { thresholds: { trunk: 0 } });
  assert.ok(strict.trunk.beyond && !strict.heading.beyond);
  const { columns, eachFrame, frames } = clips.fidelity(motion, clip, { frames: true });
  const trunk = columns.indexOf('trunk');
  const each = Array.from({ length: frames }, (_, i) => eachFrame[columns.length * i + trunk]);
  assert.equal(eachFrame.length, columns.length * frames);
  assert.equal(Math.max(...each), found.trunk.worst);
  assert.throws(() => clips.fidelity(motion, clip, { thresholds: { trunks: 1 } }), /'trunk'/);
});

test('what is near is said with its points, and an arm may not go through its base', () => {
  const panda = limber.model(modelText('panda'));
  const collision = clips.collision(panda);
  assert.deepEqual(collision.near(panda.neutral()), []);
  const folded = [-2.88, 0.75, -0.02, -2.95, -2.37, 0.72, -0.2, 0.02];
  const touching = collision.near(folded);
  assert.ok(touching.length > 0);
  const base = touching.find(({ bodyA }) => panda.links[bodyA].name === 'panda_link0');
  assert.ok(base.distance < -0.01);
  for (const { pointA, pointB, normal, distance } of collision.near(folded, 0.05))
    pointA.forEach((a, k) => near([pointB[k] - a], [distance * normal[k]], 1e-9, 'b - a'));
  assert.ok(collision.near(folded, 0.05).length > touching.length);
  collision.release();
  panda.release();
});
