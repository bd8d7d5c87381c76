// What the modules are: no imports, and small.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compile, hasSimd, load } from '../node.js';

// bytes that a module may have, gzipped: what every page loads, and what one with motion loads
const budgets = {
  'limber.wasm': 277_000,
  'limber-simd.wasm': 277_000,
  'limber-clips.wasm': 457_000,
  'limber-clips-simd.wasm': 457_000,
};

for (const [file, budget] of Object.entries(budgets)) {
  const bytes = readFileSync(new URL(`../${file}`, import.meta.url));

  test(`${file} imports nothing`, async () => {
    assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
  });

  test(`${file} is under ${budget / 1000} kB gzipped`, () => {
    const size = gzipSync(bytes, { level: 9 }).length;
    assert.ok(size < budget, `${size} bytes`);
  });

  test(`${file} loads from its bytes`, async () => {
    const limber = await load({ module: bytes });
    assert.match(limber.version, /^\d+\.\d+\.\d+$/);
    assert.equal(limber.clips !== null, file.includes('clips'));
  });
}

test('the module is chosen by what the engine has', async () => {
  assert.equal((await load()).simd, hasSimd());
  assert.equal((await load({ simd: false })).simd, false);
});

test('a compiled module starts here and in workers', async () => {
  const module = await compile({ clips: true });
  assert.ok(module instanceof WebAssembly.Module);
  const [here, sent] = [await load({ module }), await load({ module: structuredClone(module) })];
  assert.ok(here.clips && sent.clips && here.version === sent.version);
});
