// What the modules are: no imports, and small.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hasSimd, load } from '../index.js';

for (const file of ['limber.wasm', 'limber-simd.wasm']) {
  const bytes = readFileSync(new URL(`../${file}`, import.meta.url));

  test(`${file} imports nothing`, async () => {
    assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
  });

  test(`${file} is under 256 kB gzipped`, () => {
    const size = gzipSync(bytes, { level: 9 }).length;
    assert.ok(size < 256_000, `${size} bytes`);
  });

  test(`${file} loads from its bytes`, async () => {
    const limber = await load({ module: bytes });
    assert.match(limber.version, /^\d+\.\d+\.\d+$/);
  });
}

test('the module is chosen by what the engine has', async () => {
  assert.equal((await load()).simd, hasSimd());
  assert.equal((await load({ simd: false })).simd, false);
});
