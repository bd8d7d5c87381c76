// The board in Chromium: dragging, methods, stepping, scrubbing, keys, links, phones.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRest, drawn, here, onPages, saved, shoot } from './support.mjs';

const { define: board, another } = onPages(undefined, [], { sharp: true, shared: true });

const state = (page) => page.evaluate(() => limber.store.state.board);
const captions = (page) =>
  page.$$eval('.caption', (all) =>
    all.map((c) => ({
      method: c.dataset.method,
      error: Number(c.dataset.error),
      words: c.textContent,
    })),
  );
const example = async (page, id) => {
  await page.click(`[data-example="${id}"]`);
  await drawn(page);
};
/** Waits until every arm that can move has come to rest. */
const settled = (page) => page.waitForFunction(() => !limber.board.busy);
const centre = async (page, selector) => {
  const box = await page.locator(selector).first().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

board('it loads, and four methods are at work', {}, async (page) => {
  await settled(page);
  const shown = await captions(page);
  assert.equal(shown.length, 4);
  assert.ok(
    shown.some(({ words }) => words.includes('arrived')),
    JSON.stringify(shown),
  );
  await shoot(page, 'board');
});

board('the target is dragged and the tips follow', {}, async (page) => {
  await settled(page);
  const [x, y] = await centre(page, '[aria-label="Target"]');
  const before = (await state(page)).target;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 12; i++) await page.mouse.move(x + 6 * i, y + 3 * i);
  await page.mouse.up();
  await settled(page);
  const { target } = await state(page);
  assert.notDeepEqual(target, before);
  for (const { method, error, words } of await captions(page))
    assert.ok(error < 0.05 || !words.includes('arrived'), `${method}: ${words}`);
  assert.ok((await captions(page)).filter(({ words }) => words.includes('arrived')).length >= 2);
  await shoot(page, 'board-dragged');
});

board('a press beside everything brings the target there', {}, async (page) => {
  const box = await page.locator('svg.board').first().boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.85 * box.height);
  const { target } = await state(page);
  assert.ok(Math.abs(target[0]) < 1 && target[1] < -15, String(target));
});

board('the view holds still while the target is dragged to all edges', {}, async (page) => {
  await settled(page);
  const box = await page.locator('svg.board').first().boundingBox();
  const places = [
    [0.02, 0.5],
    [0.5, 0.03],
    [0.98, 0.5],
    [0.5, 0.97],
  ];
  // the target is as far away as it goes after the third place: the second round is all there
  for (let round = 0; round < 2; round++)
    for (const [u, v] of places) {
      const [x, y] = await centre(page, '[aria-label="Target"]');
      await page.mouse.move(x, y);
      await page.mouse.down();
      const to = [box.x + u * box.width, box.y + v * box.height];
      await page.mouse.move(...to, { steps: 6 });
      await drawn(page);
      const seen = await centre(page, '[aria-label="Target"]');
      const { target, links } = await state(page);
      const reach = links.reduce((sum, { length }) => sum + length, 0);
      // under the pointer, or three times the reach away
      const off = Math.hypot(seen[0] - to[0], seen[1] - to[1]);
      assert.ok(off < 2 || Math.hypot(...target) > 2.99 * reach, `${seen} ${to}`);
      await page.mouse.up();
      // the view eases to what fits
      await atRest(page, '[aria-label="Target"]');
    }
  const { target, links } = await state(page);
  const reach = links.reduce((sum, { length }) => sum + length, 0);
  assert.ok(Math.hypot(...target) <= 3.001 * reach, String(target));
});

board('out of reach is said so, with the distance', {}, async (page) => {
  await page.evaluate(() =>
    limber.store.change('test', ({ board }) => void (board.target = [40, 0])),
  );
  await settled(page);
  await drawn(page);
  for (const { words } of await captions(page)) assert.match(words, /out of reach by 10/);
});

board('a reload, the name and Back keep the work', { reloads: true, alone: true }, async (page) => {
  await example(page, '5.22');
  await page.click('#add-link');
  const before = await state(page);
  await page.click('#tab-stage');
  await page.goBack();
  await page.waitForFunction(() => limber.store.state.view === 'board');
  await page.reload();
  await page.waitForFunction(() => window.limber);
  await drawn(page);
  const after = await state(page);
  assert.deepEqual(after.links, before.links);
  assert.equal(after.example, '5.22');
  await page.click('.brand');
  await page.click('.doors [data-door="board"]');
  assert.deepEqual((await state(page)).links, before.links);
});

board(
  'what is kept is written once after a change, and an idle page writes nothing',
  { alone: true },
  async (page) => {
    await settled(page);
    await page.evaluate(() => {
      window.writes = window.changes = 0;
      const write = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...args) {
        writes++;
        return write.apply(this, args);
      };
    });
    // all that is due by now
    await page.waitForTimeout(1000);
    const written = await page.evaluate(async () => {
      limber.store.subscribe(() => changes++);
      const before = writes;
      limber.store.adjust(({ board }) => void (board.pace = 2));
      await new Promise((later) => setTimeout(later, 1500));
      return [writes - before, changes];
    });
    assert.deepEqual(written, [1, 1]);
    assert.ok((await state(page)).poses.length > 0, 'the present poses are kept');
  },
);

board('the plot has the curves of the example that is here at once', {}, async (page) => {
  const curves = async () => {
    await drawn(page);
    return page.$$eval('svg.plot path.other', (all) => all.map((path) => path.getAttribute('d')));
  };
  await page.evaluate(() => limber.board.update());
  await page.evaluate(() =>
    limber.store.change('test', ({ board }) => {
      Object.assign(board, { motion: 'steps', target: [3.25, -7.5] });
    }),
  );
  const first = await curves();
  await page.evaluate(() => limber.update());
  assert.ok(first.length > 0);
  assert.deepEqual(await curves(), first);
});

board(
  'the plot holds every curve, 0 among them, and tells panes of one method apart',
  {},
  async (page) => {
    for (const [figure, names] of [
      ['5.22', ['gains 0.1, 0.1, 0.5', 'gains 0.1, 0.5, 0.1']],
      ['5.15', ['elbow left', 'elbow right']],
    ]) {
      await example(page, figure);
      await drawn(page);
      const { shown, samples, flat, ticks } = await page.$eval('svg.plot', (svg) => {
        const all = (selector) => [...svg.querySelectorAll(selector)];
        const ys = (path) =>
          [...path.getAttribute('d').matchAll(/[ML]\S+ (\S+)/g)].map((m) => m[1]);
        return {
          shown: all('.name').map((e) => e.textContent),
          samples: all('.sample').map((e) => e.getAttribute('stroke-dasharray') ?? ''),
          // a value that is repeated at an edge was cut off there
          flat: all('path.other').some((path) => ys(path).filter((y) => y === '22.0').length > 1),
          ticks: all('.axes .y').map((e) => e.textContent),
        };
      });
      assert.deepEqual(shown.sort(), names);
      assert.equal(new Set(samples).size, 2);
      assert.ok(!flat, figure);
      assert.ok(ticks.includes('0'), ticks.join());
    }
  },
);

board('a file dropped on the board opens on the stage', { alone: true }, async (page) => {
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    const text = JSON.stringify({
      limber: 1,
      name: 'dropped',
      links: [{ name: 'a' }, { name: 'b' }],
      joints: [{ name: 'j', kind: 'revolute', parent: 'a', child: 'b', limits: [-1, 1] }],
    });
    transfer.items.add(new File([text], 'dropped.json'));
    document
      .querySelector('svg.board')
      .dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
  });
  await page.waitForFunction(() => limber.stage?.model.name === 'dropped');
  await page.click('#tab-board');
});

board(
  'the first minute: each step is ticked off, and can be dismissed',
  { alone: true },
  async (page) => {
    const tour = page.locator('.tour');
    if (!(await tour.isVisible())) return;
    assert.match(await tour.textContent(), /1 of 4/);
    const [x, y] = await centre(page, '[aria-label="Target"]');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() =>
      document.querySelector('.tour').textContent.includes('2 of 4'),
    );
    await page.click('.tour [title^="Dismiss"]');
    assert.ok(!(await tour.isVisible()));
  },
);

board('words of the story act', {}, async (page) => {
  await example(page, '5.20b');
  await page.click('.story .act:has-text("12")');
  assert.equal((await state(page)).settings.damping, 12);
});

board(
  'the plot tells values under the pointer and marks the moves of the target',
  {},
  async (page) => {
    await settled(page);
    await page.evaluate(() =>
      limber.store.change('t', ({ board }) => void (board.target = [9, 9])),
    );
    await settled(page);
    await drawn(page);
    assert.match(await page.getAttribute('.plot .move', 'd'), /^M/);
    const box = await page.locator('svg.plot').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await drawn(page);
    assert.equal(await page.locator('.crosshair .value').count(), 4);
  },
);

board('all pictures and the plot are saved as one SVG', { alone: true }, async (page) => {
  await settled(page);
  await drawn(page);
  const text = await saved(page, 'svg-all');
  const found = await page.evaluate((source) => {
    const { documentElement: sheet } = new DOMParser().parseFromString(source, 'image/svg+xml');
    const inner = [...sheet.children].filter(({ localName }) => localName === 'svg');
    const colorOf = (curve) => getComputedStyle(curve).color;
    const curves = [...document.querySelectorAll('svg.plot .curve:has(.line)')];
    return {
      root: sheet.localName,
      width: Number(sheet.getAttribute('width')),
      captions: [...sheet.children].filter((e) => e.localName === 'text').map((e) => e.textContent),
      pictures: inner.length,
      plotNames: [...inner.at(-1).querySelectorAll('text')].map((e) => e.textContent),
      curves: curves.map((curve) => {
        const line = [...inner.at(-1).querySelectorAll('path')].find(
          (e) =>
            e.getAttribute('d') === curve.querySelector('.line').getAttribute('d') &&
            e.getAttribute('stroke') === colorOf(curve),
        );
        return line?.getAttribute('d').split('L').length ?? 0;
      }),
      own: sheet.querySelectorAll('[class], [style]').length,
    };
  }, text);
  assert.equal(found.root, 'svg');
  assert.ok(found.width > 400, String(found.width));
  const titles = [
    'Damped least squares',
    'Cyclic coordinate descent',
    'FABRIK',
    'Jacobian transpose',
  ];
  assert.equal(found.captions.length, titles.length);
  for (const [i, title] of titles.entries())
    assert.ok(found.captions[i].includes(title), `${found.captions[i]}: ${title}`);
  assert.equal(found.pictures, titles.length + 1);
  for (const name of ['damped', 'ccd', 'fabrik', 'transpose'])
    assert.ok(found.plotNames.includes(name), `${name} in ${found.plotNames}`);
  // a curve of several points for each method, in its colour
  assert.equal(found.curves.length, titles.length);
  for (const points of found.curves) assert.ok(points > 4, String(found.curves));
  assert.equal(found.own, 0, 'nothing depends on the style sheet of the page');
});

board('no name in the table of methods is cut', { size: 'notebook' }, async (page) => {
  await settled(page);
  const cut = await page.$$eval('button.method', (all) =>
    all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent),
  );
  assert.deepEqual(cut, []);
  const styles = await page.$$eval('.methods tbody th, button.method', (all) =>
    all.map((e) => getComputedStyle(e).textOverflow),
  );
  assert.ok(styles.every((overflow) => overflow === 'clip'));
});

board('zoom and move of the plane', { alone: true }, async (page) => {
  await settled(page);
  const at = () => page.locator('.reach .area').first().boundingBox();
  const before = await at();
  const box = await page.locator('svg.board').first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await drawn(page);
  const zoomed = await at();
  assert.ok(zoomed.width > 1.5 * before.width, `${zoomed.width} ${before.width}`);
  await page.mouse.dblclick(box.x + 4, box.y + box.height - 4);
  await atRest(page, '.reach .area');
});

board('a joint is dragged: the pose becomes the start', {}, async (page) => {
  await example(page, '5.1');
  const [x, y] = await centre(page, '[aria-label="Tip"]');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y - 80, { steps: 8 });
  const { start, cursor } = await state(page);
  assert.equal(cursor, 0);
  assert.ok(start[2] > 0.9, String(start));
  await page.mouse.up();
});

board('methods are put on show and taken away', {}, async (page) => {
  await page.click('button.method[data-method="lm"]');
  await drawn(page);
  assert.ok((await captions(page)).some(({ method }) => method === 'lm'));
  await page.click('button.method[data-method="lm"]');
  await drawn(page);
  assert.ok(!(await captions(page)).some(({ method }) => method === 'lm'));
  // every method of the table has its figures
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.methods tbody tr:not(.refused)')].every(
      (row) => row.lastChild.textContent !== '',
    ),
  );
});

board('step, scrub and play through the iterations', {}, async (page) => {
  await example(page, '5.20a');
  await page.click('#reset');
  assert.equal((await state(page)).cursor, 0);
  const first = (await captions(page))[0].error;
  await page.click('#step');
  await page.click('#step');
  assert.equal((await state(page)).cursor, 2);
  await page.click('#step-back');
  assert.equal((await state(page)).cursor, 1);
  await page.locator('#scrubber').fill('20');
  await page.waitForFunction(() =>
    document.querySelector('.count').textContent.includes('20 / 20'),
  );
  assert.ok((await captions(page))[0].error < 2, `${first}`);
  await shoot(page, 'board-frames');
  // the curve is a scrubber too
  const box = await page.locator('svg.plot').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const { cursor } = await state(page);
  assert.ok(cursor > 5 && cursor < 15, String(cursor));
  await page.click('#play');
  await page.waitForFunction((from) => limber.store.state.board.cursor !== from, cursor);
});

board('every example opens', {}, async (page) => {
  const ids = await page.$$eval('[data-example]', (all) => all.map((e) => e.dataset.example));
  assert.ok(ids.length > 15);
  for (const id of ids.filter(Boolean)) {
    await page.evaluate((wanted) => limber.board.open(wanted), id);
    await drawn(page);
    assert.equal((await state(page)).example, id);
    const text = await page.textContent('.story p');
    // two sentences, at least
    assert.ok((text.match(/[.:!?](\s|$)/g) ?? []).length >= 2, `${id}: ${text}`);
  }
});

board('the local minimum stays locked without the escape, and opens with it', {}, async (page) => {
  await example(page, 'ccd-3');
  await page.evaluate(() => limber.store.adjust(({ board }) => void (board.cursor = -1)));
  await drawn(page);
  const [locked, free] = await captions(page);
  assert.ok(locked.error > 1 && locked.words.includes('singular'), JSON.stringify(locked));
  assert.ok(free.error < 0.05, JSON.stringify(free));
  await shoot(page, 'board-escape');
});

board(
  'the velocity ellipse is that of the arm, and damping shortens its axes',
  {},
  async (page) => {
    await page.evaluate(() =>
      limber.store.change('ellipse', ({ board }) => {
        board.panes = [{ method: 'damped', settings: { damping: 4 }, gains: null }];
        board.show.ellipse = board.show.changes = true;
      }),
    );
    await drawn(page);
    // the squares of the axes are the eigenvalues of J J^T: their sum and product are known of the arrows,
    // which are half as long as the columns of J; both at one time, as the arm may be on its way
    const [shown, ends] = await page.evaluate(() => {
      const all = (where) => [...document.querySelectorAll(where)].map(({ dataset }) => dataset);
      return [
        all('.ellipses [data-axes]').map(({ axes }) => axes.split(' ').map(Number)),
        all('.changes [data-name]').map(({ name, x, y }) => [name, Number(x), Number(y)]),
      ];
    });
    const [, tipX, tipY] = ends.find(([name]) => name === 'E');
    const arrows = ends.filter(([name]) => name.startsWith('g'));
    const columns = arrows.map(([, x, y]) => [2 * (x - tipX), 2 * (y - tipY)]);
    const sum = (f) => columns.reduce((total, column) => total + f(column), 0);
    const [xx, xy, yy] = [sum(([x]) => x * x), sum(([x, y]) => x * y), sum(([, y]) => y * y)];
    const near = (a, b) => assert.ok(Math.abs(a / b - 1) < 1e-9, `${a} is not ${b}`);
    const [[a, b], damped] = shown;
    near(a * a + b * b, xx + yy);
    near((a * b) ** 2, xx * yy - xy * xy);
    [a, b].forEach((axis, i) => near(damped[i], axis ** 3 / (axis ** 2 + 16)));
    await shoot(page, 'board-ellipse');
  },
);

board(
  'a drag with ellipses makes no element and keeps the view of every picture',
  {},
  async (page) => {
    await page.evaluate(() => limber.store.adjust(({ board }) => void (board.show.ellipse = true)));
    await settled(page);
    const [x, y] = await centre(page, '[aria-label="Target"]');
    const made = await page.evaluate(
      async ([x, y]) => {
        const svg = document.querySelector('svg.board');
        svg.setPointerCapture = () => {};
        const fire = (type, clientX) =>
          svg.dispatchEvent(
            new PointerEvent(type, {
              ...{ pointerId: 1, isPrimary: true, button: 0, buttons: 1, bubbles: true },
              ...{ clientX, clientY: y },
            }),
          );
        const made = [];
        const watch = new MutationObserver((records) =>
          made.push(...records.flatMap(({ addedNodes }) => [...addedNodes])),
        );
        fire('pointerdown', x);
        // numbers of axes that are short come and go
        for (const { children } of document.querySelectorAll('svg.board, svg.plot'))
          for (const layer of children)
            if (!layer.matches('.ellipses, .axes'))
              watch.observe(layer, { childList: true, subtree: true });
        // far out of reach, for which a picture at rest would make room
        for (let i = 1; i <= 30; i++) {
          fire('pointermove', x + 12 * i);
          await new Promise(requestAnimationFrame);
        }
        watch.disconnect();
        fire('pointerup', x + 360);
        return made.map((node) => node.outerHTML ?? node.data);
      },
      [x, y],
    );
    assert.deepEqual(made, []);
  },
);

const program = process.env.LIMBER_PROGRAM ?? join(here, '../../build/limber');
board(
  'the vectors and names of figure 5.18 are those of the program',
  { skip: existsSync(program) ? false : `${program} is not there` },
  async (page) => {
    await example(page, '5.18');
    const shown = await page.$$eval('.changes [data-name]', (all) =>
      all.map(({ dataset: { name, x, y } }) => [name, Number(x), Number(y)]),
    );
    const folder = mkdtempSync(join(tmpdir(), 'limber-'));
    execFileSync(program, ['figures', '--output', folder, '--only', 'figure-5.18']);
    const text = readFileSync(join(folder, 'figure-5.18.csv'), 'utf8');
    rmSync(folder, { recursive: true });
    // marks are where they are, lines and vectors where they lead to
    const rows = text.split('\n').map((row) => row.split(','));
    const named = rows.filter(([what]) => ['line', 'vector', 'mark'].includes(what));
    const expected = new Map(
      named.map(([what, name, x, y, toX, toY]) => [
        name.replace(/_(\d)/, (_, digit) => '₀₁₂₃'[digit]),
        (what === 'mark' ? [x, y] : [toX, toY]).map(Number),
      ]),
    );
    assert.deepEqual(shown.map(([name]) => name).sort(), [...expected.keys()].sort());
    for (const [name, x, y] of shown) {
      const [px, py] = expected.get(name);
      assert.ok(Math.hypot(x - px, y - py) < 1e-9, `${name}: ${x} ${y} is not ${px} ${py}`);
    }
    await shoot(page, 'board-columns');
  },
);

board('undo and redo', {}, async (page) => {
  const before = await state(page);
  await page.click('#add-link');
  assert.equal((await state(page)).links.length, before.links.length + 1);
  await page.click('#undo');
  assert.equal((await state(page)).links.length, before.links.length);
  await page.click('#redo');
  assert.equal((await state(page)).links.length, before.links.length + 1);
  await page.keyboard.press('Control+z');
  assert.deepEqual((await state(page)).links, before.links);
});

board('by keyboard alone', {}, async (page) => {
  await page.keyboard.press('Tab');
  for (let i = 0; i < 120; i++) {
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    if (label === 'Target') break;
    await page.keyboard.press('Tab');
  }
  assert.equal(
    await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
    'Target',
  );
  const { target } = await state(page);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  const moved = (await state(page)).target;
  assert.ok(moved[0] > target[0] && moved[1] > target[1]);
  // on to a joint
  await page.keyboard.press('Tab');
  const { start } = await state(page);
  await page.keyboard.press('ArrowLeft');
  assert.notDeepEqual((await state(page)).start, start);
  await page.keyboard.press('1');
  await page.keyboard.press('r');
  await page.keyboard.press('.');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help', { state: 'visible' });
  await shoot(page, 'help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
});

board('a link restores exactly this', {}, async (page) => {
  await example(page, '5.22');
  await page.click('[data-example="5.22"]');
  await page.evaluate(() =>
    limber.store.change('test', ({ board }) => void (board.target = [3.25, -7.5])),
  );
  const hash = await page.evaluate(() => limber.copyLink());
  const wanted = await state(page);
  const other = await another({ hash });
  const got = await other.page.evaluate(() => limber.store.state.board);
  assert.deepEqual({ ...got, cursor: 0, poses: [] }, { ...wanted, cursor: 0, poses: [] });
  assert.deepEqual(other.complaints, []);
  await other.close();
  // a damaged one says so and harms nothing
  const damaged = await another({ hash: '#s=AAAA' });
  assert.match(await damaged.page.textContent('.toast'), /damaged/);
  await damaged.close();
});

board('a malformed link harms nothing', { alone: true, size: 'small' }, async (page) => {
  const good = await page.evaluate(() => limber.store.state);
  const changed = (edit) => {
    const state = structuredClone(good);
    edit(state);
    return state;
  };
  const strange = [
    changed(({ board }) => (board.links[0].lower = {})),
    changed(({ board }) => (board.links[1].gain = 1e308)),
    changed(({ board }) => (board.target = [1e308, 0])),
    changed(({ board }) => (board.motion = 'dance')),
    changed(({ board }) => (board.panes[0].method = 'guess')),
    changed(({ board }) => (board.settings.damping = 1e300)),
    changed((state) => (Object.assign(state, { view: 'stage' }).stage.model.name = 'nobody')),
    changed(({ stage }) => (stage.tips = [[]])),
    changed(({ stage }) => (stage.tips = [{ link: 'nowhere', target: [1] }])),
    changed(({ stage }) => (stage.gizmo = 'shake')),
    changed(({ stage }) => (stage.keys = [{ time: 1e308, q: [0] }])),
  ];
  await page.click('#tab-stage');
  await page.waitForFunction(() => limber.stage?.model);
  for (const [i, state] of strange.entries()) {
    if (i > 6) state.view = 'stage';
    await page.evaluate(async (state) => {
      const stream = new Blob([JSON.stringify(state)]).stream();
      const squeezed = stream.pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(squeezed).arrayBuffer());
      const letters = btoa(String.fromCharCode(...bytes));
      const hash = `#s=${letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
      history.replaceState(history.state, '', hash);
      await limber.projects.openLink();
    }, state);
    await drawn(page);
    const { stage, board } = await page.evaluate(() => limber.store.state);
    assert.ok(stage.q.every(Number.isFinite) && board.start.every(Number.isFinite), String(i));
    if (i === 6) assert.match(await page.textContent('.toast'), /no model 'nobody'/);
  }
});

board('a link restores arms in pursuit', {}, async (page) => {
  await settled(page);
  const hash = await page.evaluate(() => limber.copyLink());
  const poses = await page.evaluate(() => limber.store.state.board.poses);
  const other = await another({ hash });
  await drawn(other.page);
  const got = await other.page.evaluate(() =>
    limber.board.runs.map(({ frames }) => [...frames[0].q]),
  );
  assert.deepEqual(got, poses);
  await other.close();
});

board('pictures and data are saved', {}, async (page) => {
  await example(page, '5.20b');
  const save = async (id) => {
    await page.click('#save');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[data-save="${id}"]`),
    ]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const svg = (await save('svg')).toString();
  assert.match(svg, /^<svg .*<path/s);
  assert.ok(!svg.includes('var(') && !svg.includes('class='));
  assert.deepEqual([...(await save('png')).subarray(1, 4)], [...Buffer.from('PNG')]);
  const rows = (await save('motion-csv')).toString().trim().split('\n');
  assert.match(rows[0], /^method,frame,joint_1,.*error$/);
  assert.equal(rows.length, 1 + 2 * 21);
  const motion = JSON.parse(await save('motion-json'));
  assert.equal(motion.frames.length, 42);
  assert.equal(JSON.parse(await save('pose')).length, 2);
});

board('on a phone, by touch', { size: 'phone' }, async (page) => {
  await settled(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390);
  // one picture, its method chosen by a chip
  assert.equal(await page.locator('svg.board').count(), 1);
  await page.tap('[data-chip="fabrik"]');
  await drawn(page);
  assert.equal((await captions(page))[0].method, 'fabrik');
  await page.tap('.sheet-handle');
  assert.ok(await page.isVisible('#methods'));
  await page.tap('.sheet-handle');
  // below the tools, above the handle of the sheet
  await page.evaluate(() => scrollBy(0, 120));
  const box = await page.locator('svg.board').first().boundingBox();
  await page.touchscreen.tap(box.x + box.width * 0.6, box.y + box.height * 0.7);
  const { target } = await state(page);
  assert.ok(target[0] > 0 && target[1] < 0, String(target));
  await settled(page);
  await shoot(page, 'board-phone');
});

board('in the dark', { scheme: 'dark', size: 'laptop' }, async (page) => {
  await example(page, 'limits');
  await settled(page);
  await shoot(page, 'board-dark');
});

board('the menu of what can be saved is used by keys, and closed by them', {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.dataset.save ?? '');
  const isOpen = () => page.isVisible('.save .menu');
  const opened = () => page.waitForSelector('.save .menu button');
  const ids = async () =>
    page.$$eval('.save .menu button', (all) => all.map((e) => e.dataset.save));
  await page.click('#save');
  await opened();
  const all = await ids();
  assert.equal(await focused(), all[0]);
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), all[1]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), all.at(-1));
  await page.keyboard.press('Home');
  assert.equal(await focused(), all[0]);
  await page.keyboard.press('Escape');
  assert.ok(!(await isOpen()));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'save');
  // what has the focus next closes it, the button toggles it
  await page.keyboard.press('Enter');
  await opened();
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  assert.ok(!(await isOpen()));
  await page.click('#save');
  await opened();
  await page.click('#save');
  assert.ok(!(await isOpen()));
});
