// Curves under the timeline: what is drawn is what the library's clips have.

import assert from 'node:assert/strict';
import { settled } from './settled.mjs';
import { drawn, onPages, shoot, toMotion, toStage } from './support.mjs';

const { define } = onPages(toMotion, [], { shared: true });

/** What is drawn: names and numbers of the curves, with the times first. */
const data = (page) => page.evaluate(() => limber.motion.curves);
const open = async (page, of) => {
  await settled(page);
  await page.evaluate(
    (what) =>
      limber.store.adjust(({ motion }) => Object.assign(motion.curves, { open: true, of: what })),
    of,
  );
  await page.waitForSelector('.curves-plot canvas');
  await drawn(page);
};

for (const size of ['desk', 'notebook', 'tablet', 'phone'])
  define(`curves are under the timeline, and along with it: ${size}`, { size }, async (page) => {
    await settled(page);
    await page.click('.motion-view .curves-toggle');
    await page.waitForSelector('.curves-plot canvas');
    await page.evaluate(() => limber.motion.seek(1.2));
    await drawn(page);
    const plot = await page.locator('.curves-plot .u-over').boundingBox();
    const line = await page.locator('.motion-track .ruler').boundingBox();
    assert.ok(Math.abs(plot.x - line.x) < 3, `${plot.x} and ${line.x}`);
    assert.ok(Math.abs(plot.x + plot.width - line.x - line.width) < 3);
    const heads = await page.$$eval('.curves-plot .head, .motion-track .strip > .head', (all) =>
      all.map((e) => e.getBoundingClientRect().x),
    );
    assert.equal(heads.length, 2);
    assert.ok(Math.abs(heads[0] - heads[1]) < 3, heads.join());
    await shoot(page, `curves-${size}`);
    // pressed, the motion goes there
    await page.locator('.curves-plot .u-over').click({ position: { x: plot.width / 2, y: 20 } });
    const [at, end] = await page.evaluate(() => [
      limber.motion.player.time,
      limber.motion.player.end,
    ]);
    assert.ok(Math.abs(at - end / 2) < 0.05, `${at} of ${end}`);
    await page.click('.motion-view .curves-toggle');
    await page.waitForSelector('.curves-plot', { state: 'hidden' });
  });

define('values, speeds and heights are those of the clip', { size: 'desk' }, async (page) => {
  await open(page, 'value');
  const values = await data(page);
  const { joint, far } = await page.evaluate(({ times, curves, name }) => {
    const { clip } = limber.motion.played[0];
    const { model } = clip;
    const of = model.joints.find((each) => each.name === name);
    const shown = limber.store.state.stage.degrees ? Math.PI / 180 : 1;
    let worst = 0;
    // one number as it is, a ball's against the turn that the three make
    times.forEach((time, i) => {
      const q = clip.at(time);
      if (of.kind !== 'ball')
        for (let k = 0; k < of.nq; k++)
          worst = Math.max(worst, Math.abs(q[of.q + k] - shown * curves[k].values[i]));
      else {
        const rpy = curves.slice(0, 3).map(({ values }) => shown * values[i]);
        const turned = model.limber.transforms.quaternion(model.limber.transforms.from({ rpy }));
        const dot = turned.reduce((sum, x, k) => sum + x * q[of.q + k], 0);
        worst = Math.max(worst, 1 - Math.abs(dot));
      }
    });
    return { joint: of.name + of.kind + of.nq, far: worst };
  }, values);
  assert.ok(far < 1e-9, `${joint}: ${far}`);
  await open(page, 'speed');
  const speeds = await data(page);
  // those of the library, and where it is not slowed down what the differences of poses are
  const off = await page.evaluate(({ times, curves, name }) => {
    const { clip } = limber.motion.played[0];
    const of = clip.model.joints.find((each) => each.name === name);
    const shown = limber.store.state.stage.degrees ? Math.PI / 180 : 1;
    const gap = (clip.end - clip.begin) / (clip.count - 1);
    return Math.max(
      ...times.slice(1, -1).map((time, i) => {
        if (time - clip.begin < gap || clip.end - time < gap) return 0;
        const [before, after] = [clip.at(time - gap), clip.at(time + gap)];
        const mean = clip.model.difference(before, after)[of.v] / (2 * gap);
        return Math.abs(mean - curves[0].values[i + 1] * shown);
      }),
    );
  }, speeds);
  assert.ok(off < 1e-6, `${off}`);
  await open(page, 'height');
  const { curves, times } = await data(page);
  assert.deepEqual(
    curves.map(({ name }) => name),
    await page.$$eval('.motion-track .span', (all) => [
      ...new Set(all.map((e) => e.getAttribute('aria-label').split(' rests')[0])),
    ]),
  );
  // a point that rests is at one height
  const rests = await page.evaluate(() =>
    limber.motion.played[0].contacts.map(({ spans, height }) => ({ spans, height })),
  );
  let seen = 0;
  curves.forEach((curve, k) =>
    times.forEach((time, i) => {
      if (!rests[k].spans.some(({ begin, end }) => begin < time && time < end)) return;
      seen++;
      assert.ok(Math.abs(curve.values[i] - 1000 * rests[k].height) < 2, `${curve.name}, ${time}`);
    }),
  );
  assert.ok(seen > 100);
});

define('a limit is drawn, and another figure chosen', { size: 'desk' }, async (page) => {
  await page.selectOption('#retarget select', 'builtin:biped');
  await page.waitForFunction(() => limber.motion.played.length === 2);
  await page.evaluate(() =>
    limber.store.adjust(({ motion }) => Object.assign(motion.curves, { figure: 1 })),
  );
  await open(page, 'value');
  const { curves, name } = await data(page);
  const [lower, upper] = await page.evaluate((joint) => {
    const of = limber.motion.played[1].clip.model.joints.find((each) => each.name === joint);
    const shown = limber.store.state.stage.degrees ? 180 / Math.PI : 1;
    return [of.lower[0] * shown, of.upper[0] * shown];
  }, name);
  assert.deepEqual(
    curves.slice(1).map((curve) => [curve.name, curve.values[0]]),
    [
      ['lower limit', lower],
      ['upper limit', upper],
    ],
  );
  assert.ok(curves[0].values.every((x) => x > lower - 1e-9 && x < upper + 1e-9));
  await shoot(page, 'curves-robot');
  // how far it is from its source, whichever of them is chosen, as limber measures it
  await open(page, 'error');
  const errors = await data(page);
  const names = ['trunk', 'left arm', 'right arm', 'left leg', 'right leg'];
  assert.deepEqual([errors.curves.map((curve) => curve.name), errors.unit], [names, '°']);
  const means = await page.evaluate((names) => {
    const [source, target] = limber.motion.played.map(({ clip }) => clip);
    const report = source.model.limber.clips.fidelity(target, source);
    return names.map((name) => (report[name].mean * 180) / Math.PI);
  }, names);
  errors.curves.forEach(({ name, values }, i) => {
    const mean = values.reduce((sum, x) => sum + x) / values.length;
    assert.ok(Math.abs(mean - means[i]) < 0.02 * means[i] + 0.1, `${name}: ${mean}, ${means[i]}`);
  });
  await page.evaluate(() => limber.store.adjust(({ motion }) => void (motion.curves.figure = 0)));
  await drawn(page);
  await drawn(page);
  assert.deepEqual((await data(page)).curves[1], errors.curves[1]);
  // enlarged, the curves are of what is seen
  const before = (await data(page)).times;
  await page.evaluate(() => limber.motion.zoom(1));
  await drawn(page);
  await drawn(page);
  const after = (await data(page)).times;
  assert.ok(after.at(-1) - after[0] < 0.8 * (before.at(-1) - before[0]));
  assert.equal(after.length, before.length);
});

define('key poses have curves, too', { size: 'notebook' }, async (page) => {
  await toStage(page);
  await page.click('[data-model="panda"]');
  await page.waitForFunction(() => limber.stage.model.name === 'panda');
  assert.ok(!(await page.isVisible('#stage .curves')));
  await page.evaluate(() => {
    const { timeline } = limber.stage;
    timeline.capture();
    limber.stage.setPose('bent', [0.4, -0.6, 0.2, -1, 0.3, 1.9, 0.5, 0.01]);
    timeline.capture();
  });
  await drawn(page);
  await page.click('#stage .curves-toggle');
  await page.waitForSelector('#stage .curves-plot canvas');
  // the joint that moves most, and heights are of feet
  assert.equal((await page.evaluate(() => limber.stage.timeline.curves)).name, 'panda_joint4');
  assert.ok(!(await page.isVisible('#stage .curves .segmented label:last-child')));
  const box = await page.locator('#stage .curves-plot .u-over').boundingBox();
  const line = await page.locator('#stage .track').boundingBox();
  assert.ok(Math.abs(box.x - line.x) < 3 && Math.abs(box.width - line.width) < 6);
  await page.locator('#stage .curves-plot .u-over').click({ position: { x: box.width / 6, y: 9 } });
  await drawn(page);
  const clock = await page.textContent('#stage .timeline .count');
  assert.match(clock, /^0\.50 s/);
  // behind the last key there is no motion
  const told = async (share) => {
    await page.mouse.move(box.x + share * box.width, box.y + 40);
    await drawn(page);
    return page.$$eval('#stage .u-legend .u-value', (all) => all[1].textContent);
  };
  assert.match(await told(0.3), /^[−-]?\d/);
  assert.equal(await told(0.8), '');
  await shoot(page, 'curves-stage');
  // the tool's distance from its target, where that is now
  await page.check('#stage .curves [value="error"]', { force: true });
  await drawn(page);
  await drawn(page);
  const { curves, unit } = await page.evaluate(() => limber.stage.timeline.curves);
  assert.deepEqual([curves.map(({ name }) => name), unit], [['panda_hand'], 'mm']);
  const far = await page.evaluate(() => {
    const { target } = limber.store.state.stage.tips[0];
    const at = limber.stage.model.state().update(limber.store.state.stage.keys[0].q);
    const place = at.transform('panda_hand');
    return 1000 * Math.hypot(...[9, 10, 11].map((k) => place[k] - target[k]));
  });
  assert.ok(Math.abs(curves[0].values[0] - far) < 1e-6, `${curves[0].values[0]} and ${far}`);
});

define('key poses are edited on their curves', { size: 'notebook' }, async (page) => {
  await toStage(page);
  await page.click('[data-model="panda"]');
  await page.waitForFunction(() => limber.stage.model.name === 'panda');
  await page.evaluate(() => {
    const { timeline } = limber.stage;
    limber.store.adjust(({ stage }) => Object.assign(stage, { degrees: true, keys: [] }));
    timeline.capture();
    limber.stage.setPose('bent', [0.4, -0.6, 0.2, -1, 0.3, 1.9, 0.5, 0.01]);
    timeline.capture();
    limber.store.adjust(({ stage }) =>
      Object.assign(stage.curves, { open: true, joint: 'panda_joint4' }),
    );
  });
  const points = page.locator('#stage .key-point');
  await points.nth(1).waitFor();
  const keys = () => page.evaluate(() => structuredClone(limber.store.state.stage.keys));
  const before = await keys();
  const drag = async (i, right, up) => {
    const { x, y, width, height } = await points.nth(i).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (let k = 1; k <= 4; k++)
      await page.mouse.move(x + width / 2 + (k * right) / 4, y + height / 2 - (k * up) / 4);
    await page.mouse.up();
    await drawn(page);
  };
  // without a pointer the legend has what is at the present time
  assert.match(await page.textContent('#stage .u-legend'), /1\.00 s/);
  // a point is on its curve
  const [curve] = (await page.evaluate(() => limber.stage.timeline.curves)).curves;
  const values = (await page.evaluate(() => limber.stage.timeline.curves)).points;
  assert.ok(Math.abs(values[0].value - curve.values[0]) < 1e-9);
  assert.ok(Math.abs(values[1].value - -180 / Math.PI) < 1e-9, `${values[1].value}`);
  // up: the value alone, and the figure is in that pose
  await drag(1, 0, 24);
  const raised = await keys();
  assert.equal(raised[1].time, before[1].time);
  assert.ok(raised[1].q[3] > before[1].q[3] + 0.05, `${raised[1].q[3]}`);
  raised[1].q.forEach((x, k) => k !== 3 && assert.equal(x, before[1].q[k]));
  assert.deepEqual(await page.evaluate(() => limber.stage.q), raised[1].q);
  assert.match(await points.nth(1).getAttribute('aria-label'), /^panda_joint4 at 1 s: −?-?\d/);
  // undone in one step
  await page.click('#undo');
  await drawn(page);
  assert.deepEqual(await keys(), before);
  // to the right: the time alone
  await drag(1, 60, 0);
  const later = await keys();
  assert.ok(later[1].time > before[1].time + 0.1, `${later[1].time}`);
  assert.deepEqual(later[1].q, before[1].q);
  // by keys; limits are kept
  await points.nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await drawn(page);
  const degree = Math.PI / 180;
  assert.ok(Math.abs((await keys())[1].q[3] - before[1].q[3] + degree) < 1e-9);
  for (let i = 0; i < 30; i++) await page.keyboard.press('Shift+ArrowUp');
  await drawn(page);
  const { upper } = await page.evaluate(() =>
    limber.stage.model.joints.find(({ name }) => name === 'panda_joint4'),
  );
  assert.ok(Math.abs((await keys())[1].q[3] - upper[0]) < 1e-9);
  await page.keyboard.press('Delete');
  await drawn(page);
  assert.equal((await keys()).length, 1);
  await page.click('#undo');
  await drawn(page);
  assert.equal((await keys()).length, 2);
  // of speeds nothing is edited
  await page.evaluate(() => limber.store.adjust(({ stage }) => void (stage.curves.of = 'speed')));
  await drawn(page);
  await drawn(page);
  assert.equal(await points.count(), 0);
});
