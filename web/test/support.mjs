// support.mjs - a web server for the built page, and Chromium to open it in.

import assert from 'node:assert/strict';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const here = fileURLToPath(new URL('.', import.meta.url));
/** What is served: the page, which must work under any path, and the package as it is. */
const places = [
  { under: '/some/path/', folder: join(here, '../page/dist') },
  { under: '/package/', folder: join(here, '../limber') },
];

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Serves the page on loopback, and what else is asked for; returns its address and how to stop. */
export async function serve(more = []) {
  const all = [...places, ...more].map(({ under, folder }) => ({ under, folder: resolve(folder) }));
  const server = createServer((request, response) => {
    const pathname = decodeURI(new URL(request.url, 'http://localhost').pathname);
    const place = all.find(({ under }) => pathname.startsWith(under));
    const file = place && join(place.folder, pathname.slice(place.under.length) || 'index.html');
    if (!file?.startsWith(place.folder) || !statSync(file, { throwIfNoEntry: false })?.isFile())
      return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'max-age=600',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${server.address().port}${places[0].under}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Pixels of the screen in one of the page. Half of them in each direction are drawn in software in
 * less than half the time; whoever wants to look at the pictures asks for all with SCALE=1, and
 * gets them.
 */
const pictures = process.env.SCALE !== undefined;
const fewer = Number(process.env.SCALE ?? 0.5);

/** Of what is drawn in three dimensions a tenth: that takes a third of the time of half of them. */
const coarse = () => Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.1 });

/**
 * WebGL is drawn in software; the page around it is put together without it, which is
 * four times as quick. Pages of one kind share a process: to begin one is a third of opening a page.
 * Edges are smooth with SCALE=1 only: that takes twice the time.
 */
function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-gpu-compositing',
      '--renderer-process-limit=1',
      ...(fewer < 1 ? ['--webgl-antialiasing-mode=none'] : []),
    ],
  });
}

// when all tests are done nothing that a browser or a server has left open holds the process
after(() => void setTimeout(() => process.exit(), 10_000).unref());

/** The browser of all tests of this process: another one takes as long as several tests. */
let common = null;
export const browser = () => (common ??= launch());

/** The page that tests of one kind share now. */
const shown = { page: null, kind: '' };
async function leave() {
  await shown.page?.close();
  shown.page = null;
}

/** Sizes the page is looked at in. */
export const sizes = {
  wide: { width: 1600, height: 950 },
  laptop: { width: 1240, height: 720 },
  small: { width: 760, height: 480 },
  desk: { width: 1440, height: 900 },
  notebook: { width: 1366, height: 768 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844, touch: true },
  least: { width: 360, height: 740, touch: true },
};

// pages of one kind share what the browser keeps of files that it has compiled
const contexts = new WeakMap();
function contextOf(browser, address, size, scheme, scale) {
  if (!contexts.has(browser)) contexts.set(browser, new Map());
  const known = contexts.get(browser);
  const key = `${size} ${scheme} ${scale}`;
  if (!known.has(key)) known.set(key, newContext(browser, address, size, scheme, scale));
  return known.get(key);
}

async function newContext(browser, address, size, scheme, scale) {
  const { touch = false, ...viewport } = sizes[size];
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    colorScheme: scheme,
    hasTouch: touch,
    isMobile: touch,
    acceptDownloads: true,
  });
  // a page that stays keeps their process
  const idle = await context.newPage();
  await idle.goto(new URL('/package/package.json', address).href);
  return context;
}

let serial = 0;

/**
 * A page of its own, with all that it complained about: console errors, exceptions,
 * failed requests and requests to other hosts. `init` runs in the page before its own scripts;
 * `reloads`: a reload may break off what is still being fetched; `sharp`: the test looks at places
 * to the pixel; `seen`: what is drawn in three dimensions is not drawn coarsely; `project`: the id of the
 * one that it goes on with, '' for the last one.
 */
export async function open(browser, address, options = {}) {
  const { size = 'laptop', scheme = 'light', hash = '', init, reloads, sharp, seen } = options;
  const { project = `test-${++serial}` } = options;
  const context = await contextOf(browser, address, size, scheme, sharp ? 1 : fewer);
  const page = await context.newPage();
  if (!pictures && !seen) await page.addInitScript(coarse);
  // pages of one kind share their storage: each begins with a project of its own
  await page.addInitScript((project) => {
    if (sessionStorage.getItem('opened')) return;
    sessionStorage.setItem('opened', 'yes');
    localStorage.clear();
    if (project) sessionStorage.setItem('limber-project', project);
  }, project);
  if (init) await page.addInitScript(init);
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('requestfailed', (request) => {
    if (!reloads || request.failure()?.errorText !== 'net::ERR_ABORTED')
      complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(address).host)
      complaints.push(`foreign: ${request.url()}`);
  });
  await page.goto(address + hash);
  await page.waitForFunction(() => window.limber);
  return { page, complaints, close: () => page.close() };
}

/** What a software renderer says of its speed is no fault of the page. */
function expected(text) {
  return /GPU stall due to ReadPixels|Automatic fallback to software WebGL/.test(text);
}

/** As a page begins, in one that is open: it keeps only what it has loaded and where it is scrolled to. */
async function beginAnew(page) {
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    document.activeElement?.blur();
    document.querySelector('.toast').hidden = true;
    for (const [details, open] of limber.folded) details.open = open;
    // another model, so that the one of the beginning is made anew
    if (limber.stage) limber.stage.open({ from: 'builtin', name: 'planar2' });
    limber.update();
    limber.store.replace(structuredClone(limber.beginning));
    limber.board.renew();
    limber.update();
    limber.motion?.zoom(0);
    await limber.motion?.openExample('walk');
    localStorage.clear();
  });
  await drawn(page);
}

/** Which parts of its panels are open. */
const rememberFolds = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details'))
      if (!limber.folded.has(details)) limber.folded.set(details, details.open);
  });

/**
 * Tests in pages of one browser, each at most twice, and failing on anything that its page complained
 * about. Options: skip, and those of open(), which `all` gives to each. `more` is served besides.
 * With `shared` tests of one kind follow each other on one page, which begins anew: to open one
 * takes longer than most tests. One that is `alone`, or goes wrong, has its page for itself.
 */
export function onPages(prepare = async () => {}, more = [], { shared = false, ...all } = {}) {
  const at = {};
  before(async () => {
    at.site = await serve(more);
    at.browser = await browser();
  });
  after(async () => {
    await at.browser?.close();
    at.site?.stop();
  });
  const another = (options) => open(at.browser, at.site.address, { ...all, ...options });
  const enter = async (options) => {
    const kind = JSON.stringify([at.site.address, options]);
    if (shown.page && shown.kind === kind) await beginAnew(shown.page.page);
    else {
      await leave();
      Object.assign(shown, { kind, page: await another(options) });
      await shown.page.page.evaluate(() => {
        limber.beginning = structuredClone(limber.store.state);
        limber.folded = new Map();
      });
    }
    return shown.page;
  };
  const once = async ({ alone = !shared, ...options }, body) => {
    if (alone) await leave();
    const { page, complaints } = await enter(options);
    let well = false;
    try {
      await prepare(page);
      await rememberFolds(page);
      await body(page);
      assert.deepEqual(complaints, []);
      well = true;
    } finally {
      if (alone || !well) await leave();
    }
  };
  const define = (what, { skip = false, ...options }, body) =>
    test(what, { skip }, async (context) => {
      try {
        await once(options, body);
      } catch (error) {
        // a browser on a busy machine may miss a moment; what fails again has failed
        const [place = ''] = /[\w.]+\.mjs:\d+(?=:\d+\)?$)/m.exec(error.stack) ?? [];
        context.diagnostic(`once more, as the browser may be slow: ${place} ${error.message}`);
        await once({ ...options, alone: true }, body);
      }
    });
  return { define, another };
}

/** Goes to the stage and waits until it stands. */
export async function toStage(page) {
  await page.click('#tab-stage');
  await page.waitForFunction(() => limber.stage?.model);
}

/** Waits until what was asked for is on the screen. */
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Waits until an element has been at one place for ten pictures on end. */
export const atRest = (page, selector) =>
  page.evaluate(async (selector) => {
    const frame = () => new Promise(requestAnimationFrame);
    const place = () => JSON.stringify(document.querySelector(selector).getBoundingClientRect());
    for (let before = place(), still = 0; still < 10; before = place()) {
      await frame();
      still = place() === before ? still + 1 : 0;
    }
  }, selector);

/** Moves a slider, to the nearest value that its step allows. */
export const slide = (slider, value) =>
  slider.evaluate((range, to) => {
    range.value = String(to);
    range.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);

/** What the menu saves under this name: as text, or without an encoding as bytes. */
export async function saved(page, id, encoding = 'utf8') {
  await page.click('#save');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`[data-save="${id}"]`),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return encoding ? bytes.toString(encoding) : bytes;
}

/** Writes a picture of the page into test/out, for whoever asked for pictures. */
export async function shoot(page, name) {
  if (!pictures) return;
  await mkdir(join(here, 'out'), { recursive: true });
  await page.screenshot({ path: join(here, 'out', `${name}.png`) });
}

// ---- the view of motions ----

export const data = process.env.LIMBER_DATA;

/** Why a test that wants this file is skipped; false: it is there. */
export const without = (path) =>
  data && existsSync(join(data, path)) ? false : `${path} is not there`;

/**
 * Goes to the view, and waits until the walk plays, so that it does not come between. It is stopped:
 * pictures of what plays would hold up what the test does.
 */
export async function toMotion(page) {
  await page.click('#tab-motion');
  await page.waitForFunction(
    () => limber.motion?.played[0]?.name === 'Walk' && limber.motion.player.playing,
  );
  await page.evaluate(() => limber.motion.player.toggle(false));
}

/** Some frames of a capture. */
export function part(path, from, count) {
  const text = readFileSync(join(data, path), 'utf8');
  const [head, frames] = text.split(/(?<=Frame Time:.*\n)/);
  const rows = frames.split('\n').slice(from, from + count);
  return {
    name: basename(path),
    text: head.replace(/Frames:.*/, `Frames: ${count}`) + rows.join('\n') + '\n',
  };
}

/** Where files to be chosen lie, as long as pages may read them. */
const folder = mkdtempSync(join(tmpdir(), 'limber-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Chooses files in the view's dialog: by path, or as {name, text}; from the disk, as users do. */
export async function choose(page, ...files) {
  const paths = files.map((file) => {
    if (!file.name) return join(data, file);
    // others of the same name may be read still
    const path = join(mkdtempSync(join(folder, 'f')), file.name);
    writeFileSync(path, file.text);
    return path;
  });
  await page.setInputFiles('.motion-view .examples input[type=file]', paths);
}

export const opened = (page, name) =>
  page.waitForFunction((wanted) => limber.motion.played[0]?.name === wanted, name);

/** What a button of the panel saves; pictures of what plays would hold up the click. */
export async function fileOf(page, id) {
  await page.evaluate(() => limber.motion.player.toggle(false));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`[data-file="${id}"]`),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { name: download.suggestedFilename(), bytes, text: bytes.toString() };
}
