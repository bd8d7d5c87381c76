// settled.mjs - waiting for the worker of the view of motions.

import { drawn } from './support.mjs';

/** Waits until the page has followed its state, and its worker has nothing more to do. */
export async function settled(page) {
  await drawn(page);
  await page.waitForFunction(() => limber.motion.working === '');
}
