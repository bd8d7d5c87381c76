// All solutions in Chromium: the stage's list, the elbow's arcs, ghosts, and the board's other elbow.

import assert from 'node:assert/strict';
import { drawn, onPages, shoot, slide, toStage } from './support.mjs';

const { define: stage } = onPages(toStage, [], { shared: true });
const { define: board } = onPages(undefined, [], { sharp: true, shared: true });

const state = (page) => page.evaluate(() => limber.store.state.stage);
const open3d = async (page, name) => {
  await page.click(`[data-model="${name}"]`);
  await page.waitForFunction((wanted) => limber.stage.model.name === wanted, name);
};
const tip = async (page, link) => page.evaluate((name) => limber.stage.session.pose(name), link);
const outcome = (page) => page.$eval('.outcome', (e) => ({ kind: e.dataset.outcome }));

stage('all solutions of the target are listed and picked', { size: 'notebook' }, async (page) => {
  await open3d(page, 'kr6');
  await page.evaluate(() => limber.stage.setPose('bent', [0.4, -1.2, 1.6, 0.5, 0.7, 0.3]));
  await drawn(page);
  // as many as the library lists
  const wanted = await page.evaluate(() => {
    const { model, q } = limber.stage;
    const [{ link, target }] = limber.store.state.stage.tips;
    const all = model.solutions({ tip: link }, { outOfLimits: true }).find(target, q);
    return [all.count, all.inLimits];
  });
  assert.ok(wanted[0] === 8 && wanted[1] > 1, String(wanted));
  const rows = page.locator('#solutions li button');
  const counted = async () => [
    await rows.count(),
    await page.locator('#solutions li button:enabled').count(),
  ];
  assert.deepEqual(await counted(), wanted);
  const place = () => page.textContent('#solutions output');
  const begin = await place();
  assert.match(begin, /^\d of 8$/);
  const before = await state(page);
  // round through all within the limits, by keyboard too, and back where it began
  await page.getByLabel('Next solution').focus();
  const seen = new Set();
  for (let i = 0; i < wanted[1]; i++) {
    await page.keyboard.press('Enter');
    await drawn(page);
    const { q, tips } = await state(page);
    seen.add(q.map((x) => x.toFixed(6)).join());
    assert.deepEqual(tips[0].target, before.tips[0].target);
    await page.waitForFunction(() => !limber.stage.world.moving);
    (await tip(page, tips[0].link)).forEach((x, k) =>
      assert.ok(Math.abs(x - tips[0].target[k]) < 1e-9, `solution ${i}, number ${k}`),
    );
    assert.equal((await outcome(page)).kind, 'reached');
  }
  assert.equal(seen.size, wanted[1]);
  assert.equal(await place(), begin);
  // the list picks as well, and the target is followed from there
  const other = page.locator('#solutions button:enabled:not([aria-current]).solution').first();
  const branch = await other.locator('b').textContent();
  await other.click();
  await page.evaluate(() =>
    limber.store.change('on', ({ stage: s }) => void (s.tips[0].target[11] += 0.002)),
  );
  await drawn(page);
  assert.equal(await page.textContent('#solutions [aria-current] b'), branch);
  await shoot(page, 'stage-solutions');
  // without one the reason is said
  await page.evaluate(() =>
    limber.store.change('far', ({ stage: s }) => void (s.tips[0].target[9] = 5)),
  );
  await drawn(page);
  assert.equal(await rows.count(), 0);
  assert.match(await page.textContent('#solutions .note'), /out of reach/);
  await open3d(page, 'panda');
  await drawn(page);
  assert.match(await page.textContent('#solutions .note'), /angles of the panda_joint7/);
  // no arc is no proof
  await page.evaluate(() =>
    limber.store.change('far', ({ stage: s }) => void (s.tips[0].target[9] = 5)),
  );
  await drawn(page);
  assert.match(await page.textContent('#solutions .note'), /nothing within the limits was found/);
  // joint values without end, of a plane
  await open3d(page, 'planar3');
  await drawn(page);
  assert.match(await page.textContent('#solutions .note'), /redundant by 1/);
});

stage(
  'the elbow is moved by its handle while the tool stays',
  { size: 'notebook' },
  async (page) => {
    await open3d(page, 'iiwa14');
    await page.evaluate(() => limber.stage.setPose('bent', [0.4, 0.6, 0.3, -1.4, 0.5, 1, 0.3]));
    await drawn(page);
    const bars = page.locator('#solutions .elbow-row');
    assert.equal(await bars.count(), 8);
    const here = page.locator('#solutions .elbow-row.here');
    assert.equal(await here.count(), 1);
    // as many arcs as the library has, those across the half turn in two parts
    const arcs = await page.evaluate(() => {
      const [{ link, target }] = limber.store.state.stage.tips;
      const { session, model } = limber.stage;
      const elbow = session.limber.clips.elbow(model, { tip: link });
      const found = elbow.arcs(target);
      elbow.release();
      return found;
    });
    const parts = arcs.length + arcs.filter(({ end }) => end > Math.PI).length;
    assert.equal(await page.locator('#solutions .fill > i').count(), parts);
    const before = await state(page);
    const label = await here.locator('input').getAttribute('aria-label');
    // along all of the bar: the tool stays, limits are kept
    const seen = new Set();
    for (const angle of [-2.4, -1.5, -0.5, 0.4, 1.2, 2, 3]) {
      await slide(page.getByLabel(label), angle);
      await drawn(page);
      const { q, tips } = await state(page);
      seen.add(q[0].toFixed(3));
      assert.deepEqual(tips[0].target, before.tips[0].target);
      (await tip(page, tips[0].link)).forEach((x, k) =>
        assert.ok(Math.abs(x - tips[0].target[k]) < 1e-9, `${angle}, number ${k}`),
      );
      assert.ok(await page.evaluate(() => (limber.stage.model.validate(limber.stage.q), true)));
    }
    assert.ok(seen.size >= 3, [...seen].join());
    // another branch by its own bar, with the keyboard; undone in one step
    const other = page.locator('#solutions .elbow-row:not(.here):not(.off) input').first();
    const wanted = await other.getAttribute('aria-label');
    await other.focus();
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    assert.equal(await here.locator('input').getAttribute('aria-label'), wanted);
    await shoot(page, 'stage-elbow');
    // out of reach, or of another tool, there is none
    await page.evaluate(() =>
      limber.store.change('far', ({ stage: s }) => void (s.tips[0].target[9] = 5)),
    );
    await drawn(page);
    assert.equal(await here.count(), 0);
    assert.match(await page.textContent('#solutions .note'), /out of reach/);
  },
);

stage('other solutions are seen through', { size: 'notebook' }, async (page) => {
  const ghosts = () => page.evaluate(() => limber.stage.layer('ghosts').count);
  const show = () =>
    page.evaluate(() => limber.store.change('on', ({ stage: s }) => void (s.show.ghosts = true)));
  await open3d(page, 'ur5');
  await page.evaluate(() => limber.stage.setPose('bent', [0.4, -1.2, 1.6, 0.5, 0.7, 0.3]));
  await drawn(page);
  assert.equal(await ghosts(), 0);
  await show();
  await drawn(page);
  const inLimits = await page.locator('#solutions .solution:enabled:not([aria-current])').count();
  assert.ok(inLimits > 2);
  assert.equal(await ghosts(), inLimits);
  await shoot(page, 'stage-ghosts');
  // of arms with a joint to spare, some of infinitely many; of a figure none
  for (const [name, least] of [
    ['iiwa14', 8],
    ['panda', 4],
    ['human', 0],
  ]) {
    await open3d(page, name);
    await show();
    await drawn(page);
    const count = await ghosts();
    assert.ok(least > 0 ? count >= least : count === 0, `${name}: ${count}`);
  }
});

board('the other elbow has the tip in the same place', { size: 'notebook' }, async (page) => {
  const change = page.locator('#other-elbow');
  const tipOf = () =>
    page.evaluate(() => [...limber.board.runs[0].frames[0].tip, ...limber.store.state.board.start]);
  for (const [links, lengths] of [
    [2, [15, 10]],
    [3, [15, 10, 5]],
  ]) {
    await page.evaluate(
      (wanted) =>
        limber.store.change('arm', ({ board: b }) => {
          b.links = wanted.map((length) => ({ ...b.links[0], length, lower: null, upper: null }));
          b.start = [0.4, 0.9, 0.3].slice(0, wanted.length);
          [b.motion, b.cursor, b.poses] = ['steps', 0, []];
        }),
      lengths,
    );
    await drawn(page);
    const before = await tipOf();
    assert.match(await change.textContent(), /right/);
    await change.click();
    await drawn(page);
    const after = await tipOf();
    assert.match(await change.textContent(), /left/);
    assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9, `${links} links`);
    assert.ok(before[3] * after[3] < 0, `${links} links: the elbow is on the other side`);
    // and back again
    await change.click();
    await drawn(page);
    (await tipOf()).forEach((x, i) => assert.ok(Math.abs(x - before[i]) < 1e-9, `number ${i}`));
  }
  await shoot(page, 'board-elbow');
  // limits exclude it, more links have infinitely many
  await page.evaluate(() =>
    limber.store.change('limit', ({ board: b }) =>
      Object.assign(b.links[1], { lower: 0, upper: 2 }),
    ),
  );
  await drawn(page);
  assert.ok(await change.isDisabled());
  assert.match(await change.getAttribute('title'), /[Ll]imits/);
  await page.evaluate(() =>
    limber.store.change('free', ({ board: b }) =>
      Object.assign(b.links[1], { lower: null, upper: null }),
    ),
  );
  await page.click('#add-link');
  await drawn(page);
  assert.ok(await change.isDisabled());
  assert.match(await change.getAttribute('title'), /infinitely many/);
});

// nothing is cut off at any size, with the elbow's bars and ghosts
stage('the bars of the elbow fit at every size', { sharp: true, alone: true }, async (page) => {
  await page.evaluate(() => limber.stage.open({ from: 'builtin', name: 'iiwa14' }));
  await page.evaluate(() =>
    limber.store.change('on', ({ stage: s }) => void (s.show.ghosts = true)),
  );
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1280, 800],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    await drawn(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const rows = await page.$$eval('#solutions .elbow-row', (all) =>
      all.map((row) =>
        [...row.children].map((e) => e.getBoundingClientRect()).map((b) => [b.left, b.right]),
      ),
    );
    assert.equal(rows.length, 8);
    for (const boxes of rows) {
      assert.ok(boxes.at(-1)[1] <= width, `${width}`);
      boxes.slice(1).forEach(([left], i) => assert.ok(left >= boxes[i][1] - 0.5, `${left}`));
    }
    await shoot(page, `elbow-${width}`);
  }
});
