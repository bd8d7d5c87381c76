// Whole bodies in Chromium: balance above planted feet.

import assert from 'node:assert/strict';
import { drawn, onPages, shoot, toStage } from './support.mjs';

const { define: stage } = onPages(toStage);

/** How far the centre of mass is outside the polygon that the figure stands on, metres; 0: above. */
const outside = (page) =>
  page.evaluate(() => {
    const { session, q } = limber.stage;
    const polygon = session.support(limber.store.state.stage, q);
    session.state.update(q);
    const [x, y] = session.state.centerOfMass().center;
    const off = polygon.map(([ax, ay], i) => {
      const [bx, by] = polygon[(i + 1) % polygon.length];
      return ((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / Math.hypot(bx - ax, by - ay);
    });
    return polygon.length < 3 ? NaN : Math.max(0, ...off);
  });

stage('planted feet stay while what is dragged goes up to a contact', {}, async (page) => {
  await page.evaluate(() => limber.stage.open({ from: 'builtin', name: 'human' }));
  await drawn(page);
  await page.evaluate(() => limber.stage.setRoot('floating'));
  await drawn(page);
  // what measures comes with the first move
  await page.evaluate(() => {
    const q = [...limber.stage.q];
    q[9] += 0.01;
    limber.stage.setPose('moved', q);
  });
  await drawn(page);
  const seen = await page.evaluate(async () => {
    const { stage, store } = limber;
    const frame = () => new Promise(requestAnimationFrame);
    const poseOf = (link) => [...stage.session.pose(link)];
    const { tips } = store.state.stage;
    const hand = tips.findIndex(({ planted }) => !planted);
    const feet = tips.filter(({ planted }) => planted);
    const before = poseOf(tips[hand].link);
    // at once to where the pelvis is
    store.change('target', ({ stage: now }) => {
      now.selected = hand;
      now.tips[hand].target.splice(9, 3, 0, 0, 0.2);
    });
    await frame();
    await frame();
    const after = poseOf(tips[hand].link);
    return {
      went: Math.hypot(...[9, 10, 11].map((k) => after[k] - before[k])),
      feet: feet.map(({ link, target }) =>
        Math.max(...poseOf(link).map((x, k) => Math.abs(x - target[k]))),
      ),
      depths: stage.session.clearance.touching(stage.q).map(({ distance }) => distance),
      words: document.querySelector('.outcome').textContent,
    };
  });
  assert.match(seen.words, /contact: \w+ would go into \w+/);
  assert.ok(seen.went > 0.05, JSON.stringify(seen));
  assert.ok(Math.max(...seen.feet) < 1e-3, JSON.stringify(seen));
  assert.ok(Math.min(0, ...seen.depths) > -2e-6, JSON.stringify(seen));
});

stage('a figure with planted feet keeps its balance', { size: 'notebook' }, async (page) => {
  const balanced = page.getByLabel('Balanced');
  // an arm stands on nothing
  assert.ok(await balanced.isDisabled());
  await page.evaluate(() => limber.stage.open({ from: 'builtin', name: 'human' }));
  await drawn(page);
  await page.evaluate(() => limber.stage.setRoot('floating'));
  await drawn(page);
  const tips = await page.evaluate(() => limber.store.state.stage.tips);
  assert.equal(tips.filter(({ planted }) => planted).length, 2);
  const hand = tips.findIndex(({ planted }) => !planted);
  // it leans out as far as the feet hold it
  const reach = () =>
    page.evaluate((i) => {
      limber.store.change('far', ({ stage: s }) => {
        s.selected = i;
        s.tips[i].target[9] = 1.1;
        s.tips[i].target[11] = 0.7;
      });
    }, hand);
  await reach();
  await drawn(page);
  assert.ok((await outside(page)) > 0.02, String(await outside(page)));
  const feet = () =>
    page.evaluate(() =>
      limber.store.state.stage.tips
        .filter(({ planted }) => planted)
        .map(({ link, target }) => {
          const at = limber.stage.session.pose(link);
          return Math.hypot(...[9, 10, 11].map((k) => at[k] - target[k]));
        }),
    );
  await balanced.check({ force: true });
  await drawn(page);
  assert.ok((await outside(page)) < 1e-3, String(await outside(page)));
  assert.ok((await feet()).every((off) => off < 1e-4));
  assert.ok(await page.evaluate(() => limber.store.state.stage.show.mass));
  await shoot(page, 'stage-balance');
  // undone in one step
  await page.click('#undo');
  await drawn(page);
  assert.ok(!(await balanced.isChecked()));
});
