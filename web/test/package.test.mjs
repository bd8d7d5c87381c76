// The npm package as others use it: its tarball, installed into fresh projects, built and run there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import esbuild from 'esbuild';
import * as vite from 'vite';
import { browser, here, serve } from './support.mjs';

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
const root = mkdtempSync(join(tmpdir(), 'limber-package-'));
after(() => rmSync(root, { recursive: true, force: true }));
run('npm', ['pack', '--silent', '--pack-destination', root], join(here, '../limber'));
const [tarball] = readdirSync(root);

const program = `import { load } from 'limber';
export async function start(options) {
  const limber = await load(options);
  const arm = limber.modelFromDh([{ a: 1 }, { a: 1 }]);
  return [limber.version, arm.nq, limber.clips !== null].join(' ');
}
`;
const wanted = (clips) => new RegExp(`^\\d+\\.\\d+\\.\\d+ 2 ${clips}$`);

const html = '<!doctype html><script type="module" src="./main.js"></script>';

/** A project that has only the package, and these files. */
const files = {
  'package.json': '{ "private": true, "type": "module" }',
  'start.js': program,
  'node.js': "import { start } from './start.js';\nconsole.log(await start());\n",
  'typed.ts': `import { load } from 'limber';
export const nq = async (text: string): Promise<number> =>
  (await load({ clips: true })).model(text).nq;
`,
  'index.html': html,
  'main.js': `import { start } from './start.js';
window.result = start({ clips: true }).catch(String);
`,
  'told.js': `import { start } from './start.js';
import module from 'limber/limber-clips.wasm';
window.result = start({ module: new URL(module, import.meta.url), clips: true, simd: false }).catch(String);
`,
};
const folder = join(root, 'project');
mkdirSync(folder);
for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
run('npm', ['install', '--offline', '--silent', join(root, tarball)], folder);

/** What the page at an address says. */
async function resultAt(address) {
  const page = await (await browser()).newPage();
  try {
    await page.goto(address);
    await page.waitForFunction(() => window.result);
    return await page.evaluate(() => window.result);
  } finally {
    await page.close();
  }
}
after(async () => (await browser()).close());

test('in Node.js, with its licence, and with types that TypeScript accepts', () => {
  assert.match(run('node', ['node.js'], folder).trim(), wanted(false));
  assert.ok(readdirSync(join(folder, 'node_modules/limber')).includes('LICENSE'));
  const tsc = join(here, '../node_modules/typescript/bin/tsc');
  // all declarations are checked, without those of a browser
  run(
    'node',
    [
      tsc,
      ...'--noEmit --strict --target es2022 --module nodenext --lib es2022 typed.ts'.split(' '),
    ],
    folder,
  );
});

test('in a page by esbuild, which copies the module that it is told of', async () => {
  await esbuild.build({
    absWorkingDir: folder,
    ...{ entryPoints: { main: 'told.js' }, bundle: true, format: 'esm', outdir: 'out' },
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'out/index.html'), html);
  const site = await serve([{ under: '/built/', folder: join(folder, 'out') }]);
  assert.match(await resultAt(new URL('/built/', site.address).href), wanted(true));
  site.stop();
});

test('in a page by Vite, built and in development', async () => {
  const config = { root: folder, configFile: false, logLevel: 'error' };
  await vite.build({ ...config, base: './' });
  const site = await serve([{ under: '/built/', folder: join(folder, 'dist') }]);
  assert.match(await resultAt(new URL('/built/', site.address).href), wanted(true));
  site.stop();
  const server = await vite.createServer({ ...config, server: { host: '127.0.0.1', port: 0 } });
  await server.listen();
  assert.match(await resultAt(server.resolvedUrls.local[0]), wanted(true));
  await server.close();
});
