// Files of motion, contacts and retargeting, in the module with clips.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../node.js';
import { capture, modelText, near } from './support.mjs';

const limber = await load({ clips: true });
const { clips } = limber;
const core = await load();
const text = (bytes) => new TextDecoder().decode(bytes);
const human = () => limber.model(modelText('human')).withRoot('floating');

const data = process.env.LIMBER_DATA;
const program = process.env.LIMBER_PROGRAM;
const without = (path) => (data && existsSync(join(data, path)) ? false : `${path} is not there`);

/** What the program writes into a file of this name. */
function byProgram(name, args) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    const file = join(folder, name);
    execFileSync(program, [...args, file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a capture is read: its skeleton, its frames, what is recognised', () => {
  const bvh = clips.bvh(capture(4), { name: 'walk.bvh' });
  assert.equal(bvh.info.frames, 4);
  assert.equal(bvh.info.channels, 9);
  assert.deepEqual(
    [bvh.info.unitName, bvh.info.up, bvh.info.restFrame, bvh.rest],
    ['cm', 'y', false, null],
  );
  assert.equal(bvh.model.findLink('knee'), 2);
  assert.equal(bvh.clip.count, 4);
  near([bvh.clip.begin, bvh.clip.end, bvh.clip.rate()], [0, 0.15, 20], 1e-9);
  near(bvh.clip.times, [0, 0.05, 0.1, 0.15], 1e-12);
  assert.equal(bvh.clip.interpolation, 'linear');
  // the root is 90 cm high and goes 10 cm a frame, and y is up
  const state = bvh.model.state(bvh.clip.at(0.075));
  near(state.transform('hip').slice(9), [0, -0.15, 0.9], 1e-9);
  near(bvh.clip.key(3), bvh.clip.at(0.15), 1e-12);
  assert.throws(() => bvh.clip.key(4), /no key 4 among 4/);
  bvh.release();
});

test('a capture is written: as it was, and with other poses', () => {
  const bvh = clips.bvh(capture(5));
  assert.deepEqual(clips.bvh(bvh.write()).clip.key(3), bvh.clip.key(3));
  const slow = bvh.clip.resample(40);
  const again = clips.bvh(bvh.write(slow));
  assert.equal(again.info.frames, 9);
  near(again.clip.at(0.125), bvh.clip.at(0.125), 1e-9);
  // any motion makes a capture
  const made = clips.bvh(clips.writeBvh(bvh.clip, { unit: 1, up: 'z' }), { unit: 1, up: 'z' });
  near(
    made.model.state(made.clip.at(0.1)).transform('foot').slice(9),
    bvh.model.state(bvh.clip.at(0.1)).transform('foot').slice(9),
    1e-9,
  );
});

test('what is no capture is refused with its line', () => {
  const line = (expected) => (error) => error.line === expected && error.name === 'LimberError';
  assert.throws(() => clips.bvh(capture(3).replace('CHANNELS 3', 'CHANNELS 4')), line(10));
  assert.throws(() => clips.bvh(capture(3).split('\n').slice(0, -2).join('\n')), line(25));
  assert.throws(() => clips.bvh('', { name: 'empty.bvh' }), /HIERARCHY/);
  assert.throws(() => clips.bvh(capture(3), { up: 'w' }), /no axis 'w'/);
});

test(
  'a rest pose before the motion is left out',
  { skip: without('bvh/cmu_12_01_walk.bvh') },
  () => {
    const bvh = clips.bvh(readFileSync(join(data, 'bvh/cmu_12_01_walk.bvh')));
    assert.equal(bvh.info.restFrame, true);
    assert.equal(bvh.motion.count, bvh.clip.count - 1);
    // one that is named, not recognised, says how the figure stands
    assert.equal(bvh.rest, null);
    const file = readFileSync(join(data, 'bvh/cmu_12_01_walk.bvh'));
    near(clips.bvh(file, { restFrame: true }).rest, bvh.clip.key(0), 0);
    near(bvh.motion.key(0), bvh.clip.key(1), 0);
    assert.equal(bvh.motion.begin, 0);
  },
);

test('clips are made of clips', () => {
  const model = human();
  const q = model.neutral();
  const step = model.neutral();
  step[model.joints[model.findJoint('left_knee')].q] = 0.7;
  step[0] = 0.3;
  const clip = model.clip([
    { time: 0, q },
    { time: 0.5, q: step },
    { time: 1, q },
  ]);
  assert.equal(clip.slice(0.25, 0.75).begin, 0.25);
  near(clip.slice(0.25, 0.75).at(0.5), step, 1e-12);
  assert.equal(clip.resample(10).count, 11);
  assert.equal(clip.even().count, 3);
  assert.equal(clip.loop(2, 0.3).end, 2);
  const other = clip.mirror().at(0.5);
  const angle = (pose, name) => {
    const { q: at, nq } = model.joints[model.findJoint(name)];
    return [...pose.slice(at, at + nq)].map(Math.abs);
  };
  near(angle(other, 'right_knee'), angle(step, 'left_knee'), 1e-9);
  assert.throws(() => clip.resample(0), /rate of 0/);
  // a clip of the times and rows of another one is that one
  const again = model.clip(clip, { interpolation: clip.interpolation });
  assert.deepEqual([again.times, again.keys], [clip.times, clip.keys]);
  near(clip.keys.slice(model.nq, 2 * model.nq), step, 0);
  assert.throws(() => model.clip({ times: [0, 1], keys: [0] }), /1 numbers given where 2 keys of/);
  assert.throws(() => model.clip({ times: [], keys: [] }), /at least one key/);
  // at half the speed, and later
  const slow = clip.retime({ begin: 0.5, speed: 0.5 });
  near(slow.times, [0.5, 1.5, 2.5], 0);
  near(slow.at(1.5), step, 0);
  assert.throws(() => clip.retime({ speed: 0 }), /speed/);
  // 0.3 m there and back in half a second each
  const { velocity, acceleration } = clip.rates(0.5);
  near([velocity[0], acceleration[0]], [0, -2.4], 1e-9);
  near([slow.rates(1.5).acceleration[0]], [-0.6], 1e-9);
  // one goes over to the other
  const blended = clip.blend(slow, 0.5, 1);
  near(blended.at(0), q, 0);
  near(blended.at(0.5), step, 1e-12);
  near(blended.at(1), slow.at(1), 1e-12);
  near(blended.at(2.5), slow.at(2.5), 1e-12);
  assert.throws(() => clip.blend(slow, 1, 0.5), /blend|after|later/);
  // of another load of the model, too, and of no other model
  near(clip.blend(human().clip(slow), 0.5, 1).at(0.8), blended.at(0.8), 0);
  const arm = limber.model(modelText('planar2'));
  assert.throws(
    () => clip.blend(arm.clip([{ time: 0, q: arm.neutral() }]), 0, 0.1),
    /two different models, which differ at link/,
  );
  // the smaller module makes and samples them, and says what it lacks
  const small = core.model(modelText('panda'));
  const rest = small.clip([{ time: 0, q: small.neutral() }]);
  assert.equal(rest.count, 1);
  assert.throws(() => rest.resample(30), /load\(\{ clips: true \}\)/);
  assert.equal(core.clips, null);
});

test('tables of robots are read and written', () => {
  const robot = limber.model(modelText('planar2')).withRoot('floating');
  const rows = '0,0,1,0,0,0,1,0.1,0.2\n0.5,0,1,0,0,0,1,0.2,0.3\n';
  const clip = clips.robotCsv(rows, robot, { rate: 50 });
  assert.equal(clip.count, 2);
  near([clip.end], [0.02], 1e-12);
  near(clip.at(0.01), [0.25, 0, 1, 1, 0, 0, 0, 0.15, 0.25].slice(0, clip.model.nq), 1e-12);
  assert.equal(text(clips.writeRobotCsv(clip)), rows);
  assert.match(text(clips.writeRobotCsv(clip, { kind: 'bones' })), /^Frame,root_translateX/);
  assert.throws(
    () => clips.robotCsv('0,0,1\n', robot, { name: 'x.csv' }),
    (error) => error.line === 1,
  );
  assert.throws(() => clips.robotCsv(rows, core.model(modelText('planar2'))), /another instance/);
  assert.throws(() => clips.writeRobotCsv(clip, { kind: 'bone' }), /did you mean 'bones'/);
});

test('figures have roles, and feet that rest', () => {
  const model = human();
  const rig = clips.findRig(model);
  assert.equal(model.links[rig['left foot']].name, 'left_foot');
  assert.throws(() => clips.findRig(limber.model(modelText('panda'))), /legs/);
  const still = model.clip([
    { time: 0, q: model.neutral() },
    { time: 1, q: model.neutral() },
  ]);
  const contacts = clips.findContacts(still);
  assert.equal(contacts.length, 4);
  for (const { spans } of contacts) assert.deepEqual(spans, [{ begin: 0, end: 1 }]);
});

test('a figure walks, and its feet rest where its contacts say', () => {
  const model = human();
  const { clip, contacts } = clips.walk(model, { cycles: 2, cadence: 110 });
  assert.equal(contacts.length, 4);
  near([clip.end - clip.begin], [(2 * 2 * 60) / 110], 0.05);
  const state = model.state();
  const place = ({ link, at: [x, y, z] }, time) => {
    const t = state.update(clip.at(time)).transform(link);
    return [0, 1, 2].map((i) => t[i] * x + t[3 + i] * y + t[6 + i] * z + t[9 + i]);
  };
  for (const point of contacts) {
    assert.ok(point.spans.length > 0);
    for (const { begin, end } of point.spans) {
      const keys = [...clip.times].filter((time) => time >= begin && time <= end);
      for (const time of keys)
        near(place(point, time), place(point, keys[0]), 1e-6, model.links[point.link].name);
    }
  }
  assert.throws(() => clips.walk(model, { stepLength: 9 }), /step_length/);
  assert.throws(() => clips.walk(limber.model(modelText('panda'))), { code: 'bad-model' });
  assert.throws(() => clips.walk(model, { steps: 2 }), /option 'steps'/);
});

test('a figure takes over a motion', () => {
  const source = human();
  const sway = source.neutral();
  sway[1] += 0.04;
  const clip = source.clip([
    { time: 0, q: source.neutral() },
    { time: 1, q: sway },
  ]);
  const { clip: made, contacts, report } = clips.retarget(clip, human(), { rate: 30 });
  assert.equal(made.count, 31);
  assert.equal(report.frames, 31);
  assert.ok(contacts.length > 0 && report.held > 0);
  assert.ok(report.worstSlide < 1e-4, `${report.worstSlide} m`);
  near([report.rootScale], [1], 1e-6);
  near(report.groundNormal, [0, 0, 1], 0);
  const slope = clips.retarget(clip, human(), { groundNormal: [-3, 0, 4] }).report;
  near(slope.groundNormal, [-0.6, 0, 0.8], 1e-15);
  near(slope.sourceGroundNormal, [0, 0, 1], 0);
  assert.throws(() => clips.retarget(clip, limber.model(modelText('human'))), /root/);
  assert.throws(() => clips.retarget(clip, core.model(modelText('human'))), /another instance/);
  assert.throws(() => clips.retarget(clip, human(), { speed: 1 }), /option 'speed'/);
});

const walk = 'bvh/cmu_12_01_walk.bvh';
const g1 = 'urdf/unitree_g1_29dof_rev_1_0.urdf';
const apart = program ? without(walk) || without(g1) : 'LIMBER_PROGRAM is not given';
test('what is retargeted has the bytes of the program', { skip: apart }, () => {
  const bvh = clips.bvh(readFileSync(join(data, walk)));
  const robot = limber.model(readFileSync(join(data, g1), 'utf8')).withRoot('floating');
  const { clip } = clips.retarget(bvh.motion, robot, { rest: bvh.rest });
  const args = ['retarget', join(data, walk), '--to', join(data, g1), '--output'];
  assert.equal(text(clips.writeRobotCsv(clip)), text(byProgram('walk.csv', args)));
});

test('a step is derived, with the numbers of the step', () => {
  const model = limber.model(modelText('planar3'));
  const q = [0.4, 0.8, 0.8];
  const goal = limber.transforms.from({ xyz: [-20, 5, 0] });
  const options = { method: 'pseudoinverse' };
  const task = { tip: 'tip', kind: 'position' };
  const lines = clips.derive(model, task, options, goal, q);
  const numbers = lines.flatMap(({ number }) => number || []);
  assert.deepEqual(numbers, ['5.16', '5.17', '5.18', '5.19', '5.20', '5.21', '5.22', '5.23']);
  const parts = lines.flatMap((line) => line.parts ?? []);
  const of = (name) => parts.find((part) => part.name === name).numbers;
  const solver = model.solver(task, options);
  near(
    of('step'),
    Array.from(solver.step(goal, q).q, (x, i) => x - q[i]),
    1e-14,
  );
  const tip = model.state(q).transform('tip').slice(9, 11);
  near(of('V'), [-20 - tip[0], 5 - tip[1]], 1e-12);
  assert.ok(parts.some(({ sign }) => sign === "V = J theta'"));
  assert.throws(() => clips.derive(model, { ...task, base: 'link_1' }, options, goal, q), /base/);
  assert.throws(() => clips.derive(model, task, { method: 'x' }, goal, q), /method/);
});
