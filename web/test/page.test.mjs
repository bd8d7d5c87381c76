// The page as files: small, and the answers in the browser have the native bits.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { load } from '../limber/index.js';
import { hashAnswers } from '../limber/test/answers.mjs';
import { here, launch, open, serve } from './support.mjs';

const dist = join(here, '../page/dist');

test('all files together are under 1.5 MB gzipped', () => {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sizes = files.map(
    (file) =>
      gzipSync(readFileSync(join(file.parentPath ?? file.path, file.name)), { level: 9 }).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the page is ${(total / 1000).toFixed(0)} kB gzipped`);
  assert.ok(total < 1_500_000, `${total} bytes`);
});

// node's answers are held to the native library's by the package's own tests
test('1,000 problems have the same hash in the browser as in node', async () => {
  const limber = await load();
  const text = readFileSync(join(here, '../../models/panda.json'), 'utf8');
  const expected = hashAnswers(limber, limber.model(text), 'panda_hand', 'pose', 'lm', 1000);
  const site = await serve();
  const browser = await launch();
  const { page, complaints } = await open(browser, site.address);
  const source = readFileSync(join(here, '../limber/test/answers.mjs'), 'utf8').replaceAll(
    'export ',
    '',
  );
  const hash = await page.evaluate(`(() => {
    ${source}
    const model = limber.limber.model(${JSON.stringify(text)});
    return hashAnswers(limber.limber, model, 'panda_hand', 'pose', 'lm', 1000);
  })()`);
  assert.equal(hash, expected);
  assert.deepEqual(complaints, []);
  await browser.close();
  site.stop();
});
