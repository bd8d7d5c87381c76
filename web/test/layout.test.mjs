// How the page is laid out at the sizes that it is looked at in, light and dark: nothing is cut
// off, the arms have the room, and every text can be read (WCAG AA).

import assert from 'node:assert/strict';
import { drawn, onPages, shoot, toStage } from './support.mjs';

const { define } = onPages(undefined, [], { sharp: true, shared: true });

const schemes = ['light', 'dark'];

/**
 * Texts whose contrast with what is behind them is under 4.5:1, or 3:1 where they are large. What is
 * disabled needs none, what is drawn over pictures has no one colour behind it.
 */
const faintTexts = (page) =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const channels = (color) => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) =>
      [r, g, b].map((x, i) => x * a + under[i] * (1 - a)).concat(1);
    const behind = (element) => {
      const layers = [];
      for (let e = element; e; e = e.parentElement)
        layers.push(channels(getComputedStyle(e).backgroundColor));
      return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
    };
    const luminance = (rgb) => {
      const [r, g, b] = rgb.slice(0, 3).map((x) => {
        const s = x / 255;
        return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest(':disabled, .off, .room-box canvas, script, style')) continue;
      const style = getComputedStyle(element);
      const inPicture = element.closest('svg');
      const under = behind(inPicture ? inPicture.parentElement : element);
      const ink = over(channels(inPicture ? style.fill : style.color), under);
      const [a, b] = [luminance(ink), luminance(under)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5))
        faint.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${node.data}`);
    }
    return [...new Set(faint)];
  });

/** Elements that reach beyond the page's right edge, but for lists that scroll. */
const cutOff = (page, selector) =>
  page.$$eval(selector, (all) =>
    all
      .filter((e) => e.checkVisibility())
      .map((e) => [e.getBoundingClientRect(), e.textContent])
      .filter(([box]) => box.width > 0 && box.right > innerWidth + 0.5)
      .map(([, text]) => text),
  );

/** Pairs of elements that lie on each other. */
const overlaps = (page, selector) =>
  page.$$eval(selector, (all) => {
    const boxes = all
      .filter((e) => e.checkVisibility())
      .map((e) => [e.getBoundingClientRect(), e.textContent])
      .filter(([box]) => box.width > 0);
    return boxes.flatMap(([a, one], i) =>
      boxes
        .slice(i + 1)
        .filter(
          ([b]) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5,
        )
        .map(([, other]) => `${one} and ${other}`),
    );
  });

/** An example of our own on its figure and on another. */
async function toMotion(page) {
  await page.click('#tab-motion');
  await page.waitForFunction(() => limber.motion);
  await page.click('[data-motion]');
  await page.waitForFunction(() => limber.motion.played.length === 1);
  await page.evaluate(() => limber.motion.player.toggle(false));
  await page.evaluate(() => limber.store.adjust(({ motion }) => (motion.onto = 'builtin:biped')));
  await page.waitForFunction(() => limber.motion.played.length === 2);
  await page.click('#retarget-options summary');
}

/** The page as it is, light or dark. */
const inScheme = async (page, scheme) => {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((to) => document.documentElement.dataset.theme === to, scheme);
  await drawn(page);
};

const names = { desk: '1440', notebook: '1366', tablet: '820', phone: '390' };
for (const [size, name] of Object.entries(names)) {
  define(`the board at ${name}, light and dark`, { size }, async (page) => {
    await page.waitForFunction(() => !limber.board.busy);
    for (const scheme of schemes) {
      await inScheme(page, scheme);
      const { width } = page.viewportSize();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      // the arms have the room
      const panes = await page.$$eval('svg.board', (all) =>
        all.map((e) => e.getBoundingClientRect()).map(({ width: w, height: h }) => [w, h]),
      );
      const least = {
        ...{ desk: [340, 210], notebook: [320, 205] },
        ...{ tablet: [200, 280], phone: [340, 340] },
      };
      for (const [w, h] of panes)
        assert.ok(w >= least[size][0] && h >= least[size][1], `a picture of ${w} x ${h}`);
      if (size !== 'phone') assert.deepEqual(await cutOff(page, '.methods td, .methods th'), []);
      assert.deepEqual(await faintTexts(page), [], scheme);
      // the target can be seen without scrolling
      const target = await page.locator('[aria-label="Target"]').first().boundingBox();
      assert.ok(
        target.y + target.height < page.viewportSize().height - (size === 'phone' ? 48 : 0),
      );
      await shoot(page, `board-${name}-${scheme}`);
    }
  });

  define(`the stage at ${name}, light and dark`, { size }, async (page) => {
    await toStage(page);
    await page.evaluate(() => limber.stage.open({ from: 'builtin', name: 'human' }));
    for (const scheme of schemes) {
      await inScheme(page, scheme);
      const { width } = page.viewportSize();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      const room = await page.locator('canvas.room').boundingBox();
      assert.ok(room.width >= 340 && room.height >= 380, JSON.stringify(room));
      assert.ok(await page.isVisible('#open-files'));
      assert.deepEqual(await cutOff(page, '.stage-view .panel .slider'), []);
      assert.deepEqual(await faintTexts(page), [], scheme);
      await shoot(page, `stage-${name}-${scheme}`);
    }
  });

  define(`a motion at ${name}, light and dark`, { size }, async (page) => {
    await toMotion(page);
    await page.evaluate(() => limber.motion.seek(0.8));
    for (const scheme of schemes) {
      await inScheme(page, scheme);
      const { width } = page.viewportSize();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      const room = await page.locator('.motion-view canvas.room').boundingBox();
      assert.ok(room.width >= 340 && room.height >= 380, JSON.stringify(room));
      assert.deepEqual(await cutOff(page, '.motion-view .panel *, .motion-view .bar *'), []);
      assert.deepEqual(await overlaps(page, '.actor-label, .room-tools > *'), []);
      assert.deepEqual(await overlaps(page, '.motion-view .bar > *'), []);
      assert.deepEqual(await faintTexts(page), [], scheme);
      // fingers find what is to be pressed
      const small = await page.$$eval('.motion-view .bar button', (all) =>
        all
          .map((e) => e.getBoundingClientRect())
          .filter((box) => Math.min(box.width, box.height) < 32),
      );
      assert.deepEqual(small, []);
      await shoot(page, `motion-${name}-${scheme}`);
    }
  });
}

define('a motion at 360', { size: 'least', alone: true }, async (page) => {
  await toMotion(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.deepEqual(await cutOff(page, '.top *, .motion-view .panel *, .motion-view .bar *'), []);
  assert.deepEqual(await overlaps(page, '.top > *, .motion-view .bar > *'), []);
});

define('no label of a tree is cut off or over another', { size: 'notebook' }, async (page) => {
  await toStage(page);
  for (const id of ['5.3', '5.4', '5.5', '5.11', '5.13', '5.16']) {
    await page.evaluate((name) => limber.stage.open({ from: 'figure', name }), id);
    await drawn(page);
    const found = await page.evaluate(() => {
      const svg = document.querySelector('.tree svg');
      const inner = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll('text')].map((e) => [
        e.textContent,
        e.getBoundingClientRect(),
      ]);
      const cut = texts.filter(([, b]) => b.left < inner.left - 1 || b.right > inner.right + 1);
      const over = texts.flatMap(([name, a], i) =>
        texts
          .slice(i + 1)
          .filter(
            ([, b]) =>
              a.left < b.right - 1 &&
              b.left < a.right - 1 &&
              a.top < b.bottom - 3 &&
              b.top < a.bottom - 3,
          )
          .map(([other]) => `${name} over ${other}`),
      );
      return [...cut.map(([name]) => `${name} is cut off`), ...over];
    });
    assert.deepEqual(found, [], id);
  }
});

define('methods have one colour, line and mark, shown wherever they are', {}, async (page) => {
  await page.evaluate(() => limber.board.open('limits'));
  await page.waitForFunction(() => !limber.board.busy);
  await drawn(page);
  const look = (element) => {
    const svg = element.querySelector('svg.swatch');
    return svg && [svg.getAttribute('style'), ...[...svg.children].map((e) => e.getAttribute('d'))];
  };
  const table = await page.$$eval(
    '.methods tr.on',
    (rows, source) => {
      const read = new Function(`return ${source}`)();
      return rows.map((row) => [row.querySelector('button').dataset.method, read(row)]);
    },
    look.toString(),
  );
  const captions = await page.$$eval(
    '.caption',
    (all, source) => {
      const read = new Function(`return ${source}`)();
      return all.map((c) => [c.dataset.method, read(c)]);
    },
    look.toString(),
  );
  assert.equal(table.length, 4);
  assert.deepEqual(new Map(table), new Map(captions));
  assert.ok(table.every(([, parts]) => parts?.length === 3));
});

define('a skip link, and outcomes that are announced', { alone: true }, async (page) => {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const reached = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.equal(await reached(), 'Target');
  await toStage(page);
  assert.equal(await page.getAttribute('.outcome', 'role'), 'status');
  assert.equal(await page.getAttribute('.link-tag', 'aria-live'), 'polite');
});

define('a swipe over a picture scrolls, and moves no target', { size: 'phone' }, async (page) => {
  await page.waitForFunction(() => !limber.board.busy);
  const action = await page.$eval('svg.board', (e) => getComputedStyle(e).touchAction);
  assert.match(action, /pan-y|auto|manipulation/);
  const before = await page.evaluate(() => limber.store.state.board.target);
  const box = await page.locator('svg.board').first().boundingBox();
  const client = await page.context().newCDPSession(page);
  const touch = (type, y) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * 0.8, y }],
    });
  await touch('touchStart', box.y + 0.8 * box.height);
  for (let i = 1; i <= 8; i++) await touch('touchMove', box.y + 0.8 * box.height - 25 * i);
  await touch('touchEnd');
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => limber.store.state.board.target), before);
});

define(
  'without WebGL a card says what to do, and the board works',
  { alone: true },
  async (page) => {
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
      console.error = () => undefined;
    });
    await page.click('#tab-stage');
    await page.waitForSelector('.card');
    assert.match(await page.textContent('.card'), /WebGL 2.*hardware acceleration/s);
    await page.click('#tab-board');
    await page.locator('svg.board').first().waitFor();
  },
);

define(
  'a view that could not be fetched says so, and comes at another try',
  { alone: true },
  async (page) => {
    await page.evaluate(() => {
      window.kept = window.fetch;
      window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    });
    await page.click('#tab-stage');
    await page.waitForSelector('.card');
    const words = await page.textContent('.card');
    assert.match(words, /The stage did not load.*Failed to fetch/s);
    assert.doesNotMatch(words, /WebGL/);
    await page.evaluate(() => void (window.fetch = window.kept));
    await page.click('.card button');
    await page.waitForFunction(() => limber.stage?.model);
  },
);

for (const size of ['desk', 'notebook'])
  define(`words of the lesson's boards are apart and whole: ${size}`, { size }, async (page) => {
    for (const figure of ['5.1', '5.19', '5.22', '5.24', 'ccd-3']) {
      await page.evaluate((figure) => limber.board.open(figure), figure);
      await drawn(page);
      await drawn(page);
      // numbers of the grid, and the captions above
      const words =
        '.pane .grid text, .pane .caption .own, .pane .caption .name, .pane .ghosts text';
      assert.deepEqual(await overlaps(page, words), [], figure);
      const outside = await page.$$eval('.pane', (panes) =>
        panes.flatMap((pane) => {
          const { left, right } = pane.getBoundingClientRect();
          return [...pane.querySelectorAll('.changes text, .ghosts text')]
            .map((text) => [text.textContent, text.getBoundingClientRect()])
            .filter(([, box]) => box.left < left || box.right > right)
            .map(([words]) => words);
        }),
      );
      assert.deepEqual(outside, [], figure);
      // no curve comes to the words above
      const [title, ...curves] = await page.$$eval(
        'svg.plot .axes .y:last-of-type, svg.plot .other, svg.plot .curve .line',
        (all) =>
          all
            .map((e) => e.getBoundingClientRect())
            .filter(({ width }) => width > 0)
            .map(({ top, bottom }) => [top, bottom]),
      );
      assert.ok(Math.min(...curves.map(([top]) => top)) >= title[1] - 1, figure);
      const [centre, heading] = await page.$$eval('.board-view .centre, .story h1', (all) =>
        all.map((e) => e.getBoundingClientRect().right),
      );
      assert.ok(heading <= centre, `${figure}: ${heading} ${centre}`);
    }
  });

for (const size of ['phone', 'notebook', 'desk'])
  define(`no words are cut off or squeezed: ${size}`, { size }, async (page) => {
    const { width } = page.viewportSize();
    // on a phone a method is chosen by its chip
    const chips = await page.$$eval('.chip[aria-pressed="true"]', (all) =>
      all.map((chip) => chip.getBoundingClientRect().right),
    );
    assert.ok(Math.max(0, ...chips) <= width, chips.join());
    // what the plane is measured by
    const labels = await page.$$eval('svg.board', (all) =>
      all.flatMap((svg) => {
        const { left, right } = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('.grid text')]
          .map((text) => [text.textContent, text.getBoundingClientRect()])
          .filter(([, box]) => box.width > 0 && (box.left < left || box.right > right))
          .map(([words]) => words);
      }),
    );
    assert.deepEqual(labels, []);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    const narrow = await page.$$eval('dialog.help dd', (all) =>
      all.filter((dd) => dd.clientWidth < 110).map((dd) => dd.textContent),
    );
    assert.deepEqual(narrow, []);
    await page.keyboard.press('Escape');
    // the timeline with curves below it
    await toMotion(page);
    await page.evaluate(() =>
      limber.store.adjust(({ motion }) => void (motion.curves.open = true)),
    );
    await page.waitForSelector('.curves-plot canvas');
    const outside = await page.$$eval(
      '.motion-track button, .curves button, .curves select',
      (all, width) =>
        all
          .map((e) => [e.title || e.textContent, e.getBoundingClientRect()])
          .filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > width))
          .map(([words]) => words),
      width,
    );
    assert.deepEqual(outside, []);
    const select = await page.$eval('#retarget select', (e) => [e.scrollWidth, e.clientWidth]);
    assert.ok(select[0] <= select[1], select.join());
  });

for (const size of ['phone', 'notebook'])
  define(`the menu of what is saved is in the window: ${size}`, { size }, async (page) => {
    for (const view of ['board', 'stage', 'motion']) {
      await page.click(`#tab-${view}`);
      await page.waitForFunction((view) => limber[view]?.element.checkVisibility(), view);
      await page.click('#save');
      await page.locator('[data-save="projects"]').waitFor();
      const inside = (selector) =>
        page.$eval(selector, (e) => {
          const { left, top, right, bottom } = e.getBoundingClientRect();
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        });
      assert.ok(await inside('.menu'), view);
      // by the keys, as by a wheel, the last entry comes in sight
      await page.keyboard.press('End');
      assert.ok(await inside('[data-save="projects"]'), view);
      await page.keyboard.press('Escape');
    }
  });

/** What can be touched and has less than 44 pixels one way. */
const smallTargets = (page) =>
  page.$$eval('button, a[href], input, select, summary, [tabindex="0"]:not(svg *)', (all) =>
    all
      .filter((e) => e.checkVisibility() && !e.closest('.skip, .story p'))
      .map((e) => [e.matches('label input') ? e.closest('label') : e, e])
      .map(([e, { id, title, textContent }]) => [
        e.getBoundingClientRect(),
        id || title || textContent,
      ])
      .filter(([{ width, height }]) => width > 0 && Math.min(width, height) < 43.5)
      .map(([, name]) => name),
  );

define(
  'a finger has room on a phone, and the first things are on the screen',
  { size: 'phone' },
  async (page) => {
    const names = await page.$$eval('.tab', (all) => all.map((e) => e.innerText));
    assert.deepEqual(names, ['Board', 'Stage', 'Motion']);
    assert.deepEqual(await smallTargets(page), []);
    await page.click('.sheet-handle');
    await page.click('#derivation summary');
    await page.locator('#derivation mn[tabindex="0"]').waitFor();
    assert.deepEqual(await smallTargets(page), []);
    await page.click('.sheet-handle');
    await toStage(page);
    await drawn(page);
    assert.deepEqual(await smallTargets(page), []);
    const { x, width } = await page.locator('#open-files').boundingBox();
    assert.ok(x >= 0 && x + width <= 390, 'files can be opened');
    // with all there is to open, and key poses on curves
    const openAll = () =>
      page.$$eval('details', (all) => all.forEach((each) => void (each.open = true)));
    await page.evaluate(() => {
      limber.stage.timeline.capture();
      limber.stage.setPose('bent', [0.4, -0.6, 0.2, -1, 0.3, 1.9, 0.5, 0.01]);
      limber.stage.timeline.capture();
      limber.store.adjust(({ stage }) => void (stage.curves.open = true));
    });
    await page.locator('.key-point').first().waitFor();
    await openAll();
    assert.deepEqual(await smallTargets(page), []);
    await toMotion(page);
    await openAll();
    await page.locator('.pose-table .number').first().waitFor();
    assert.deepEqual(await smallTargets(page), []);
  },
);

define('arrow keys go through the tabs; the help has each key once', {}, async (page) => {
  await page.focus('#tab-board');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.activeElement.id === 'tab-motion');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => limber.store.state.view), 'board');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help[open]');
  const keys = await page.$$eval('dialog.help section:nth-child(2) dt', (all) =>
    all.map((dt) => [...dt.children].map((kbd) => kbd.textContent).join(',')),
  );
  assert.ok(keys.includes('←,→,↑,↓,page up,page down'), keys.join('; '));
  assert.ok(keys.includes('Shift ←,Shift →,Shift ↑,Shift ↓'), keys.join('; '));
});
