// Accessibility by axe: no serious finding in any view, light or dark, on a desk or a phone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { settled } from './settled.mjs';
import { drawn, onPages, toMotion, toStage } from './support.mjs';

const { define } = onPages(undefined, [], { shared: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** All sections of a panel, with what they have in them. */
const unfold = (page) =>
  page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));

/** What axe finds of serious or critical impact: its rule and where. */
async function findings(page) {
  await drawn(page);
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}

for (const size of ['desk', 'phone'])
  for (const scheme of ['light', 'dark'])
    define(`nothing serious, ${scheme}, ${size}`, { size, scheme }, async (page) => {
      await page.evaluate(() => (document.querySelector('#own').open = true));
      await page.waitForSelector('#own-code', { state: 'attached' });
      assert.deepEqual(await findings(page), [], 'board');
      await toStage(page);
      assert.deepEqual(await findings(page), [], 'stage');
      await toMotion(page);
      await settled(page);
      await page.click('.motion-view .curves-toggle');
      await page.waitForSelector('.curves-plot canvas');
      assert.deepEqual(await findings(page), [], 'motion');
      await unfold(page);
      await page.locator('.pose-table .number').first().waitFor();
      assert.deepEqual(await findings(page), [], 'motion, unfolded');
      await page.click('.brand');
      await page.waitForSelector('.doors[open]');
      assert.deepEqual(await findings(page), [], 'doors');
      await page.keyboard.press('Escape');
    });
