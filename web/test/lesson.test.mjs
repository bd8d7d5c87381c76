// The lesson and the board: each unit opens a board by its address, and the board has the unit's text.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, here, onPages, shoot } from './support.mjs';

const { define: board, another } = onPages(undefined, [], { shared: true });

const folder = join(here, '../../docs/lesson');
const units = readdirSync(folder)
  .filter((name) => /^unit\d\.md$/.test(name))
  .map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { number: Number(name[4]), text, id: /^limber view --board (\S+)$/m.exec(text)?.[1] };
  });

board('each unit opens its board, whose button opens the unit', {}, async (page) => {
  assert.equal(units.length, 8);
  for (const { number, text, id } of units) {
    await page.evaluate((id) => limber.board.open(id), id);
    await drawn(page);
    await page.click(`.story button:text("Unit ${number}")`);
    await page.waitForSelector('dialog.unit');
    const [title, words, codes] = await page.$eval('dialog.unit', (dialog) => [
      dialog.querySelector('h1').textContent,
      dialog.textContent,
      [...dialog.querySelectorAll('pre')].map((pre) => pre.textContent),
    ]);
    assert.equal(title, text.split('\n')[0].replace(/^# \d\. /, `Unit ${number}: `));
    assert.ok(!/```|\*\*|\{doc\}|!\[/.test(words), words);
    const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, code]) => code);
    for (const code of blocks) assert.ok(codes.includes(code), code);
    for (const words of await page.$$eval('dialog.unit p', (all) => all.map((p) => p.textContent)))
      assert.match(words, /[.:?)]$/, 'a paragraph is whole');
    // and none is lost
    for (const [, first] of text.matchAll(/\n\n([A-Z][a-z]+ [a-z]+ [a-z]+) /g))
      assert.ok(words.includes(first), first);
    if (number === 4) await shoot(page, 'lesson-unit');
    await page.keyboard.press('Escape');
  }
});

board('an address names a board; one that is none is said to be none', {}, async (page) => {
  assert.ok(page);
  const { page: other, close } = await another({ hash: '#board=5.18' });
  assert.equal(await other.evaluate(() => limber.store.state.board.example), '5.18');
  assert.equal(await other.evaluate(() => limber.store.state.view), 'board');
  assert.equal(await other.evaluate(() => location.hash), '');
  await close();
  const wrong = await another({ hash: '#board=9.99' });
  await wrong.page.waitForFunction(() => /no example '9.99'/.test(document.body.textContent));
  await wrong.close();
  // what begins at its beginning waits there
  const { page: first, close: end } = await another({ hash: '#board=5.1' });
  await drawn(first);
  await first.waitForTimeout(300);
  assert.equal(await first.evaluate(() => limber.store.state.board.cursor), 0);
  await end();
});
