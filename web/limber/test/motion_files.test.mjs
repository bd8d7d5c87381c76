// What goes with motion in files: .npz, contacts, maps of retargeting, clips as JSON.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { load } from '../node.js';
import { unzip, zip } from '../zip.js';
import { modelText, near } from './support.mjs';

const limber = await load({ clips: true });
const { clips } = limber;
const text = (bytes) => new TextDecoder().decode(bytes);
const bytesOf = (words) => new TextEncoder().encode(words);
const human = () => limber.model(modelText('human')).withRoot('floating');

const data = process.env.LIMBER_DATA;
const program = process.env.LIMBER_PROGRAM;
const without = (path) => (data && existsSync(join(data, path)) ? false : `${path} is not there`);

/** Calls `use` with a folder that is gone afterwards. */
function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A robot of two joints that moves, its root too. */
function robotClip() {
  const robot = limber.model(modelText('planar2')).withRoot('floating');
  const rows = '0,0,1,0,0,0,1,0.1,0.2\n0.5,0,1,0,0,0.6,0.8,0.2,0.3\n0.7,0,1,0,0,0,1,0.3,0.1\n';
  return clips.robotCsv(rows, robot, { rate: 50 });
}

// ---- archives ----

test('archives are read and written, and damaged ones are refused', async () => {
  const files = [
    ['a.txt', bytesOf('one')],
    ['folder/b.bin', Uint8Array.from({ length: 5000 }, (_, i) => (i * i) & 255)],
    ['empty', new Uint8Array()],
  ];
  const archive = zip(files);
  assert.deepEqual(await unzip(archive), Object.fromEntries(files));
  await assert.rejects(unzip(bytesOf('no archive')), /no ZIP archive/);
  await assert.rejects(unzip(archive.subarray(0, archive.length - 30)), /no ZIP archive/);
  let refused = 0;
  for (let at = 0; at < archive.length; at += 7) {
    const changed = archive.slice();
    changed[at] ^= 0x55;
    // names and dates are no part of a checksum
    await unzip(changed).catch((error) => {
      assert.equal(error.name, 'LimberError', `byte ${at}: ${error.stack}`);
      refused++;
    });
  }
  assert.ok(refused > archive.length / 7 / 2, `${refused}`);
});

test('files that lie over each other in an archive are refused', async () => {
  const one = zip([['x', new Uint8Array(1000)]]);
  const end = one.length - 22;
  // the directory has its only entry, of 46 bytes and a letter, twice
  const twice = Uint8Array.from([...one.slice(0, end), ...one.slice(end - 47)]);
  new DataView(twice.buffer).setUint16(twice.length - 12, 2, true);
  await assert.rejects(unzip(twice), /the archive's files are larger than it is/);
});

test('what is deflated is inflated, and not to more than it says', async () => {
  const whole = bytesOf('ab'.repeat(4000));
  const packed = deflateRawSync(whole);
  // a stored archive of the packed bytes, told to be deflated
  const archive = zip([['x', packed]]);
  const stored = zip([['x', whole]]);
  const [view, from] = [archive, stored].map((bytes) => new DataView(bytes.buffer));
  const directory = view.getUint32(archive.length - 6, true);
  const sum = from.getUint32(14, true);
  for (const [at, first] of [
    [0, 8],
    [directory, 10],
  ]) {
    view.setUint16(at + first, 8, true);
    view.setUint32(at + first + 6, sum, true);
    view.setUint32(at + first + 14, whole.length, true);
  }
  assert.deepEqual((await unzip(archive)).x, whole);
  view.setUint32(directory + 24, whole.length - 1, true);
  await assert.rejects(unzip(archive), /'x' is damaged/);
});

test('robot motion is read from .npz and written', async () => {
  const clip = robotClip();
  const bytes = clips.writeRobotNpz(clip);
  const again = await clips.robotNpz(bytes, clip.model, { name: 'x.npz' });
  assert.equal(again.count, 3);
  near(again.times, [0, 0.02, 0.04], 1e-12);
  for (let i = 0; i < 3; i++) near(again.key(i), clip.key(i), 1e-6);
  const files = await unzip(bytes);
  assert.equal(Object.keys(files).length, 9);
  // in the order of a list
  const back = clips.writeRobotNpz(clip, { order: ['elbow', 'shoulder'] });
  const listed = (await unzip(back))['joint_names.npy'];
  assert.deepEqual(
    [files['joint_names.npy'][128], listed[128]],
    ['s', 'e'].map((c) => c.charCodeAt(0)),
  );
  near((await clips.robotNpz(back, clip.model)).key(1), clip.key(1), 1e-6);
  assert.throws(
    () => clips.writeRobotNpz(clip, { order: 'breadth' }),
    /order: 'breadth' is no joint's/,
  );
  // joints by their names, whatever their order; one that is none is refused by its name
  const { 'joint_names.npy': names, ...rest } = files;
  const warnings = [];
  await clips.robotNpz(zip(Object.entries(rest)), clip.model, { warn: (w) => warnings.push(w) });
  assert.match(warnings[0].message, /no joint_names/);
  names[128] = 'x'.charCodeAt(0);
  await assert.rejects(
    clips.robotNpz(zip(Object.entries({ ...rest, 'joint_names.npy': names })), clip.model),
    /joint_names: 'xhoulder' is no joint's; did you mean 'shoulder'/,
  );
  await assert.rejects(
    clips.robotNpz(bytesOf('PK'), clip.model),
    (error) => error.code === 'syntax-error',
  );
});

test(
  'the program reads what the package writes as .npz, and the other way round',
  { skip: program ? false : 'LIMBER_PROGRAM is not given' },
  async () => {
    const clip = robotClip();
    await inFolder(async (folder) => {
      const [model, archive, table, back] = ['r.json', 'm.npz', 'm.csv', 'b.npz'].map((name) =>
        join(folder, name),
      );
      writeFileSync(model, modelText('planar2'));
      writeFileSync(archive, clips.writeRobotNpz(clip));
      const run = (...args) => execFileSync(program, ['convert', model, '--keys', ...args]);
      run(archive, '--output', table);
      near(clips.robotCsv(readFileSync(table), clip.model, { rate: 50 }).key(1), clip.key(1), 1e-6);
      run(archive, '--output', back);
      const made = await clips.robotNpz(readFileSync(back), clip.model);
      near(made.key(1), clip.key(1), 1e-6);
    });
  },
);

// ---- JSON ----

test('motion of any model is read from JSON and written', () => {
  const { clip } = clips.walk(human());
  const file = clips.writeClipJson(clip);
  const again = clips.clipJson(file, clip.model);
  assert.equal(again.count, clip.count);
  assert.deepEqual(again.key(7), clip.key(7));
  assert.deepEqual(clips.clipJson(JSON.parse(text(file)), clip.model).key(7), clip.key(7));
  const line = (n) => (error) => error.line === n && error.name === 'LimberError';
  assert.throws(() => clips.clipJson('{\n"limber_motion": 2}', clip.model), /1 is missing/);
  assert.throws(() => clips.clipJson('{\n"a" 1}', clip.model), line(2));
  assert.throws(
    () =>
      clips.clipJson('{"limber_motion":1,\n"joints":[],"times":[0],\n"keys":[[1]]}', clip.model),
    line(3),
  );
});

test('poses at many times are those at each', () => {
  const { clip } = clips.walk(human());
  const times = [-1, 0, 0.123, 0.7, 99];
  const rows = clip.poses(times);
  const { nq } = clip.model;
  assert.equal(rows.length, 5 * nq);
  times.forEach((time, i) =>
    assert.deepEqual(rows.slice(i * nq, (i + 1) * nq), Float32Array.from(clip.at(time))),
  );
  assert.equal(clip.poses([]).length, 0);
});

test('contacts are written and read, and decide where feet are held', () => {
  const model = human();
  const { clip } = clips.walk(model, { cycles: 2 });
  const contacts = clips.findContacts(clip);
  const file = clips.writeContacts(contacts, model);
  assert.match(text(file), /"limber_contacts": 1/);
  assert.deepEqual(clips.readContacts(file, model), contacts);
  assert.throws(
    () => clips.readContacts(text(file).replaceAll('left_foot', 'lef_foot'), model),
    /no link 'lef_foot'; did you mean 'left_foot'/,
  );
  // what touches becomes one
  const { link, at, height } = contacts[0];
  const spans = [
    { begin: 0.2, end: 0.5 },
    { begin: 0.4, end: 0.8 },
  ];
  const [one] = clips.readContacts(
    clips.writeContacts([{ link, at, height, spans }], model),
    model,
  );
  assert.deepEqual(one.spans, [{ begin: 0.2, end: 0.8 }]);
  // those that are given are held, and no others
  const few = contacts.map((point, i) => ({
    ...point,
    spans: i === 0 ? point.spans.slice(0, 1) : [],
  }));
  const held = (given) => clips.retarget(clip, human(), { contacts: given }).report.held;
  assert.equal(held(few), 1);
  // points of soles count for the toes' joints that the map holds
  assert.deepEqual([held(contacts), held(null)], [5, 5]);
});

test('maps are found, edited, written and read', () => {
  const [source, target] = [human(), human()];
  const map = clips.findMap(source, target);
  assert.equal(map.limber_map, 1);
  assert.equal(map.pairs[0].role, 'pelvis');
  const forearm = map.pairs.find(({ role }) => role === 'left forearm');
  assert.equal(forearm.source, forearm.target);
  assert.deepEqual(clips.readMap(clips.writeMap(map, source, target), source, target), map);
  const { clip } = clips.walk(source, { cadence: 110 });
  const retargeted = (given) => clips.retarget(clip, target, { map: given }).clip.key(9);
  assert.deepEqual(retargeted(map), retargeted(null));
  // the left arm follows the right one
  const crossed = {
    ...map,
    pairs: map.pairs.map((pair) =>
      /left (upper arm|forearm|hand)/.test(pair.role ?? '')
        ? {
            role: pair.role,
            source: pair.source.replace('left', 'right'),
            target: pair.target,
            direction: 1,
          }
        : pair,
    ),
  };
  assert.notDeepEqual(retargeted(crossed), retargeted(null));
  const wrong = { ...map, pairs: [{ source: 'pelvs', target: 'pelvis', position: 1 }] };
  assert.throws(() => retargeted(wrong), /pairs\[0\]\.source: the source has no link 'pelvs'; did/);
  assert.throws(() => clips.readMap('{"pairs": 1}', source, target), /limber_map/);
  const arm = limber.model(modelText('panda'));
  const waving = arm.clip([{ time: 0, q: arm.neutral() }]);
  const refused = (unrecognised) => ({ code: 'bad-model', unrecognised });
  assert.throws(() => clips.findMap(source, arm), refused('target'));
  assert.throws(() => clips.findMap(arm, target), refused('source'));
  assert.throws(() => clips.findMap(waving, target), refused('source'));
  assert.throws(() => clips.findRest(waving), { code: 'bad-model' });
  assert.throws(() => clips.retarget(clip, arm), refused('target'));
});

const walk = 'bvh/cmu_12_01_walk.bvh';
const g1 = 'urdf/unitree_g1_29dof_rev_1_0.urdf';
const gmr = 'retarget/bvh_to_g1.json';
const apart = program ? without(walk) || without(g1) : 'LIMBER_PROGRAM is not given';
test('a map and contacts have the same effect as in the program', { skip: apart }, () => {
  const bvh = clips.bvh(readFileSync(join(data, walk)));
  const robot = limber.model(readFileSync(join(data, g1), 'utf8')).withRoot('floating');
  const { motion } = bvh;
  // of a clip the source stands as its motion says, not as it is at zero
  const map = clips.findMap(motion, robot);
  const rest = clips.findRest(motion);
  assert.deepEqual(map, clips.findMap(bvh.model, robot, { rest }));
  assert.notDeepEqual(map, clips.findMap(bvh.model, robot));
  map.pairs = map.pairs.filter(({ role }) => role !== 'head' && role !== 'left hand');
  const contacts = clips
    .findContacts(motion, { rest })
    .map((point) => ({ ...point, spans: point.spans.slice(1) }));
  const { clip } = clips.retarget(motion, robot, { rest, map, contacts });
  inFolder((folder) => {
    const [m, c, out] = ['map.json', 'contacts.json', 'out.csv'].map((name) => join(folder, name));
    writeFileSync(m, clips.writeMap(map, bvh.model, robot));
    writeFileSync(c, clips.writeContacts(contacts, bvh.model));
    execFileSync(program, [
      ...['retarget', join(data, walk), '--to', join(data, g1)],
      ...['--map', m, '--contacts', c, '--output', out],
    ]);
    assert.equal(text(clips.writeRobotCsv(clip)), readFileSync(out, 'utf8'));
  });
});

test("GMR's maps are read", { skip: without(gmr) || without(g1) }, () => {
  // a figure with the bones of LAFAN1
  const figure = JSON.parse(modelText('human'));
  const table = JSON.parse(readFileSync(join(data, gmr), 'utf8')).ik_match_table2;
  const bones = Object.values(table).map(([bone]) => bone.replace(/FootMod$/, 'Toe'));
  figure.links = ['world', ...bones].map((name) => ({ name }));
  figure.joints = bones.map((child) => ({ name: child, kind: 'ball', parent: 'world', child }));
  figure.links.push({ name: 'LeftFoot' }, { name: 'RightFoot' });
  for (const child of ['LeftFoot', 'RightFoot'])
    figure.joints.push({ name: child, kind: 'ball', parent: 'world', child });
  const source = limber.model({ name: 'rig', links: figure.links, joints: figure.joints });
  const robot = limber.model(readFileSync(join(data, g1), 'utf8')).withRoot('floating');
  const map = clips.readMap(readFileSync(join(data, gmr)), source, robot, { name: gmr });
  assert.equal(map.pairs.length, bones.length);
  assert.equal(map.pairs[0].target, 'pelvis');
  assert.equal(map.root_scale, 0.9);
});
