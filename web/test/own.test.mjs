// The user's own method on the board: beside the library's, stopped, shown, and not run unasked.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { drawn, onPages, shoot } from './support.mjs';

const { define: board, another } = onPages(undefined, [], { shared: true });

const openOwn = async (page) => {
  await page.click('#own summary');
  await page.waitForSelector('#own-code');
};
const run = async (page, code) => {
  await page.fill('#own-code', code);
  await page.click('#own-run');
};
const words = (page) => page.textContent('.own-words');
const said = (page, what) =>
  page.waitForFunction(
    (what) => new RegExp(what).test(document.querySelector('.own-words')?.textContent),
    what,
  );
/** The board of the textbook's arm from the start to the target, with methods as the book has them. */
const steps = (page, methods = [], more = {}) =>
  page.evaluate(
    ([methods, more]) =>
      limber.store.change('test', ({ board }) => {
        board.motion = 'steps';
        board.target = [-20, 5];
        board.iterations = 100;
        board.cursor = -1;
        board.panes = methods.map((method) => ({ method, settings: null, gains: null }));
        Object.assign(board.settings, { escape: false, stepLimit: 1000, alpha: 0.001 });
        Object.assign(board, more);
      }),
    [methods, more],
  );
const runs = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      limber.board.runs.map(({ method, frames, status }) => [
        method,
        { status: status.kind, words: status.words, q: frames.map(({ q }) => [...q]) },
      ]),
    ),
  );
const choose = (page, id) => page.selectOption('#own .choice select', id);
const nearly = (a, b, what) => {
  assert.equal(a.length, b.length, what);
  for (const [k, q] of a.entries())
    for (const [i, angle] of q.entries())
      assert.ok(
        Math.abs(angle - b[k][i]) < 1e-9,
        `${what}: frame ${k}, joint ${i}: ${angle} ${b[k][i]}`,
      );
};

board('a broken method along a path is refused, though it begins at the goal', {}, async (page) => {
  await page.click('[data-example="5.24"]');
  await drawn(page);
  await openOwn(page);
  await run(page, "function step(arm, q, target) {\n  throw new Error('no idea');\n}");
  await page.waitForFunction(() =>
    limber.board.runs.some(({ method, status }) => method === 'own' && status.kind === 'refused'),
  );
  await drawn(page);
  // and its row has no error of 0
  const cells = await page.$$eval('tr:has([data-method="own"]) td:not(.sample, .mark)', (all) =>
    all.map((cell) => cell.textContent),
  );
  assert.deepEqual([...new Set(cells)], ['']);
});

board('the examples are the methods of the library, and one never arrives', {}, async (page) => {
  await openOwn(page);
  for (const [id, method] of [
    ['Plain transpose', 'transpose'],
    ['Cyclic descent from the tip', 'ccd'],
  ]) {
    await steps(page, [method]);
    await choose(page, id);
    await said(page, 'arrived');
    const got = await runs(page);
    // the library ends within a sweep once it is there
    const but = method === 'ccd' ? -1 : undefined;
    nearly(got.own.q.slice(0, but), got[method].q.slice(0, but), id);
  }
  await steps(page, ['ccd']);
  await choose(page, 'A scale too great');
  await page.waitForFunction(() => limber.board.runs.at(-1).frames.length === 101);
  assert.match(await words(page), /moving/);
  // a picture, a curve and a row of its own
  assert.equal(await page.locator('.caption[data-method="own"]').count(), 1);
  assert.match(await page.textContent('svg.plot'), /Your method|own/);
  assert.match(await page.textContent('.methods tr:has([data-method="own"])'), /100/);
  await shoot(page, 'own');
});

board('along a path, and while the target is dragged', {}, async (page) => {
  await openOwn(page);
  await choose(page, 'Plain transpose');
  await steps(page, ['transpose', 'own'], { motion: 'path', frames: 20, perFrame: 3 });
  await page.waitForFunction(() => limber.board.runs[1].frames.length === 21);
  const path = await runs(page);
  nearly(path.own.q, path.transpose.q, 'path');
  // followed: as many iterations, the same configurations
  await steps(page, ['transpose', 'own'], { motion: 'follow', poses: [] });
  await page.waitForFunction(() => limber.board.runs[1].status.kind === 'arrived');
  const followed = await runs(page);
  nearly(followed.own.q, followed.transpose.q, 'follow');
  const goals = [
    [10, 18],
    [-3, -22],
  ];
  for (const goal of goals) {
    await steps(page, ['transpose', 'own'], { motion: 'follow', target: goal, cursor: -1 });
    await page.waitForFunction(() => limber.board.busy);
    await page.waitForFunction(() => !limber.board.busy);
  }
  const ends = await page.evaluate(() =>
    limber.board.runs.map(({ frames }) => frames.at(-1).error),
  );
  assert.ok(
    ends.every((error) => error < 0.03),
    `${ends}`,
  );
});

board('variables outside of the step are kept while a target is followed', {}, async (page) => {
  await openOwn(page);
  await steps(page, ['ccd'], { motion: 'follow', pace: 3 });
  await run(page, 'let n = 0;\nconst step = (arm, q) => (n++, q.map((x) => x + n / 1e6));');
  // the table's runs come between
  for (const x of [12, 14, 16]) {
    await steps(page, ['ccd', 'own'], { motion: 'follow', target: [x, 10], cursor: -1 });
    await page.waitForTimeout(100);
  }
  await page.waitForFunction(() => limber.board.runs[1].frames.length > 40);
  const { q } = (await runs(page)).own;
  for (let k = 1; k < 40; k++)
    assert.ok(Math.abs(q[k][0] - q[k - 1][0] - k / 1e6) < 1e-12, `step ${k}`);
});

board('what a step does wrong is said, with its line', {}, async (page) => {
  await openOwn(page);
  await steps(page, ['ccd']);
  for (const [code, expected] of [
    [
      'function step(arm, q, target) {\n  return arm.reach(q);\n}',
      /TypeError: .*reach.* \(line 2\)/,
    ],
    ['function step(arm, q, target) {\n  return q +;\n}', /SyntaxError: .* \(line 2\)/],
    ['const steps = 3;', /there is no function step/],
    ['const step = (arm, q) => q.slice(1);', /returned 2 numbers; it must return an array of 3/],
    ['const step = (arm, q) => [0, NaN, 0];', /returned NaN for joint 2/],
    ['const step = (arm, q) => void (q[0] = 1);', /returned undefined/],
    ['const step = (arm, q) => q;', /stands still/],
    [
      'let n = 0;\nconst step = (arm, q) => {\n  if (n++ === 4) throw "enough";\n  return q.map((x) => x + 0.01);\n};',
      /enough/,
    ],
    ['const step = () => postMessage({ frames: [["x", 1, 2]] });', /answered in place of its step/],
  ]) {
    await run(page, code);
    await said(page, expected.source);
    assert.equal((await runs(page)).ccd.status, 'arrived');
  }
  // the steps before a failure are kept
  await run(
    page,
    'let n = 0;\nconst step = (arm, q) => {\n  if (n++ === 4) throw "enough";\n  return q.map((x) => x + 0.01);\n};',
  );
  await page.waitForFunction(() => limber.board.runs.at(-1).frames.length === 5);
  await shoot(page, 'own-failed');
});

board('an endless loop is stopped, and the page goes on meanwhile', {}, async (page) => {
  await openOwn(page);
  await steps(page, ['ccd']);
  await run(page, 'function step(arm, q, target) {\n  for (;;);\n}');
  // the board answers while the loop runs
  await page.click('button.method[data-method="lm"]');
  await drawn(page);
  assert.ok((await runs(page)).lm);
  await said(page, 'stopped: no end after 1 s');
  // it is not begun again by what is done next
  await steps(page, ['ccd', 'own'], { target: [5, 20], motion: 'follow', poses: [] });
  await page.waitForFunction(() => !limber.board.busy);
  assert.match(await words(page), /stopped: no end/);
  await choose(page, 'Plain transpose');
  await said(page, 'arrived');
});

board('the code has limits of joints, and reaches nothing of the page', {}, async (page) => {
  await openOwn(page);
  await steps(page, ['ccd']);
  await page.click('#toggle-limits');
  await run(page, 'const step = (arm, q) => q.map((x) => x + 1);');
  await said(page, 'stands still');
  for (const angle of (await runs(page)).own.q.at(-1))
    assert.ok(Math.abs(angle - Math.PI / 2) < 1e-12, String(angle));
  for (const [what, expected] of [
    ['document', /ReferenceError/],
    ['indexedDB.open("limber")', /SecurityError/],
    ['caches.open("x")', /SecurityError/],
    ['eval("1")', /EvalError/],
    ['importScripts("./x.js")', /Error/],
  ]) {
    await run(page, `const step = () => ${what};`);
    await said(page, expected.source);
  }
  assert.equal(
    await page.evaluate(() => limber.store.state.board.own),
    'const step = () => importScripts("./x.js");',
  );
});

board('no other host is reached', {}, async (page) => {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  await openOwn(page);
  await steps(page, ['ccd'], { motion: 'follow' });
  await run(
    page,
    `let said = '';
fetch('${address}', { mode: 'no-cors' }).then(() => (said = 'reached'), () => (said = 'refused'));
const step = (arm, q) => {
  if (said) throw said;
  return q.map((x) => x + 1e-6);
};`,
  );
  await said(page, '^refused$');
  assert.deepEqual(asked, []);
  server.close();
});

const mark = 'const step = (arm, q) => q.map((x) => x - 0.01);';

board(
  'a code that came with a link is shown, and runs after a press only',
  { alone: true },
  async (page) => {
    await openOwn(page);
    await steps(page, ['ccd']);
    await run(page, mark);
    await said(page, 'moving');
    const hash = await page.evaluate(async () => (await limber.copyLink()) || location.hash);
    const init = () => {
      const Before = Worker;
      globalThis.started = [];
      globalThis.Worker = class extends Before {
        constructor(address, ...rest) {
          globalThis.started.push(String(address).slice(0, 20));
          super(address, ...rest);
        }
      };
    };
    for (const size of ['laptop', 'phone']) {
      const { page: other, complaints, close } = await another({ hash, init, size });
      await other.waitForSelector('#own-code', { state: 'attached' });
      await drawn(other);
      assert.equal(await other.inputValue('#own-code'), mark);
      await said(other, 'press Run');
      for (const motion of ['follow', 'path', 'steps']) {
        await steps(other, ['own', 'ccd'], { motion });
        await drawn(other);
        assert.match((await runs(other)).own.words, /press Run/);
      }
      // undo, another example and a reload start nothing
      await other.keyboard.press('Control+z');
      await other.click('[data-example="5.22"]');
      await drawn(other);
      assert.deepEqual(await other.evaluate(() => globalThis.started), []);
      await shoot(other, `own-link-${size}`);
      if (size === 'phone') await other.tap('.sheet-handle');
      await other.click('#own-run');
      await said(other, 'moving');
      assert.equal((await other.evaluate(() => globalThis.started)).length, 1);
      // another text waits again
      await other.evaluate(() =>
        limber.store.change('test', ({ board }) => void (board.own += '\n')),
      );
      await said(other, 'press Run');
      assert.deepEqual(complaints, []);
      await close();
    }
  },
);

board('a reload goes on with what was started', { alone: true, reloads: true }, async (page) => {
  await openOwn(page);
  await steps(page, ['ccd']);
  await run(page, mark);
  await said(page, 'moving');
  await page.evaluate(() => limber.projects.save());
  await page.reload();
  await page.waitForFunction(() => window.limber);
  await page.waitForFunction(() => limber.board.runs.at(-1)?.frames.length === 101);
});

for (const size of ['desk', 'phone'])
  for (const scheme of ['light', 'dark'])
    board(`it is seen whole, ${size}, ${scheme}`, { size, scheme }, async (page) => {
      await page.evaluate(() =>
        limber.store.change('test', ({ board }) => void (board.iterations = 60)),
      );
      if (size === 'phone') await page.tap('.sheet-handle');
      await openOwn(page);
      await choose(page, 'A scale too great');
      await said(page, 'moving');
      await page.evaluate(() => document.querySelector('#own').scrollIntoView());
      await drawn(page);
      await shoot(page, `own-${size}-${scheme}`);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(wide, 0);
    });
