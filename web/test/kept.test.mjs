// Nothing is lost: what is done survives reloads, Back, links, other tabs and a crash.

import assert from 'node:assert/strict';
import { chain, drop, stl } from './robots.mjs';
import { choose, drawn, onPages, opened, saved } from './support.mjs';
import { settled } from './settled.mjs';

const { define, another } = onPages();

const again = async (page, act = () => page.reload()) => {
  await act();
  await page.waitForFunction(() => window.limber?.element.isConnected);
  await drawn(page);
};
const state = (page) => page.evaluate(() => limber.store.state);
const edit = (page, x) =>
  page.evaluate((x) => limber.store.change('test', ({ board }) => void (board.target = [x, 1])), x);
const target = async (page) => (await state(page)).board.target[0];
const written = (page) => page.evaluate(() => limber.projects.save());
const projects = (page) => page.evaluate(() => limber.projects.list());
const told = (page, selector, words) =>
  page.waitForFunction(
    ([selector, words]) => document.querySelector(selector)?.textContent.includes(words),
    [selector, words],
  );
const meshes = (page) =>
  page.evaluate(() => limber.stage.figure.whole.then(() => limber.stage.figure.missing.size));

/** A capture of a hip and a leg. */
const capture = `HIERARCHY
ROOT Hips
{ OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  { OFFSET 0 -40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    { OFFSET 0 -40 0 }
  }
}
MOTION
Frames: 8
Frame Time: 0.0333333
${Array.from({ length: 8 }, (_, i) => `0 90 0 0 0 0 0 ${5 * i} 0`).join('\n')}
`;
const robot = chain(['a.stl', 'b.stl']);
const scene = `<mujoco model="scene"><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>`;
const arm = `<mujocoinclude><body name="upper"><joint name="turn" axis="0 1 0"/>
  <geom type="box" size=".1 .1 .1"/><body name="lower" pos="0 0 1"><joint name="bend" axis="0 1 0"/>
  <geom type="box" size=".1 .1 .1"/></body></body></mujocoinclude>`;

define(
  'twenty ways in which work could be lost',
  { size: 'small', reloads: true },
  async (page) => {
    const address = page.url();
    const row = async (what, check) => {
      try {
        await check();
      } catch (error) {
        throw new Error(`${what}: ${error.message}`, { cause: error });
      }
    };
    let link = '';
    let own = '';
    await row('1 an edit is there after a reload at once', async () => {
      await edit(page, 1.25);
      await again(page);
      assert.equal(await target(page), 1.25);
    });
    await row(
      '2 a link does not become the address, so that Back works with one press',
      async () => {
        await page.evaluate(() => limber.show('stage'));
        link = await page.evaluate(() => limber.copyLink());
        assert.equal(page.url(), address);
        await page.goBack();
        assert.equal((await state(page)).view, 'board');
      },
    );
    await row('3 edits after a link was copied are there after a reload', async () => {
      await edit(page, 2.5);
      await written(page);
      await again(page);
      assert.equal(await target(page), 2.5);
      own = await page.evaluate(() => limber.projects.id);
    });
    await row('4 a link that is followed here opens beside the own work', async () => {
      await again(page, () => page.goto(address + link));
      assert.equal(await target(page), 1.25);
      assert.equal(page.url(), address, 'the address does not go on naming the link');
      assert.ok((await projects(page)).some(({ id }) => id === own));
    });
    await row('5 edits of what a link opened are there after a reload', async () => {
      await edit(page, 3.75);
      await written(page);
      await again(page);
      assert.equal(await target(page), 3.75);
    });
    await row('6 Back returns to the own work', async () => {
      await again(page, () => page.goBack());
      assert.equal(await target(page), 2.5);
    });
    await row(
      '7 a link in another tab leaves this one alone; unchanged, it is kept once',
      async () => {
        const other = await another({ size: 'small', hash: link, reloads: true });
        const count = (await projects(other.page)).length;
        assert.equal(await target(other.page), 1.25);
        await again(other.page, () => other.page.goto(`${address}?again${link}`));
        assert.equal((await projects(other.page)).length, count);
        await edit(other.page, 9);
        await written(other.page);
        await other.close();
        await again(page);
        assert.equal(await target(page), 2.5);
      },
    );
    await row('8 a second tab with the same project has a copy', async () => {
      const other = await another({ size: 'small', project: own });
      assert.equal(await target(other.page), 2.5);
      await told(other.page, '.toast', 'open in another tab');
      await edit(other.page, -1);
      await written(other.page);
      await edit(page, 4);
      await written(page);
      await again(page);
      assert.equal(await target(page), 4);
      assert.ok((await projects(page)).some(({ state }) => state.board.target[0] === -1));
      await other.close();
    });
    await row('9 a damaged link leaves the work', async () => {
      await again(page, () => page.goto(`${address}?x#s=AAAA`));
      await told(page, '.toast', 'damaged');
      assert.equal(await target(page), 4);
    });

    // files: all are opened first, and looked for after one reload
    await page.evaluate(() => limber.show('stage'));
    await page.waitForFunction(() => limber.stage?.model);
    await row('10 undo returns to a model with its meshes', async () => {
      await drop(page, [
        ['r/urdf/r.urdf', robot],
        ['r/meshes/a.stl', stl],
        ['r/meshes/b.stl', stl],
      ]);
      await page.evaluate(() => limber.stage.open({ from: 'builtin', name: 'planar2' }));
      await page.evaluate(() => limber.store.undo());
      await drawn(page);
      assert.equal(await meshes(page), 0);
    });
    await page.evaluate(() => {
      const { stage } = limber;
      limber.stage.setPose('test', Array.from(stage.q).fill(0.5, 0, 1));
    });
    await page.evaluate(() => limber.show('motion'));
    await page.waitForFunction(() => limber.motion?.played.length > 0);
    await choose(page, { name: 'leg.bvh', text: capture });
    await opened(page, 'leg.bvh');
    await page.evaluate(() => limber.motion.player.toggle(false));
    await choose(page, { name: 'r.urdf', text: robot });
    await page.waitForFunction(() => limber.store.state.motion.onto === 'file');
    await settled(page);
    await page.evaluate(() =>
      limber.store.change('test', ({ motion }) => {
        motion.take = `leg.bvh, ${limber.motion.shelves.motion.files.get('leg.bvh').size}, 0`;
        motion.options.margin = 0.02;
        motion.corrections = [
          {
            on: 'source',
            link: '',
            joint: 'LeftUpLeg',
            point: [0, 0, 0],
            time: 0.1,
            by: [0, 0.2, 0],
            width: 0.2,
          },
        ];
      }),
    );
    const kept = async () => {
      await page.waitForFunction(() => limber.motion?.played[0]?.name === 'leg.bvh');
      await page.evaluate(() => limber.motion.player.toggle(false));
      await settled(page);
      await row('11 a capture is there', async () =>
        assert.equal(await page.evaluate(() => limber.motion.played[0].clip.count), 8),
      );
      await row('12 its corrections are there', async () =>
        assert.equal(await page.evaluate(() => limber.motion.corrections.length), 1),
      );
      await row('13 options are there', async () =>
        assert.equal((await state(page)).motion.options.margin, 0.02),
      );
      await row('14 the figure that it goes onto is there', async () => {
        assert.equal((await state(page)).motion.onto, 'file');
        await told(page, '.motion-view .panel', 'r.urdf');
      });
      await page.evaluate(() => limber.show('stage'));
      await page.waitForFunction(() => limber.stage?.model?.name === 'r');
      await row('15 a model and its pose are there', async () =>
        assert.equal(await page.evaluate(() => limber.stage.q[0]), 0.5),
      );
      await row('16 its meshes are there', async () => assert.equal(await meshes(page), 0));
    };
    await written(page);
    await again(page);
    await kept();
    await row('17 a link says before it is copied what it lacks', async () => {
      await page.click('#share');
      const words = await page.textContent('dialog[open]');
      assert.match(words, /2 files of r\.urdf with its meshes/);
      assert.match(words, /the motion leg\.bvh/);
      assert.match(words, /the figure r\.urdf/);
      await page.keyboard.press('Escape');
    });
    let file;
    await row('18 a project is one file, and that is a project again', async () => {
      file = await saved(page, 'project', '');
      await again(page, async () => {
        const navigated = page.waitForNavigation();
        await drop(page, [['mine.limber', [...file]]], 'openFiles');
        await navigated;
      });
      await page.evaluate(() => limber.show('motion'));
      await kept();
    });
    await row('19 an MJCF folder with what it includes is there', async () => {
      await drop(page, [
        ['m/scene.xml', scene],
        ['m/parts/arm.xml', arm],
      ]);
      await page.waitForFunction(() => limber.stage.model.joints.length === 2);
      await written(page);
      await again(page);
      assert.equal((await state(page)).stage.model.name, 'scene.xml');
      await page.waitForFunction(() => limber.stage?.model?.joints.length === 2);
    });
    await row('20 after a crash a new tab goes on with the last project', async () => {
      await edit(page, 7.5);
      await written(page);
      const id = await page.evaluate(() => limber.projects.id);
      const { length } = await projects(page);
      await page.goto(new URL('/package/package.json', address).href);
      const other = await another({ size: 'small', project: '' });
      assert.equal(await target(other.page), 7.5);
      assert.equal(await other.page.evaluate(() => limber.projects.id), id);
      // named and deleted
      await other.page.click('#save');
      await other.page.click('[data-save=projects]');
      const rows = other.page.locator('.projects li');
      const listed = (n) =>
        other.page.waitForFunction(
          (n) => document.querySelectorAll('.projects li').length === n,
          n,
        );
      await listed(length);
      await rows.first().locator('input').fill('Mine');
      await rows.first().locator('input').blur();
      other.page.on('dialog', (dialog) => dialog.accept());
      await rows.nth(1).locator('text=Delete').click();
      await listed(length - 1);
      const left = await projects(other.page);
      assert.equal(left.length, length - 1);
      assert.equal(left[0].name, 'Mine');
      await other.close();
    });
  },
);

define(
  'what can be undone and redone outlives reloads, written before or left at once',
  { size: 'small', reloads: true },
  async (page) => {
    const change = (x, label) =>
      page.evaluate(
        ([x, label]) => limber.store.change(label, ({ board }) => void (board.target = [x, 1])),
        [x, label],
      );
    const first = await target(page);
    await change(2, 'one');
    await page.evaluate(() =>
      limber.store.change('other', ({ board }) => void (board.panes = [board.panes[0]])),
    );
    await change(3, 'two');
    await page.evaluate(() => limber.store.undo());
    for (const leave of [written, () => {}]) {
      await leave(page);
      await again(page);
      assert.equal(await target(page), 2);
      await page.click('#redo');
      assert.equal(await target(page), 3);
      await page.waitForFunction(() => document.querySelector('#redo').disabled);
      const panes = [];
      for (let i = 0; i < 3; i++) {
        await page.click('#undo');
        panes.push((await state(page)).board.panes.length);
      }
      assert.equal(await target(page), first);
      assert.ok(panes[0] === 1 && panes[1] > 1, `${panes}`);
      await page.waitForFunction(() => document.querySelector('#undo').disabled);
      for (let i = 0; i < 2; i++) await page.click('#redo');
      assert.equal(await target(page), 2);
    }
  },
);
