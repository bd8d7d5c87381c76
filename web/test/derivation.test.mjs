// The derivation of a step on the board: its numbers are the arm's, and each has its arrow.

import assert from 'node:assert/strict';
import { drawn, onPages, shoot } from './support.mjs';

const { define: board } = onPages(undefined, [], { sharp: true, shared: true });

const opened = async (page, method, shows = 'mtable') => {
  await page.evaluate((method) => {
    limber.board.open('5.22');
    limber.store.change('test', ({ board }) => {
      board.panes = [{ method, settings: null, gains: null }];
      board.motion = 'steps';
    });
    limber.board.reset();
  }, method);
  await page.evaluate(() => (document.querySelector('#derivation').open = true));
  await page.waitForSelector(`#derivation ${shows}`);
  await page.waitForTimeout(200);
  await drawn(page);
};
/** The numbers of the first matrix of this name. */
const numbers = (page, name) =>
  page.$eval(`#derivation [data-name="${name}"]`, (table) =>
    [...table.querySelectorAll('mn')].map((n) => Number(n.dataset.value)),
  );

board('the step is derived with the numbers of the arm', {}, async (page) => {
  await opened(page, 'pseudoinverse');
  const equations = await page.$$eval('#derivation h3 .number', (all) =>
    all.map((n) => n.textContent),
  );
  assert.deepEqual(equations, ['5.16', '5.17', '5.18', '5.19', '5.20', '5.21', '5.22', '5.23']);
  const { target, start, next } = await page.evaluate(() => {
    const { target, start } = limber.store.state.board;
    return { target, start, next: [...limber.board.runs[0].frames[1].q] };
  });
  const [v, step, tip] = [
    await numbers(page, 'V'),
    await numbers(page, 'step'),
    await numbers(page, 'E'),
  ];
  v.forEach((x, i) => assert.ok(Math.abs(x - (target[i] - tip[i])) < 1e-9, `V ${v}`));
  step.forEach((x, i) => assert.ok(Math.abs(x - (next[i] - start[i])) < 1e-12, `step ${step}`));
  await shoot(page, 'derivation');
});

board('a number is linked to its arrow, by the pointer and by keys', {}, async (page) => {
  await opened(page, 'pseudoinverse');
  const marked = () =>
    page.$$eval('svg.board .mark', (all) =>
      all.map((each) => ({ of: each.dataset.mark, box: each.getBoundingClientRect().toJSON() })),
    );
  assert.deepEqual(await marked(), []);
  await page.hover('#derivation [data-name="V"] mn');
  await drawn(page);
  const [arrow] = await marked();
  assert.equal(arrow.of, 'V');
  // it ends at the target
  const goal = await page.locator('[aria-label="Target"]').first().boundingBox();
  const [x, y] = [goal.x + goal.width / 2, goal.y + goal.height / 2];
  const inside = x > arrow.box.left - 6 && x < arrow.box.right + 6 && y > arrow.box.top - 6;
  assert.ok(inside && y < arrow.box.bottom + 6, JSON.stringify([arrow, x, y]));
  await shoot(page, 'derivation-marked');
  await page.focus('#derivation [data-name="J"] mn:first-child');
  await drawn(page);
  assert.deepEqual(
    (await marked()).map(({ of }) => of),
    ['g1'],
  );
  await page.keyboard.press('ArrowRight');
  await drawn(page);
  assert.deepEqual(
    (await marked()).map(({ of }) => of),
    ['g2'],
  );
  // one stop for the Tab key
  assert.equal(await page.locator('#derivation mn[tabindex="0"]').count(), 1);
  await page.focus('#derivation [data-name="step"] mtr:nth-child(3) mn');
  await drawn(page);
  assert.deepEqual(
    (await marked()).map(({ of }) => of),
    ['θ3'],
  );
});

board('a sweep has its joints, and what has no equations says so', {}, async (page) => {
  await opened(page, 'ccd');
  await page.hover('#derivation [data-name="tj"] mn');
  await drawn(page);
  assert.equal(await page.locator('svg.board .mark').count(), 1);
  await opened(page, 'inverse', '.note');
  const said = await page.textContent('#derivation');
  assert.match(said, /use .pseudoinverse./);
});
