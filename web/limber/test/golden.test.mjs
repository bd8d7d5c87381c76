// A thousand problems of each robot have the hash that the native library's tests hold,
// bench/golden_table.h, with and without SIMD and at every width.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../node.js';
import { goldenHash } from './golden.mjs';
import { goldenTable, modelText } from './support.mjs';

const table = goldenTable();
const builds = [
  { simd: false, widths: [1] },
  { simd: true, widths: [1, 2] },
];

for (const { simd, widths } of builds) {
  const limber = await load({ simd });
  for (const width of widths)
    test(`the golden table ${simd ? 'with SIMD' : 'plain'}, width ${width}`, () => {
      for (const robot of table)
        assert.equal(
          goldenHash(limber, limber.model(modelText(robot.model)), robot, width),
          robot.hash,
          robot.model,
        );
    });
}
