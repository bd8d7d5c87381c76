// The package gives the bits that the native library gives, with and without SIMD.
//
// LIMBER_ANSWERS names the program built from answers.c; without it these are skipped.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { load } from '../index.js';
import { hashAnswers } from './answers.mjs';
import { modelText } from './support.mjs';

const program = process.env.LIMBER_ANSWERS;
const skip = program ? false : 'LIMBER_ANSWERS does not name the native program';
const problems = [
  { model: 'panda', tip: 'panda_hand', kind: 'pose' },
  { model: 'ur5', tip: 'tool0', kind: 'pose' },
  { model: 'planar3', tip: 'tip', kind: 'position' },
  { model: 'human', tip: 'left_hand', kind: 'position' },
];

for (const simd of [true, false]) {
  const limber = await load({ simd });
  const where = simd ? 'with SIMD' : 'plain';

  test(`1,000 problems of each model, ${where}`, { skip }, () => {
    for (const { model: name, tip, kind } of problems) {
      const native = execFileSync(program, [name, tip, kind, 'lm', '1000'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      assert.match(native, /^[0-9a-f]{16}$/);
      const model = limber.model(modelText(name));
      assert.equal(hashAnswers(limber, model, tip, kind, 'lm', 1000), native, name);
    }
  });

  test(`every method, ${where}`, { skip }, () => {
    for (const { name: method } of limber.methods)
      for (const { model: name, tip } of problems) {
        const native = execFileSync(program, [name, tip, 'position', method, '20'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }).trim();
        const model = limber.model(modelText(name));
        assert.equal(
          hashAnswers(limber, model, tip, 'position', method, 20),
          native,
          `${method} on ${name}`,
        );
      }
  });
}
