// Options of retargeting: the panel's give what those of the program give, byte for byte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { settled } from './settled.mjs';
import {
  choose,
  data,
  drawn,
  fileOf,
  onPages,
  part,
  shoot,
  toMotion,
  without,
} from './support.mjs';

const { define, another } = onPages(toMotion, [], { shared: true });

const walk = 'bvh/cmu_12_01_walk.bvh';
const g1 = 'urdf/unitree_g1_29dof_rev_1_0.urdf';
const jump = 'bvh/01_01.bvh';
const romeo = 'urdf/erd_romeo.urdf';
const program = process.env.LIMBER_PROGRAM;
const skip = (program ? false : 'LIMBER_PROGRAM is not given') || without(walk) || without(g1);

const read = (path) => ({ name: basename(path), text: readFileSync(join(data, path), 'utf8') });

/** A step: enough for every option. */
const steps = skip ? null : part(walk, 1, 120);

/** Opens a capture with a robot, and the options. */
async function openRobot(page, robot, capture = steps) {
  await choose(page, capture, read(robot));
  await page.waitForFunction(() => limber.motion.played.length === 2);
  // pictures of what plays would hold up the page
  await page.evaluate(() => limber.motion.seek(0));
  await page.click('#retarget-options summary');
}

const turn = (page, label) => page.click(`#retarget-options >> text=${label}`);
const input = (page, label) =>
  page.locator('#retarget-options .field', { hasText: label }).locator('input');
async function type(page, label, text) {
  await input(page, label).fill(text);
  await input(page, label).press('Enter');
}

/** What is said of the result. */
async function words(page) {
  await settled(page);
  return page.textContent('.retargeted');
}

/** The table that the program writes with these options. */
function byProgram(robot, args, capture = steps) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    const table = join(folder, 'out.csv');
    const source = join(folder, capture.name);
    writeFileSync(source, capture.text);
    const to = robot.startsWith('/') ? robot : join(data, robot);
    execFileSync(program, ['retarget', source, '--to', to, ...args, '--output', table]);
    return readFileSync(table, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const saved = async (page) => (await fileOf(page, 'target-csv')).text;

define('without a figure there is nothing to set', {}, async (page) => {
  await page.click('#retarget-options summary');
  assert.ok(await page.isDisabled('#retarget-options input >> nth=0'));
  assert.ok(await input(page, 'Frames a second').isDisabled());
});

define('options give what the program gives', { skip, size: 'desk' }, async (page) => {
  await openRobot(page, g1);
  assert.equal(await saved(page), byProgram(g1, []));
  const options = [
    [() => turn(page, 'Hands stay'), '--hands', /Hands touch nothing/],
    [() => type(page, 'Height of the ground', '0,1'), '--ground', '0.1', /slide 0\.0\d mm/],
    [() => type(page, 'Frames a second', '30'), '--fps', '30', /^30 frames/],
    [() => type(page, 'Scale of the path', '0.7'), '--root-scale', '0.7', /at 0\.70 of the size/],
    [() => type(page, 'Scale of the limbs', '0.9'), '--scale', '0.9', /at 0\.70 of the size/],
    [() => turn(page, 'Speed limits'), '--no-speed-limits', /30 frames/],
    [() => turn(page, 'Feet stay'), '--no-contacts', /no foot is held/],
  ];
  const args = [];
  for (const [act, ...rest] of options) {
    const pattern = rest.pop();
    args.push(...rest);
    await act();
    assert.match(await words(page), pattern);
    assert.equal(await saved(page), byProgram(g1, args), args.join(' '));
  }
  assert.equal(
    await page.textContent('#retarget-options .brief'),
    'feet free, hands, any speed, ground at 0.1 m, 30 frames/s, path × 0.7, limbs × 0.9',
  );
  await shoot(page, 'motion-options');
  // what cannot be with others has no effect, and says so
  assert.ok(await page.isDisabled('#retarget-options .toggle:has-text("Slow down") input'));
  // each is undone, and what is no number changes nothing
  await page.click('#undo');
  await page.click('#undo');
  assert.match(await words(page), /feet that rest slide/);
  await type(page, 'Scale of the path', 'wide');
  assert.equal(await input(page, 'Scale of the path').inputValue(), '0.7');
  await type(page, 'Scale of the path', '1e9');
  assert.equal(await input(page, 'Scale of the path').inputValue(), '100');
  await type(page, 'Scale of the path', '');
  await type(page, 'Scale of the limbs', '');
  await type(page, 'Frames a second', '');
  await type(page, 'Height of the ground', '');
  await turn(page, 'Hands stay');
  assert.match(await words(page), /^120 frames/);
  assert.equal(await saved(page), byProgram(g1, []));
});

define('arrows step a number from where it is', { skip }, async (page) => {
  await openRobot(page, g1);
  await input(page, 'Height of the ground').press('ArrowUp');
  await input(page, 'Height of the ground').press('ArrowUp');
  await input(page, 'Height of the ground').press('ArrowUp');
  await drawn(page);
  assert.equal(await input(page, 'Height of the ground').inputValue(), '0.15');
  assert.equal(await page.textContent('#retarget-options .brief'), 'ground at 0.15 m');
});

/** A tetrahedron about an end of a link, as STL. */
const corners = [
  [0.03, 0, 0],
  [-0.03, 0.03, 0],
  [-0.03, -0.03, 0],
  [0, 0, 0.06],
];
const facets = [
  [0, 1, 2],
  [0, 1, 3],
  [1, 2, 3],
  [2, 0, 3],
].map(
  (face) =>
    `facet normal 0 0 1 outer loop ${face.map((i) => `vertex ${corners[i].join(' ')}`).join(' ')} endloop endfacet`,
);
const stl = `solid s ${facets.join(' ')} endsolid`;

define('links stay apart by the meshes that came along', { skip }, async (page) => {
  const names = readFileSync(join(data, g1), 'utf8').matchAll(/mesh filename="([^"]+)"/g);
  const paths = [...new Set([...names].map(([, name]) => name))];
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    const robot = join(folder, basename(g1));
    writeFileSync(robot, readFileSync(join(data, g1)));
    mkdirSync(join(folder, 'meshes'));
    for (const path of paths) writeFileSync(join(folder, path), stl);
    const bare = byProgram(g1, ['--margin', '0.02']);
    const clad = byProgram(robot, ['--margin', '0.02']);
    assert.notEqual(clad, bare);
    await openRobot(page, g1);
    await type(page, 'Distance between links', '20');
    assert.match(
      await words(page),
      /Links stay 20 mm apart\. \d+ shapes are left out because meshes/,
    );
    assert.equal(await saved(page), bare);
    const files = paths.map((path) => ({ name: basename(path), text: stl }));
    await choose(page, steps, read(g1), ...files);
    await page.waitForFunction(() =>
      /apart|nearer/.test(document.querySelector('.retargeted').textContent),
    );
    await page.waitForFunction(
      () => !/left out/.test(document.querySelector('.retargeted').textContent),
    );
    assert.equal(await saved(page), clad);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

define(
  'a motion that is slowed down for the legs takes longer, and its source with it',
  { skip: skip || without(romeo) || without(jump), size: 'desk' },
  async (page) => {
    const jumping = part(jump, 900, 300);
    await openRobot(page, romeo, jumping);
    assert.match(await words(page), /^300 frames in .* a speed limit holds back \d+ of them/);
    const state = async () => {
      await settled(page);
      return page.evaluate(() => {
        const { player, played, lanes } = limber.motion;
        return {
          length: player.length,
          ends: played.map(({ clip }) => clip.end),
          lanes: lanes.map(({ spans }) => spans.map(({ begin, end }) => [begin, end])),
        };
      });
    };
    const before = await state();
    await turn(page, 'Slow down');
    assert.match(await words(page), /\d+\.\d\d s became \d+\.\d\d s: legs would be too fast/);
    const after = await state();
    assert.ok(after.length > before.length + 0.3, `${after.length}`);
    // to the last frame of the result, less than one of its frames before
    assert.ok(Math.abs(after.ends[1] - after.length - before.ends[0] + before.length) < 0.01);
    // the source is the file's still, and is saved as such; what is shown of it is later
    assert.equal(after.ends[0], before.ends[0]);
    const last = (all) => Math.max(...all.flat().map(([, end]) => end));
    assert.ok(last(after.lanes) > last(before.lanes) + 0.3);
    assert.equal(await saved(page), byProgram(romeo, ['--retime'], jumping));
    // frames are those of the source: its last one is at the end of what is shown
    await page.evaluate(() => limber.motion.seek(1e9));
    assert.match(await page.textContent('#frame-count'), /^frame 299 of 299, /);
    await page.evaluate(() => limber.motion.step(-299));
    assert.match(await page.textContent('#frame-count'), /^frame 0 of 299, 0\.00 s/);
    // a held foot of the source rests while that of the result does
    const moved = await page.evaluate(() => {
      const { lanes, player, room } = limber.motion;
      const { begin, end } = lanes[2].spans[1];
      const places = [0.3, 0.7].map((share) => {
        limber.motion.seek(begin + share * (end - begin));
        return room.actors.map(({ model, state }) => {
          const link = model.links.find(({ name }) => /RightFoot|r_ankle/.test(name));
          return [...state.transform(link.index).slice(9)];
        });
      });
      return places[0].map((from, i) => Math.hypot(...from.map((x, k) => x - places[1][i][k])));
    });
    assert.ok(moved[0] < 0.03 && moved[1] < 0.03, `${moved}`);
    // a contact is edited where it is seen, and the state has the time of that frame in the file
    const there = await page.evaluate(() => {
      const { contacts, lanes, played } = limber.motion;
      contacts.choose(0, 1);
      limber.motion.seek(lanes[0].spans[1].begin + 0.05);
      const [, frame] = /frame (\d+)/.exec(document.querySelector('#frame-count').textContent);
      contacts.set('begin');
      return played[0].clip.timeOf(Number(frame));
    });
    const edited = await state();
    const held = await page.evaluate(() => limber.store.state.motion.contacts[0].spans[1].begin);
    assert.ok(Math.abs(held - there) < 1e-9, `${held} and ${there}`);
    assert.ok(held < edited.lanes[0][1][0] - 0.05, `${held}`);
  },
);

define(
  'a character keeps its mesh while its motion changes',
  { skip: without('gltf/cesium_man.gltf') },
  async (page) => {
    await page.evaluate(() => limber.motion.seek(0));
    await page.setInputFiles('#retarget input[type=file]', join(data, 'gltf/cesium_man.gltf'));
    await page.waitForFunction(() => limber.motion.room.actors[1]?.hasSkin);
    await page.evaluate(() => (window.worn = limber.motion.room.actors[1]));
    await page.click('#retarget-options summary');
    await type(page, 'Scale of the path', '0.7');
    assert.match(await words(page), /at 0\.70 of the size/);
    assert.ok(await page.evaluate(() => limber.motion.room.actors[1] === window.worn));
    // nothing to retarget onto: it goes, and comes back
    await page.selectOption('#retarget select', '');
    await page.waitForFunction(() => limber.motion.room.actors.length === 1);
    assert.equal(await page.locator('.actor-label').count(), 1);
    await page.click('#undo');
    await page.waitForFunction(() => limber.motion.room.actors[1]?.hasSkin);
  },
);

/** A figure without legs. */
const crane = JSON.stringify({
  limber: 1,
  name: 'crane',
  links: [{ name: 'a' }, { name: 'b' }],
  joints: [{ name: 'j', kind: 'revolute', parent: 'a', child: 'b', limits: [-1, 1] }],
});

define('what has no legs is refused in words of the page', {}, async (page) => {
  await page.setInputFiles('#retarget input[type=file]', {
    ...{ name: 'crane.json', mimeType: 'text/plain', buffer: Buffer.from(crane) },
  });
  await page.waitForFunction(() => document.querySelector('.retargeted').textContent !== '');
  // by what the library says was not recognised: see report.ts
  assert.equal(
    await words(page),
    "The target 'crane' has no pelvis and legs that are found by name or by shape; " +
      'give a map in the table “Bone map”.',
  );
});

define(
  'what is refused while it is saved is not saved as it was before',
  { alone: true },
  async (page) => {
    await page.selectOption('#retarget select', 'builtin:biped');
    assert.match(await words(page), /^\d+ frames/);
    await page.evaluate(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (request, ...rest) {
        if (request.call === 'write') request.wanted.of.map = '{"limber_map": 1';
        post.call(this, request, ...rest);
      };
      limber.motion.player.toggle(false);
    });
    await page.click('[data-file="target-csv"]');
    await page.waitForFunction(() =>
      /not well-formed JSON/.test(document.querySelector('.toast').textContent),
    );
  },
);

test('a worker that cannot be started is said so, and tried again', async () => {
  const { page, complaints, close } = await another({
    init: () => {
      const { Worker } = window;
      window.Worker = class {
        constructor() {
          throw new Error('no workers here');
        }
      };
      window.allow = () => (window.Worker = Worker);
    },
  });
  try {
    await toMotion(page);
    await page.selectOption('#retarget select', 'builtin:biped');
    assert.match(await words(page), /^no workers here/);
    await page.selectOption('#retarget select', '');
    // two choices within one picture are none
    await settled(page);
    await page.evaluate(() => allow());
    await page.selectOption('#retarget select', 'builtin:biped');
    assert.match(await words(page), /^\d+ frames/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

/** In the page: what its workers answer waits until gate.open(). */
function init() {
  const waiting = [];
  const onmessage = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  window.gate = {
    closed: false,
    open() {
      this.closed = false;
      for (const answer of waiting.splice(0)) answer();
    },
  };
  Object.defineProperty(Worker.prototype, 'onmessage', {
    ...onmessage,
    set(listener) {
      onmessage.set.call(this, (event) => {
        if (gate.closed) waiting.push(() => listener(event));
        else listener(event);
      });
    },
  });
}

define(
  'that it retargets is seen until it has ended, or nothing is wanted',
  { init, alone: true },
  async (page) => {
    // what plays would show it with its next picture
    await page.evaluate(() => limber.motion.seek(0));
    await settled(page);
    const onto = async (figure) => {
      await page.selectOption('#retarget select', figure);
      await drawn(page);
    };
    const look = () =>
      page.evaluate(() => ({
        working: limber.motion.working,
        busy: document.querySelector('.retargeted').ariaBusy,
        words: document.querySelector('.retargeted').textContent,
        saves: document.querySelectorAll('[data-file^="target-"]').length > 0,
      }));
    const nothing = { working: '', busy: 'false', words: '', saves: false };
    await page.evaluate(() => (gate.closed = true));
    await onto('builtin:biped');
    const during = await look();
    assert.match(during.working, /^Retargeting onto/);
    assert.equal(during.busy, 'true');
    await page.waitForFunction(() => !document.querySelector('.progress').hidden);
    await onto('');
    assert.deepEqual(await look(), nothing);
    assert.ok(await page.isHidden('.progress'));
    await page.evaluate(() => gate.open());
    await onto('builtin:biped');
    assert.match(await words(page), /^\d+ frames/);
    assert.ok((await look()).saves);
    await onto('');
    assert.deepEqual(await look(), nothing);
  },
);

define(
  'the page goes on while it retargets, and what is no longer wanted does not hold it up',
  { skip: skip || without(romeo) || without(jump), init, alone: true },
  async (page) => {
    const jumping = part(jump, 900, 300);
    await openRobot(page, romeo, jumping);
    await settled(page);
    // while the answer is held back
    const seen = await page.evaluate(async () => {
      const { motion, store } = limber;
      const [note, outcome] = ['.progress', '.retargeted'].map((c) => document.querySelector(c));
      const until = async (is) => {
        const end = performance.now() + 60_000;
        while (!is()) {
          if (performance.now() > end) throw new Error(`waited in vain until ${is}`);
          await new Promise((next) => setTimeout(next, 5));
        }
      };
      const before = outcome.textContent;
      gate.closed = true;
      store.adjust((state) => void (state.motion.options.retime = true));
      await until(() => !note.hidden);
      motion.step(10);
      const during = {
        ...{ note: note.textContent, frame: document.querySelector('#frame-count').textContent },
        ...{ same: outcome.textContent === before, busy: outcome.ariaBusy },
      };
      // what cannot be read takes nothing away: the motion is retargeted still
      const read = motion.openFiles(new Map([['bad.bvh', new Blob(['HIERARCHY'])]]));
      const reading = motion.working;
      gate.open();
      await read;
      gate.closed = true;
      const toast = document.querySelector('.toast').textContent;
      const again = motion.working;
      const first = motion.played[0].name;
      // and something else is wanted instead
      store.adjust(({ motion: { options } }) => {
        options.retime = false;
        options.rate = 30;
      });
      gate.open();
      await until(() => /^75 frames/.test(outcome.textContent));
      return {
        ...during,
        toast,
        reading,
        again,
        first,
        hidden: note.hidden,
        after: motion.working,
      };
    });
    assert.match(seen.note, /^Retargeting onto .+ …/);
    assert.match(seen.frame, /^frame 10 of /);
    assert.ok(seen.same && seen.busy === 'true' && seen.hidden, JSON.stringify(seen));
    assert.match(seen.reading, /^Reading bad/);
    assert.match(seen.toast, /^bad\.bvh/);
    assert.match(seen.again, /^Retargeting onto/);
    assert.deepEqual([seen.first, seen.after], ['01_01.bvh', '']);
    // the one that was interrupted ends by itself first, for as long as the browser gives it
    for (let waits = 0; page.workers().length > 1 && waits < 100; waits++)
      await page.waitForTimeout(100);
    assert.equal(page.workers().length, 1);
    // what is saved is the program's
    assert.equal(await saved(page), byProgram(romeo, ['--fps', '30'], jumping));
    // a motion that is opened meanwhile does not wait for it either
    await page.evaluate(() => (gate.closed = true));
    await turn(page, 'Slow down');
    await page.evaluate(() => limber.motion.openExample('walk'));
    assert.equal(await page.evaluate(() => limber.motion.played[0].name), 'Walk');
  },
);
