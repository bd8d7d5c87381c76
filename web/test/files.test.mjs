// Files that are dropped on the stage: JSON, URDF alone and with meshes, and what is none.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, here, onPages, shoot, toStage } from './support.mjs';

const { define: stage } = onPages(toStage);

const state = (page) => page.evaluate(() => limber.store.state.stage);

/** Drops files on the stage; [path, text or base64 of bytes] each. */
const drop = (page, files) =>
  page.evaluate((list) => {
    const blobs = new Map(list.map(([path, text]) => [path, new Blob([text])]));
    return limber.stage.openFiles(blobs);
  }, files);

const data = process.env.LIMBER_DATA ?? join(here, '../../../shared/data');
const urdf = join(data, 'urdf/ssik_kuka_iiwa14.urdf');

stage(
  'a real URDF is dropped',
  { skip: existsSync(urdf) ? false : `${urdf} is not there` },
  async (page) => {
    const transfer = await page.evaluateHandle(
      (text) => {
        const items = new DataTransfer();
        items.items.add(new File([text], 'iiwa14.urdf'));
        return items;
      },
      readFileSync(urdf, 'utf8'),
    );
    await page.dispatchEvent('#stage', 'drop', { dataTransfer: transfer });
    await page.waitForFunction(
      () => limber.store.state.stage.q.length === 7 && limber.stage.model.name !== 'panda',
    );
    await drawn(page);
    const { tips, q } = await state(page);
    assert.equal(q.length, 7);
    assert.ok(tips.length > 0);
    await page.evaluate(() =>
      limber.store.change('move', ({ stage: s }) => void (s.tips[0].target[11] -= 0.2)),
    );
    await page.waitForFunction(
      () => document.querySelector('.outcome').dataset.outcome === 'reached',
    );
    await shoot(page, 'stage-urdf');
  },
);

const folder = join(data, 'urdf');
stage(
  'every URDF of the shared data is read as the C library reads it',
  { size: 'small', skip: existsSync(folder) ? false : `${folder} is not there` },
  async (page) => {
    let read = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.urdf'))) {
      const answer = await page.evaluate(
        ([name, text]) => {
          try {
            limber.stage.open({ from: 'file', name, text });
            return '';
          } catch (error) {
            return error.name === 'LimberError' ? error.message : `crash: ${error.stack}`;
          }
        },
        [file, readFileSync(join(folder, file), 'utf8')],
      );
      assert.ok(!answer.startsWith('crash'), `${file}: ${answer}`);
      if (answer) assert.match(answer, new RegExp(file.replace('.', '\\.')), answer);
      else read++;
      await drawn(page);
    }
    assert.ok(read >= 25, `${read} were read`);
  },
);

stage('a URDF comes with its meshes', {}, async (page) => {
  const facet = (a, b, c) =>
    `facet normal 0 0 1 outer loop vertex ${a} vertex ${b} vertex ${c} endloop endfacet`;
  const stl = `solid s ${facet('0 0 0', '.2 0 0', '0 .2 0')} ${facet('0 0 0', '0 .2 0', '0 0 .2')} endsolid`;
  const obj = 'v 0 0 0\nv 0.2 0 0\nv 0 0.2 0.3\nf 1 2 3\n';
  const xml = `<robot name="r"><link name="a"><visual><geometry><mesh filename="package://r/meshes/a.stl"/></geometry></visual></link>
    <link name="b"><visual><geometry><mesh filename="package://r/meshes/b.obj" scale="2 2 2"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 .5"/><axis xyz="0 1 0"/></joint></robot>`;
  await drop(page, [
    ['r/urdf/r.urdf', xml],
    ['r/meshes/a.stl', stl],
    ['r/meshes/b.obj', obj],
  ]);
  await page.waitForFunction(() => limber.stage.model.name === 'r');
  await page.waitForFunction(() => {
    let meshes = 0;
    limber.stage.world.scene.traverse(
      (o) =>
        (meshes +=
          o.isMesh &&
          ['a', 'b'].some((n) => {
            for (let p = o; p; p = p.parent)
              if (p.name === n && p.userData.link !== undefined) return true;
            return false;
          })
            ? 1
            : 0),
    );
    return meshes === 2;
  });
});

stage('limber JSON is dropped; what cannot be read is refused with the place', {}, async (page) => {
  const arm = {
    name: 'mine',
    links: [{ name: 'a' }, { name: 'b' }],
    joints: [
      {
        name: 'j',
        kind: 'revolute',
        parent: 'a',
        child: 'b',
        placement: { xyz: [0, 0, 1] },
        limits: [-1, 1],
      },
    ],
  };
  await drop(page, [['mine.json', JSON.stringify(arm)]]);
  await page.waitForFunction(() => limber.stage.model.name === 'mine');
  arm.joints[0].kindd = 'x';
  await drop(page, [['mine.json', JSON.stringify(arm)]]);
  await page.waitForSelector('.toast[data-kind=error]');
  assert.match(await page.textContent('.toast'), /mine\.json: joints\[0\]\.kindd/);
  assert.equal(await page.evaluate(() => limber.stage.model.name), 'mine');
});
