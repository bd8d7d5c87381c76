// Less than the whole page: presenting, and a frame in another page.

import assert from 'node:assert/strict';
import { chain, drop } from './robots.mjs';
import { test } from 'node:test';
import { browser, drawn, onPages, saved, serve, shoot, sizes } from './support.mjs';

const { define, another } = onPages();

const shown = (page, selector) => page.locator(selector).first().isVisible();
const example = (page) => page.evaluate(() => limber.store.state.board.example);

define('presenting has the picture alone, and keys that step', { size: 'desk' }, async (page) => {
  await page.keyboard.press('p');
  await drawn(page);
  for (const hidden of ['header.top', '.view > .examples', '.view > .panel', '.tour'])
    assert.ok(!(await shown(page, hidden)), hidden);
  const before = await example(page);
  await page.keyboard.press('PageDown');
  await drawn(page);
  const next = await example(page);
  assert.notEqual(next, before);
  await page.keyboard.press('PageUp');
  await drawn(page);
  assert.equal(await example(page), before);
  // what is dragged is under the pointer
  const box = await page.locator('svg.board').first().boundingBox();
  const at = [box.x + 0.6 * box.width, box.y + 0.45 * box.height];
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.3 * box.height);
  await page.mouse.down();
  await page.mouse.move(...at, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  const target = await page.locator('svg.board .target').first().boundingBox();
  const off = [target.x + target.width / 2 - at[0], target.y + target.height / 2 - at[1]];
  assert.ok(Math.hypot(...off) < 3, `${off}`);
  await shoot(page, 'presenting');
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return { scrollWidth, clientWidth, scrollHeight, clientHeight };
  });
  assert.ok(scrollWidth <= clientWidth && scrollHeight <= clientHeight);
  await page.keyboard.press('Escape');
  assert.ok(await shown(page, '.view > .panel'));
});

define('a frame has the picture, leads to the page, and keeps nothing', {}, async (page) => {
  await page.evaluate(() =>
    limber.store.change('test', ({ board }) => void (board.target = [3.25, -7.5])),
  );
  const html = await saved(page, 'embed');
  const address = /src="([^"]+)"/.exec(html)[1];
  assert.match(address, /\?embed#s=/);
  const { page: frame, close } = await another({ size: 'small' });
  await frame.goto(address);
  await frame.waitForFunction(() => globalThis.limber);
  await drawn(frame);
  assert.deepEqual(await frame.evaluate(() => limber.store.state.board.target), [3.25, -7.5]);
  for (const hidden of ['header.top', '.view > .examples', '.view > .panel'])
    assert.ok(!(await shown(frame, hidden)), hidden);
  await shoot(frame, 'embedded');
  // the way out leads to what is there then
  await frame.evaluate(() =>
    limber.store.change('test', ({ board }) => void (board.target = [1.5, 6])),
  );
  await frame.hover('.way-out');
  await frame.waitForFunction(
    (old) => !document.querySelector('.way-out').href.endsWith(old),
    address.split('#')[1],
  );
  const href = await frame.getAttribute('.way-out', 'href');
  assert.ok(!href.includes('embed'));
  // what was done in the frame is nowhere else
  assert.deepEqual(await frame.evaluate(() => limber.projects.list()), []);
  assert.equal(await frame.evaluate(() => Object.keys(localStorage).length), 0);
  await close();
});

test('a first visit begins with three doors, whose pictures move and keep still where asked to', async () => {
  const site = await serve();
  for (const [size, reducedMotion] of [
    ['phone', 'no-preference'],
    ['tablet', 'reduce'],
    ['desk', 'no-preference'],
  ]) {
    const { touch = false, ...viewport } = sizes[size];
    const context = await (
      await browser()
    ).newContext({ viewport, reducedMotion, hasTouch: touch, isMobile: touch });
    const page = await context.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(site.address);
    await page.waitForSelector('.doors[open]');
    await shoot(page, `doors-${size}`);
    const looks = () =>
      page.evaluate(() => [...document.querySelectorAll('.doors svg')].map((p) => p.outerHTML));
    // a figure in the air stands on its legs: no stroke leads from the ground to its pelvis
    const longest = await page.$$eval('.doors [data-door="motion"] .skeleton line', (all) =>
      Math.max(
        ...all.map((line) => {
          const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((a) => line[a].baseVal.value);
          return Math.hypot(x2 - x1, y2 - y1);
        }),
      ),
    );
    assert.ok(longest > 0.2 && longest < 0.6, `${longest}`);
    const before = await looks();
    await drawn(page);
    await drawn(page);
    const moved = (await looks()).map((look, i) => look !== before[i]);
    assert.deepEqual(moved, Array(3).fill(reducedMotion !== 'reduce'), size);
    // all of each picture is in sight, and the screen is not longer than the window
    const outside = await page.evaluate(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } =
        document.querySelector('.doors');
      const cut = [...document.querySelectorAll('.doors svg')].filter((svg) => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('.arm, .skeleton, .path')].some((part) => {
          const box = part.getBoundingClientRect();
          return box.top < frame.top || box.bottom > frame.bottom || box.left < frame.left;
        });
      });
      return [scrollHeight - clientHeight, scrollWidth - clientWidth, cut.length];
    });
    assert.deepEqual(outside, [0, 0, 0], size);
    await page.click('.doors [data-door="motion"]');
    await page.waitForFunction(() => limber.store.state.view === 'motion');
    await page.click('#tab-board');
    // who has been here goes on where it was
    await page.reload();
    await page.waitForFunction(() => window.limber);
    await drawn(page);
    assert.equal(await page.locator('.doors').count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  }
  site.stop();
});

test('a folder that is dropped on the doors opens, and so does the message that it does not', async () => {
  const site = await serve();
  for (const [file, shown] of [
    [['r.urdf', chain(['a.stl', 'b.stl'])], () => limber.stage?.model.name === 'r'],
    [['r.fbx', 'FBX'], () => document.querySelector('.toast').textContent.includes('FBX')],
  ]) {
    const context = await (await browser()).newContext();
    const page = await context.newPage();
    await page.goto(site.address);
    await page.waitForSelector('.doors[open]');
    await drop(page, [file], 'page');
    await page.waitForFunction(shown);
    // which may be a moment before they are gone
    await page.waitForFunction(() => document.querySelector('.doors') === null);
    await context.close();
  }
  site.stop();
});
