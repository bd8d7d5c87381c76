// The page as files: small; and the results in the browser have the native bits.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { goldenTable, modelText } from '../limber/test/support.mjs';
import { here, onPages } from './support.mjs';

const { define } = onPages();

// modules are larger where wasm-opt is not there
const more = spawnSync('wasm-opt', ['--version']).status === 0 ? 0 : 16_000;

const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

test('the page is under 679 kB gzipped, its core under 277 kB, that for motion 457 kB', () => {
  const files = readdirSync(join(here, '../page/dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.gz'))
    .map((file) => join(file.parentPath ?? file.path, file.name));
  const total = files.reduce((sum, file) => sum + gzipped(file), 0);
  const modules = files.filter((file) => file.endsWith('.wasm'));
  const workers = files.filter((file) => /worker-[^/]*\.js$/.test(file)).map(gzipped);
  const isForClips = (file) => /limber-clips/.test(file);
  const cores = modules.filter((file) => !isForClips(file)).map(gzipped);
  const forClips = modules.filter(isForClips).map(gzipped);
  assert.deepEqual([cores.length, forClips.length, workers.length], [2, 2, 1]);
  const sum = (sizes) => sizes.reduce((all, size) => all + size, 0);
  // a unit of the lesson comes when it is opened, and none of the others
  const units = files.filter((file) => /unit\d-[^/]*\.js$/.test(file)).map(gzipped);
  assert.equal(units.length, 8);
  const begins = total - sum(forClips) - sum(workers) - sum(units);
  console.log(
    `gzipped: the page ${kilobytes(begins)}, of which the core ${cores.map(kilobytes).join(' and ')}; ` +
      `for motion besides ${forClips.map(kilobytes).join(' and ')}, its worker ${workers.map(kilobytes)}`,
  );
  // an engine loads one of the two cores, one of the others with the first view in space, the worker for motion
  const loaded = begins - Math.min(...cores);
  assert.ok(loaded < 679_000 + more, `${loaded} bytes`);
  assert.ok(Math.max(...cores) < 277_000 + more, `${cores} bytes`);
  assert.ok(Math.max(...forClips) < 457_000 + more, `${forClips} bytes`);
});

test('a first visit loads at most 350 kB gzipped, and nothing of the views in space', () => {
  const dist = join(here, '../page/dist');
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(
    named.length >= 2 && !named.some((path) => /three|world|view/.test(path)),
    named.join(),
  );
  const core = readdirSync(join(dist, 'assets')).find((name) =>
    /^limber-simd-.*\.wasm$/.test(name),
  );
  // the first screen comes by itself, with what it imports
  const doors = readdirSync(join(dist, 'assets'))
    .filter((name) => /^doors-.*\.(js|css)$/.test(name))
    .map((name) => `assets/${name}`);
  assert.equal(doors.length, 2);
  for (const path of doors)
    for (const [, name] of readFileSync(join(dist, path), 'utf8').matchAll(
      /from"\.\/([^"]+\.js)"/g,
    ))
      if (!named.includes(`assets/${name}`)) doors.push(`assets/${name}`);
  assert.ok(doors.length > 2, 'the robots of its pictures');
  const files = ['index.html', `assets/${core}`, ...named, ...doors].map((path) =>
    gzipped(join(dist, path)),
  );
  const total = files.reduce((sum, size) => sum + size, 0);
  console.log(`a first visit: ${kilobytes(total)}`);
  assert.ok(total <= 350_000 + more, `${total} bytes`);
});

define('a thousand problems of each robot have the hash of the native tests', {}, async (page) => {
  const table = goldenTable().map((row) => ({ ...row, text: modelText(row.model) }));
  // by the page's own module, which has SIMD, and by both as the package loads them
  const hashes = await page.evaluate(async (robots) => {
    const { load } = await import('/package/index.js');
    const { goldenHash } = await import('/package/test/golden.mjs');
    const modules = {
      page: limber.limber,
      simd: await load({ simd: true }),
      plain: await load({ simd: false }),
    };
    const all = (module) => robots.map((row) => goldenHash(module, module.model(row.text), row));
    return Object.fromEntries(Object.entries(modules).map(([name, m]) => [name, all(m)]));
  }, table);
  const expected = table.map(({ hash }) => hash);
  assert.deepEqual(hashes, { page: expected, simd: expected, plain: expected });
  assert.ok(await page.evaluate(() => limber.limber.simd));
});
