// limber view: the program serves the page with a model, to this machine alone.
//
// LIMBER_PROGRAM names the program; without it, or without libmicrohttpd in it, skipped.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser as common, here, open, shoot } from './support.mjs';

const program = process.env.LIMBER_PROGRAM;

function why() {
  if (!program || !existsSync(program)) return 'LIMBER_PROGRAM does not name the program';
  try {
    execFileSync(program, ['view', '--page', '/nowhere'], { stdio: 'pipe' });
  } catch (error) {
    if (/without libmicrohttpd/.test(error.stderr))
      return 'the program was built without libmicrohttpd';
  }
  return false;
}
const skip = why();

let browser;
before(async () => void (browser = await common()));
after(() => browser?.close());

/** Runs `limber view`, hands its address to `body`, and ends it. */
async function viewing(words, body) {
  const page = join(here, '../page/dist');
  const child = spawn(program, ['view', ...words, '--no-browser', '--page', page]);
  const address = await new Promise((done, fail) => {
    child.stdout.once('data', (data) => done(String(data).trim()));
    child.once('exit', (code) => fail(new Error(`it ended with ${code}`)));
  });
  try {
    await body(address, child);
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGINT');
    const code = await new Promise((done) => child.once('exit', done));
    assert.equal(code, 0);
  }
}

/** A request as it stands: paths are not tidied, headers are as given. */
const ask = (address, path, options = {}) =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(address);
    const asked = request({ hostname, port, path, ...options }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.on('end', () =>
        done({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    asked.on('error', fail);
    asked.end();
  });

test('the page, and nothing else', { skip }, async () => {
  await viewing([], async (address) => {
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const index = await ask(address, '/');
    assert.equal(index.status, 200);
    assert.match(index.text, /<title>limber/);
    for (const path of [
      '/package.json',
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/../../package.json',
      '/assets',
      '//etc/passwd',
      '/model.json',
    ])
      assert.equal((await ask(address, path)).status, 404, path);
    assert.equal((await ask(address, '/', { method: 'POST' })).status, 405);
    // another site's name for this machine
    assert.equal((await ask(address, '/', { headers: { host: 'example.org' } })).status, 403);
    assert.equal((await ask(address, '/', { method: 'HEAD' })).text, '');
  });
});

test('a built-in model stands on the stage', { skip }, async () => {
  await viewing(['ur5'], async (address) => {
    const { page, complaints } = await open(browser, address);
    await page.waitForFunction(() => limber.stage?.model?.name === 'ur5');
    assert.deepEqual(complaints, []);
  });
});

test('a URDF comes with the meshes beside it', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  mkdirSync(join(folder, 'robot/urdf'), { recursive: true });
  mkdirSync(join(folder, 'robot/meshes'));
  const facet = (a, b, c) =>
    `facet normal 0 0 1 outer loop vertex ${a} vertex ${b} vertex ${c} endloop endfacet`;
  const solid = ['0 0 0|.4 0 0|0 .4 0', '0 0 0|0 .4 0|0 0 .4', '0 0 0|0 0 .4|.4 0 0']
    .map((t) => facet(...t.split('|')))
    .join(' ');
  writeFileSync(join(folder, 'robot/meshes/a.stl'), `solid s ${solid} endsolid`);
  writeFileSync(
    join(folder, 'robot/urdf/r.urdf'),
    `<robot name="r"><link name="a"><visual><geometry><mesh filename="package://robot/meshes/a.stl"/></geometry></visual></link>
     <link name="b"><visual><geometry><mesh filename="package://robot/meshes/missing.stl"/></geometry></visual></link>
     <joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 .5"/><axis xyz="0 0 1"/></joint></robot>`,
  );
  await viewing([join(folder, 'robot/urdf/r.urdf')], async (address) => {
    const meshes = JSON.parse((await ask(address, '/meshes.json')).text);
    assert.deepEqual(meshes, { 'package://robot/meshes/a.stl': 'mesh/0/a.stl' });
    assert.equal((await ask(address, '/mesh/0/../urdf/r.urdf')).status, 404);
    const { page, complaints } = await open(browser, address);
    await page.waitForFunction(() => limber.stage?.model?.name === 'r');
    await page.waitForFunction(() => {
      let found = false;
      limber.stage.world.scene.traverse(
        (o) => (found ||= o.isMesh && o.geometry.attributes.position.count === 9),
      );
      return found;
    });
    assert.match(await page.textContent('.stage-note'), /1 mesh is missing/);
    assert.deepEqual(complaints, []);
    await shoot(page, 'view');
  });
});

test('a running robot is followed', { skip }, async () => {
  await viewing(['panda', '--follow'], async (address, child) => {
    const { page, complaints } = await open(browser, address);
    await page.waitForFunction(() => limber.stage?.model?.name === 'panda');
    const before = await page.evaluate(() => limber.store.state.stage.q);
    child.stdin.write('time,panda_joint1,panda_joint4\n');
    const shown = (turn) =>
      page.waitForFunction(
        // by the links that are drawn
        (angle) => {
          const { session } = limber.stage;
          const [x, y] = session.pose('panda_link1');
          return Math.abs(Math.atan2(y, x) - angle) < 1e-9;
        },
        turn,
      );
    for (const turn of [0.4, -1.1, 2.5]) {
      child.stdin.write(`0,${turn},-2\n`);
      await shown(turn);
    }
    assert.equal(await page.textContent('.live:not([hidden])'), '● live, row 3');
    // nothing of it is work of the page's own
    assert.deepEqual(await page.evaluate(() => limber.store.state.stage.q), before);
    child.stdin.end();
    await page.waitForFunction(() =>
      document.querySelector('.toast').textContent.includes('ended after 3'),
    );
    assert.ok(!(await page.isVisible('.live')));
    assert.deepEqual(complaints, []);
  });
});

test('what cannot be is said', { skip }, () => {
  const refused = (words, message) =>
    assert.throws(
      () => execFileSync(program, ['view', ...words], { stdio: 'pipe' }),
      (error) => {
        assert.equal(error.status, 2);
        assert.match(String(error.stderr), message);
        return true;
      },
    );
  refused(['pandaa'], /panda/);
  refused(['--port', '70000'], /--port/);
  refused(['--page', '/nowhere'], /no page in '\/nowhere'/);
});
