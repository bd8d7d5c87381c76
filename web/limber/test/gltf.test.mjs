// glTF and GLB: read by the C library over a tree that the package's parser fills, and written.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { load } from '../node.js';
import { near } from './support.mjs';

const { clips } = await load({ clips: true });
const data = process.env.LIMBER_DATA;
const folder = data ? join(data, 'gltf') : '';
const absent = existsSync(folder) ? false : 'there is no folder of glTF files';

/** Two seconds of a node that turns about y, and of another that hangs from it. */
const buffer = new Uint8Array(
  new Float32Array([...[0, 1, 2], ...[0, 0, 0, 1, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0, 1, 0, 0]])
    .buffer,
);

const figure = () => ({
  asset: { version: '2.0', generator: 'a test' },
  extras: { kept: [1.0, 1e3, null, { text: 'ä"\\' }] },
  nodes: [
    { name: 'root', children: [1] },
    { name: 'arm', translation: [0, 1, 0], children: [2] },
    { name: 'hand', translation: [0.5, 0, 0] },
  ],
  animations: [
    {
      name: 'turn',
      channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }],
      samplers: [{ input: 0, output: 1 }],
    },
  ],
  accessors: [
    { bufferView: 0, componentType: 5126, type: 'SCALAR', count: 3, min: [0], max: [2] },
    { bufferView: 1, componentType: 5126, type: 'VEC4', count: 3 },
  ],
  bufferViews: [
    { buffer: 0, byteOffset: 0, byteLength: 12 },
    { buffer: 0, byteOffset: 12, byteLength: 48 },
  ],
  buffers: [{ uri: 'turn%20it.bin', byteLength: buffer.length }],
});

const bytesOf = (json) => new TextEncoder().encode(JSON.stringify(json));
const open = (json = figure(), files = { 'turn it.bin': buffer }) =>
  clips.gltf(bytesOf(json), { name: 'turn.gltf', files });

/** The JSON of a GLB. */
function jsonOf(glb) {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
}

test('a figure and its animations are read, with the buffers beside it', () => {
  const gltf = open();
  assert.equal(gltf.info.generator, 'a test');
  assert.deepEqual(gltf.animations, [{ name: 'turn', begin: 0, end: 2 }]);
  assert.equal(gltf.linkOf(2), gltf.model.findLink('hand'));
  assert.equal(gltf.linkOf(3), -1);
  const clip = gltf.clip('turn');
  assert.equal(clip.count, 3);
  // y up becomes z up; after one second the arm has turned by 90 degrees
  const hand = (time) => gltf.model.state(clip.at(time)).transform('hand').slice(9);
  near(hand(0), [0.5, 0, 1], 1e-6);
  near(hand(1), [0, 0.5, 1], 1e-6);
  near(hand(0.5), [0.5 * Math.SQRT1_2, 0.5 * Math.SQRT1_2, 1], 1e-6);
  assert.throws(() => gltf.clip('tern'), /did you mean 'turn'/);
  assert.throws(() => gltf.clip(1), /no animation 1 among 1/);
});

test('a file is written with a clip more, and all else as it was', () => {
  const gltf = open();
  const half = gltf.clip().slice(0, 1);
  const glb = gltf.write(half, { name: 'half' });
  const json = jsonOf(glb);
  assert.deepEqual(json.extras, figure().extras);
  assert.deepEqual(
    json.animations.map(({ name }) => name),
    ['turn', 'half'],
  );
  const again = clips.gltf(glb);
  assert.equal(again.animations.length, 2);
  near(again.clip('half').at(0.7), half.at(0.7), 1e-6);
  near(again.clip('turn').at(1.7), gltf.clip().at(1.7), 1e-6);
  // in the place of its name, alone, and as text
  const replaced = gltf.write(half, { name: 'turn', binary: false });
  const text = JSON.parse(new TextDecoder().decode(replaced));
  assert.equal(text.animations.length, 1);
  assert.match(text.buffers[0].uri, /^data:/);
  assert.equal(clips.gltf(replaced).animations[0].end, 1);
  assert.equal(jsonOf(gltf.write(half, { name: 'x', onlyThis: true })).animations.length, 1);
});

test('what is wrong is refused with its place', () => {
  const refused = (edit, pattern, files) => {
    const json = figure();
    edit(json);
    assert.throws(() => open(json, files), pattern);
  };
  refused((json) => (json.accessors[1].count = 4), /accessors\[1\].*byte/);
  refused((json) => (json.nodes[2].children = [0]), /nodes\[\d\].*cycle/);
  refused((json) => (json.asset.version = '1.0'), /glTF 2 is read/);
  refused((json) => delete json.nodes, /no nodes/);
  refused(() => {}, /buffers\[0\].*'turn it.bin', which is not here/, {});
  refused(() => {}, /has 3 bytes/, { 'turn it.bin': buffer.slice(0, 3) });
  const glb = open().write();
  for (const size of [4, 11, 19, 30, glb.length - 1])
    assert.throws(() => clips.gltf(glb.subarray(0, size)), { name: 'LimberError' });
  assert.throws(() => clips.gltf(new Uint8Array([123, 0xff, 125])), /not UTF-8/);
  assert.throws(() => clips.gltf(new TextEncoder().encode('{"asset":\n{]')), { line: 2 });
});

test('every animation of real files is read, written and read again', { skip: absent }, () => {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.gl(b|tf)$/.test(name));
  assert.ok(names.length > 0);
  for (const name of names) {
    const beside = join(folder, dirname(name));
    const files = Object.fromEntries(
      readdirSync(beside)
        .filter((file) => file.endsWith('.bin'))
        .map((file) => [file, readFileSync(join(beside, file))]),
    );
    const gltf = clips.gltf(readFileSync(join(folder, name)), { name, files });
    for (const [i] of gltf.animations.entries()) {
      const clip = gltf.clip(i);
      const again = clips.gltf(gltf.write(clip, { name: 'again', onlyThis: true }));
      const made = again.clip('again');
      for (const part of [0, 0.3, 0.8, 1]) {
        const time = clip.begin + part * (clip.end - clip.begin);
        const places = (figure, q) => figure.model.state(q).transforms;
        near(places(again, made.at(time)), places(gltf, clip.at(time)), 1e-3, `${name} ${time}`);
      }
    }
  }
});
