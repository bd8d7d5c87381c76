// The timeline enlarged down to frames, the pose as a table, weights of the bone map.

import assert from 'node:assert/strict';
import { capture } from '../limber/test/support.mjs';
import { settled } from './settled.mjs';
import { drawn, onPages } from './support.mjs';

/** The walk at its beginning. */
async function toStill(page) {
  await page.click('#tab-motion');
  await page.waitForFunction(() => limber.motion?.played[0]?.name === 'Walk');
  await page.evaluate(() => limber.motion.seek(0));
}
const { define } = onPages(toStill, [], { shared: true });

const frame = async (page) => Number(/frame (\d+)/.exec(await page.textContent('#frame-count'))[1]);
const scale = (page) =>
  page.$eval('.motion-track', (track) => Number(track.style.getPropertyValue('--scale')));
const ruler = (page) => page.locator('.motion-track .ruler').boundingBox();

define('ten thousand frames: each is reached by wheel and pointer', {}, async (page) => {
  await page.setInputFiles('.motion-view .examples input[type=file]', {
    ...{ name: 'long.bvh', mimeType: 'text/plain', buffer: Buffer.from(capture(10_000)) },
  });
  await page.waitForFunction(() => limber.motion.played[0].name === 'long.bvh');
  await page.evaluate(() => limber.motion.seek(0));
  const { x, y, width } = await ruler(page);
  const middle = x + width / 2;
  await page.mouse.move(middle, y + 8);
  for (let i = 0; i < 14; i++) await page.mouse.wheel(0, -400);
  await page.waitForFunction(
    () => Number(document.querySelector('.motion-track').style.getPropertyValue('--scale')) > 1000,
  );
  assert.ok(await page.isVisible('.motion-track .overview'));
  assert.ok(await page.locator('.motion-track .strip.lined').count());
  // what was under the pointer stays there, and its neighbours are pixels apart
  const apart = (width * (await scale(page))) / 9_999;
  await page.mouse.click(middle + apart / 4, y + 8);
  const here = await frame(page);
  assert.ok(Math.abs(here - 5000) < 12, `${here}`);
  await page.mouse.click(middle + (5 / 4) * apart, y + 8);
  assert.equal(await frame(page), here + 1);
  // what is seen goes along with the frame, and where a wheel goes sideways
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
  assert.equal(await frame(page), here + 9);
  const inside = await page.$eval('.motion-track', (track) => {
    const [head, box] = [track.querySelector('.head'), track].map((e) => e.getBoundingClientRect());
    return head.left >= box.left && head.right <= box.right;
  });
  assert.ok(inside);
  const from = () => page.$eval('.motion-track', (t) => Number(t.style.getPropertyValue('--from')));
  const before = await from();
  await page.mouse.wheel(200, 0);
  await page.waitForFunction(
    (was) => Number(document.querySelector('.motion-track').style.getPropertyValue('--from')) > was,
    before,
  );
  // the middle button takes it along
  const held = await from();
  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(middle + 200, y + 8, { steps: 3 });
  await page.mouse.up({ button: 'middle' });
  assert.ok((await from()) < held);
});

define('it is enlarged by keys and buttons, and its part moved by keys', {}, async (page) => {
  await page.focus('.motion-track .ruler');
  for (let i = 0; i < 3; i++) await page.keyboard.press('+');
  const three = await scale(page);
  assert.ok(Math.abs(three - 1.6 ** 3) < 1e-9);
  await page.keyboard.press('-');
  await page.click('.zooms [title^="Zoom the timeline in"]');
  assert.ok(Math.abs((await scale(page)) - three) < 1e-9);
  const bar = page.locator('.motion-track .overview');
  await bar.focus();
  await page.keyboard.press('End');
  assert.equal(await bar.getAttribute('aria-valuenow'), '100');
  assert.match(await bar.getAttribute('aria-valuetext'), /^3\.\d+ to 4\.\d+ s$/);
  await page.keyboard.press('Home');
  assert.equal(await bar.getAttribute('aria-valuenow'), '0');
  // the focus is on the page, and the whole motion is seen
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('z');
  await page.keyboard.press('0');
  assert.deepEqual([await scale(page), await bar.isVisible()], [1, false]);
});

define('two fingers enlarge it', { size: 'phone' }, async (page) => {
  const { x, y, width } = await ruler(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...at) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at.map((px, id) => ({ x: x + px * width, y: y + 10, id })),
    });
  await touch('touchStart', 0.4);
  await touch('touchStart', 0.4, 0.6);
  for (const d of [0.15, 0.2, 0.3, 0.4]) await touch('touchMove', 0.5 - d, 0.5 + d);
  await touch('touchEnd');
  const now = await scale(page);
  assert.ok(now > 3 && now < 5, `${now}`);
});

define('a joint of the pose is given a value, and frames around follow', {}, async (page) => {
  await page.click('#pose summary');
  await page.evaluate(() => limber.motion.step(30));
  await drawn(page);
  const knee = page.getByLabel('left_knee', { exact: true });
  const value = async () => Number((await knee.inputValue()).replace('−', '-'));
  const shown = await value();
  const at = (by = 0) =>
    page.evaluate((frames) => {
      const { clip } = limber.motion.played[0];
      const joint = clip.model.joints[clip.model.findJoint('left_knee')];
      return (clip.key(30 + frames)[joint.q] * 180) / Math.PI;
    }, by);
  assert.ok(Math.abs((await at()) - shown) < 0.06);
  const [near, far] = [await at(5), await at(60)];
  await knee.fill(String((shown + 12).toFixed(1)));
  await knee.press('Enter');
  await settled(page);
  assert.ok(Math.abs((await at()) - shown - 12) < 0.11, `${await at()}`);
  const moved = (await at(5)) - near;
  assert.ok(moved > 1 && moved < 12, `${moved}`);
  assert.equal(await at(60), far);
  assert.match(await page.textContent('.corrections li'), /^left_knee at /);
  // beyond the limits it stays at them
  await knee.fill('1000');
  await knee.press('Enter');
  await settled(page);
  assert.ok((await value()) < 180);
  // values given within half a second are undone together
  do {
    await page.click('#undo');
    await settled(page);
  } while (await page.evaluate(() => limber.motion.corrections.length > 0));
  assert.equal(await value(), shown);
  // those that are looked for
  await page.getByLabel('Joints whose names').fill('elbow');
  assert.equal(await page.locator('.pose-table tbody tr').count(), 2);
});

define('weights of the bone map are edited', {}, async (page) => {
  await page.selectOption('#retarget select', 'builtin:human');
  await page.waitForFunction(() => limber.motion.played.length === 2);
  await page.click('#map summary');
  await page.click('#map >> text=Weights');
  const field = page.getByLabel('Weight of the axes, per radian, head');
  assert.equal(await field.inputValue(), '0.5');
  const head = () =>
    page.evaluate(() => {
      const { clip } = limber.motion.played[1];
      return [...clip.model.state(clip.at(0.6)).transform('head')];
    });
  const before = await head();
  await field.fill('0');
  await field.press('Enter');
  await page.waitForFunction(() => limber.store.state.motion.map.text !== '');
  const { pairs } = JSON.parse(await page.evaluate(() => limber.store.state.motion.map.text));
  assert.equal(pairs.find(({ role }) => role === 'head').orientation, 0);
  await settled(page);
  assert.notDeepEqual(await head(), before);
  await page.getByLabel('Weight of the axes, per radian, head').fill('-1');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Weight of the axes, per radian, head').inputValue(), '0');
});
