// Every method gives the bits that the native library gives, with and without SIMD.
//
// LIMBER_RESULTS names the program built from results.c; without it these are skipped.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { load } from '../node.js';
import { hashMotion, hashResults, hashSolutions } from './results.mjs';
import { modelText } from './support.mjs';

const program = process.env.LIMBER_RESULTS;
const skip = program ? false : 'LIMBER_RESULTS does not name the native program';
const problems = [
  { model: 'panda', tip: 'panda_hand' },
  { model: 'ur5', tip: 'tool0' },
  { model: 'planar3', tip: 'tip' },
  { model: 'human', tip: 'left_hand' },
];

// of each class of arm one, and one that has no list
const arms = [
  { model: 'ur5', tip: 'tool0' },
  { model: 'kr6', tip: 'tool0' },
  { model: 'stanford', tip: 'tool' },
  { model: 'crx10ia', tip: 'flange' },
  { model: 'iiwa14', tip: 'flange' },
  { model: 'human', tip: 'left_hand' },
];

function runNative(...args) {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

for (const simd of [true, false]) {
  const limber = await load({ simd });
  const where = simd ? 'with SIMD' : 'plain';

  test(`every method, ${where}`, { skip }, () => {
    for (const { name: method } of limber.methods)
      for (const { model: name, tip } of problems) {
        const native = runNative(name, tip, 'position', method, '20');
        const model = limber.model(modelText(name));
        assert.equal(
          hashResults(limber, model, tip, 'position', method, 20),
          native,
          `${method} on ${name}`,
        );
      }
  });

  test(`every solution, ${where}`, { skip }, () => {
    for (const { model: name, tip } of arms) {
      const native = runNative(name, tip, 'pose', 'solutions', '50');
      const model = limber.model(modelText(name));
      assert.equal(hashSolutions(limber, model, tip, 'pose', 50), native, name);
    }
  });

  test(`clips made of clips, ${where}`, { skip }, async () => {
    const withClips = await load({ simd, clips: true });
    for (const name of ['human', 'planar3'])
      assert.equal(
        hashMotion(withClips, withClips.model(modelText(name))),
        runNative(name, 'motion'),
      );
  });
}
