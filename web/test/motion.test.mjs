// Motion: files that are dropped play, are retargeted, corrected and saved.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../limber/test/support.mjs';
import { settled } from './settled.mjs';
import {
  choose,
  data,
  drawn,
  fileOf,
  onPages,
  opened,
  part,
  shoot,
  slide,
  toMotion,
  without,
} from './support.mjs';

const { define } = onPages(toMotion, [], { shared: true });

/** Opens a short capture of one leg and stops it at its beginning. */
async function openLeg(page, frames = 41) {
  await choose(page, { name: 'leg.bvh', text: capture(frames) });
  await opened(page, 'leg.bvh');
  await page.evaluate(() => limber.motion.seek(0));
}

const count = (page) => page.textContent('#frame-count');
const time = (page) => page.evaluate(() => limber.motion.player.time);

define('the module with clips comes with the view, and a figure walks in it', {}, async (page) => {
  const loaded = () =>
    page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => /clips.*\.wasm/.test(name))
          .length,
    );
  assert.equal(await loaded(), 1);
  assert.equal(await page.locator('.motion-track .lane').count(), 4);
  await openLeg(page);
  assert.equal(await loaded(), 1);
  // what was opened is not taken away by the walk
  await drawn(page);
  assert.equal(await page.evaluate(() => limber.motion.played[0].name), 'leg.bvh');
});

define('the view goes along where time is scrubbed, too', {}, async (page) => {
  await page.evaluate(() => limber.motion.openExample('walk'));
  await opened(page, 'Walk');
  const offset = (at) =>
    page.evaluate((time) => {
      limber.motion.seek(time);
      const { world, actors } = limber.motion.room;
      const { place } = actors[0];
      return [place.x, world.orbit.target.x - place.x, world.orbit.target.y - place.y];
    }, at);
  const [before, ...first] = await offset(0.2);
  const [after, ...second] = await offset(4);
  assert.ok(Math.abs(after - before) > 2);
  for (const i of [0, 1]) assert.ok(Math.abs(second[i] - first[i]) < 1e-6);
});

define('another motion is looked at from where it begins', {}, async (page) => {
  const off = await page.evaluate(async () => {
    const { motion } = limber;
    // far from there, and opened while that plays
    motion.seek(4);
    motion.player.toggle(true);
    const far = motion.room.actors[0].place.x;
    await motion.openExample('stroll');
    motion.seek(motion.player.begin);
    const { world, actors } = motion.room;
    const { x, y } = actors[0].place;
    const { target } = world.orbit;
    return [Math.abs(far - x), Math.hypot(target.x - x, target.y - y)];
  });
  assert.ok(off[0] > 2 && off[1] < 0.3, `${off}`);
});

define('a capture plays: keys, buttons, the timeline', {}, async (page) => {
  await choose(page, { name: 'leg.bvh', text: capture(41) });
  await opened(page, 'leg.bvh');
  assert.ok(await page.evaluate(() => limber.motion.player.playing));
  await page.waitForFunction(() => limber.motion.player.time > 0.05);
  const facts = await page.textContent('.facts');
  for (const words of ['BVH', 'cm', '41', '20 a second', '2.00 s'])
    assert.ok(facts.includes(words));
  await page.focus('.motion-track .ruler');
  await page.keyboard.press(' ');
  assert.ok(!(await page.evaluate(() => limber.motion.player.playing)));
  await page.keyboard.press('Home');
  assert.equal(await time(page), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await count(page), 'frame 1 of 40, 0.05 s');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await count(page), 'frame 11 of 40, 0.55 s');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  assert.equal(await count(page), 'frame 40 of 40, 2.00 s');
  assert.equal(await page.getAttribute('.motion-track .ruler', 'aria-valuenow'), '40');
  await page.click('[title^="One frame back"]');
  assert.equal(await count(page), 'frame 39 of 40, 1.95 s');
  // scrubbing: half way along the line is half of the time
  const box = await (await page.$('.motion-track')).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 10);
  assert.ok(Math.abs((await time(page)) - 1) < 0.02);
  // without a loop it ends at the end
  await page.click('.timeline .toggle');
  await page.selectOption('.timeline select', '4');
  await page.click('#play-motion');
  await page.waitForFunction(() => !limber.motion.player.playing);
  assert.equal(await time(page), 2);
  // the figure is where its clip has it
  const apart = await page.evaluate(() => {
    const { room, played } = limber.motion;
    const state = played[0].clip.model.state(played[0].clip.at(2));
    const { elements } = room.actors[0].figure.links[1].matrix;
    const t = state.transform(1);
    return Math.hypot(elements[12] - t[9], elements[13] - t[10], elements[14] - t[11]);
  });
  assert.ok(apart < 1e-9, `${apart}`);
});

define('what is wrong with a file is said with its place', {}, async (page) => {
  const toast = (pattern) =>
    page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.toast').textContent),
      pattern.source,
    );
  await choose(page, { name: 'bad.bvh', text: capture(3).replace('CHANNELS 3', 'CHANNELS 4') });
  await toast(/^bad\.bvh:10: joint 'knee': CHANNELS states 4/);
  await choose(page, { name: 'x.gltf', text: '{"asset": {"version": "2.0"}}' });
  await toast(/^x\.gltf: there are no nodes/);
  await choose(page, { name: 'x.csv', text: '1,2,3\n' });
  await toast(/^x\.csv:1: /);
  await choose(page, { name: 'notes.txt', text: 'x' });
  await toast(/^notes\.txt: it is no motion \(BVH, glTF/);
  await choose(page, { name: 'skeleton.bvh', text: capture(0) });
  await toast(/^skeleton\.bvh: it has a skeleton and no frames/);
  // what was there stays
  assert.deepEqual(await page.evaluate(() => limber.motion.played.map(({ name }) => name)), [
    'Walk',
  ]);
});

define('a motion goes onto another figure, beside its own', {}, async (page) => {
  await page.click('[data-motion]');
  await page.waitForFunction(() => limber.motion.played.length === 1);
  await page.evaluate(() => limber.motion.player.toggle(false));
  await page.selectOption('#retarget select', 'builtin:human');
  await page.waitForFunction(() => limber.motion.played.length === 2);
  assert.match(await page.textContent('.retargeted'), /frames in .* slide 0\.0\d mm/);
  assert.equal(await page.locator('.actor-label').count(), 2);
  const places = await page.evaluate(() =>
    limber.motion.room.actors.map(({ group }) => group.position.toArray()),
  );
  assert.ok(Math.hypot(...places[0].map((x, i) => x - places[1][i])) > 0.5);
  // a figure that lacks legs is refused in words, and the source stays
  await page.evaluate(() =>
    limber.store.adjust(({ stage }) => (stage.model = { from: 'builtin', name: 'panda' })),
  );
  await page.evaluate(() => limber.store.change('onto', ({ motion }) => (motion.onto = 'stage')));
  await page.waitForFunction(() => /legs/.test(document.querySelector('.retargeted').textContent));
  assert.equal(await page.evaluate(() => limber.motion.played.length), 1);
  await page.click('#undo');
  await page.waitForFunction(() => limber.motion.played.length === 2);
});

define('contacts of feet are on the timeline', {}, async (page) => {
  await page.waitForSelector('.motion-track .span');
  const sides = await page.$$eval('.motion-track .span', (spans) =>
    spans.map((span) => span.dataset.foot),
  );
  assert.ok(sides.includes('left') && sides.includes('right'));
  const words = await page.getAttribute('.motion-track .span', 'aria-label');
  assert.match(words, /^left heel rests, \d/);
});

/** The contacts on the timeline: of each lane the begin and end of each, when all is there. */
async function lanes(page) {
  await settled(page);
  return page.evaluate(() =>
    limber.motion.lanes.map(({ spans }) => spans.map((s) => [s.begin, s.end])),
  );
}
const heldAt = (page, who = 1) =>
  page.evaluate((i) => limber.motion.played[i].contacts.map(({ spans }) => spans.length), who);

/** The walk on another figure, at rest: on one without arms, which is quick. */
async function openWalk(page) {
  await page.evaluate(() => limber.motion.seek(0));
  await page.selectOption('#retarget select', 'builtin:biped');
  await page.waitForFunction(() => limber.motion.played.length === 2);
}

define('contacts are dragged, and the motion is retargeted again', {}, async (page) => {
  await openWalk(page);
  const before = await lanes(page);
  const pose = async () => {
    // the figure is away while it is retargeted
    await page.waitForFunction(() => limber.motion.played.length === 2);
    await settled(page);
    return page.evaluate(() => [...limber.motion.played[1].clip.at(2.05)]);
  };
  const free = await pose();
  // the second contact of the left heel ends at the end of the third second
  const bar = await page.locator('.span[data-point="0"][data-index="1"]').boundingBox();
  const track = await page.locator('.motion-track').boundingBox();
  const perSecond = track.width / (await page.evaluate(() => limber.motion.player.length));
  const y = bar.y + bar.height / 2;
  await page.mouse.move(bar.x + bar.width - 2, y);
  await page.mouse.down();
  await page.mouse.move(bar.x + bar.width - 2 + 0.5 * perSecond, y, { steps: 4 });
  assert.match(await page.textContent('.motion-track .tip'), /^1\.20 to 2\.1\d s$/);
  await page.mouse.up();
  const after = await lanes(page);
  assert.ok(Math.abs(after[0][1][1] - before[0][1][1] - 0.5) < 0.02, `${after[0][1]}`);
  assert.equal(after[0][1][0], before[0][1][0]);
  // to a frame, and nothing else changes
  const times = await page.evaluate(() => [...limber.motion.played[0].clip.times]);
  assert.ok(times.includes(after[0][1][1]));
  assert.deepEqual(after.slice(1), before.slice(1));
  assert.notDeepEqual(await pose(), free);
  assert.match(await page.textContent('#contacts .note'), /^left heel: 1\.20 to/);
  // as a whole
  await page.mouse.move(bar.x + bar.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(bar.x + bar.width / 2 + 0.2 * perSecond, y, { steps: 3 });
  await page.mouse.up();
  const moved = await lanes(page);
  assert.ok(Math.abs(moved[0][1][0] - before[0][1][0] - 0.2) < 0.02);
  for (let i = 0; i < 2; i++) await page.click('#undo');
  await page.waitForFunction(
    () => limber.motion.contacts && !limber.store.state.motion.contacts.length,
  );
  assert.deepEqual(await lanes(page), before);
  assert.deepEqual(await pose(), free);
  await page.click('#redo');
  assert.deepEqual(await lanes(page), after);
  // and all are found again
  await page.click('#contacts >> text=Find again');
  assert.deepEqual(await lanes(page), before);
});

define(
  'contacts are added, cut and deleted by the keyboard and by a double click',
  {},
  async (page) => {
    await openWalk(page);
    const before = await lanes(page);
    const counts = await heldAt(page);
    // a contact has the focus: its ends come to the present time, and it goes
    await page.focus('.span[data-point="2"][data-index="0"]');
    await page.keyboard.press('Enter');
    assert.match(await page.textContent('#contacts .note'), /^right heel/);
    await page.evaluate(() => limber.motion.seek(0.9));
    await page.keyboard.press(']');
    assert.ok(Math.abs((await lanes(page))[2][0][1] - 0.9) < 1e-9);
    await page.evaluate(() => limber.motion.seek(0.7));
    await page.keyboard.press('[');
    assert.ok(Math.abs((await lanes(page))[2][0][0] - 0.7) < 1e-9);
    await page.keyboard.press('Delete');
    assert.equal((await lanes(page))[2].length, before[2].length - 1);
    assert.ok((await heldAt(page))[2] < counts[2]);
    // another one at the present time, of the same point
    await page.evaluate(() => limber.motion.seek(0.9));
    await page.keyboard.press('c');
    const [added] = (await lanes(page))[2];
    assert.ok(added[0] < 0.9 && added[1] > 0.9 && added[1] - added[0] < 0.35, `${added}`);
    assert.equal(
      await page.getAttribute('.span[data-point="2"][data-index="0"]', 'aria-pressed'),
      'true',
    );
    // a double click beside the bars of a lane
    const lane = await page.locator('.motion-track .lane').nth(3).boundingBox();
    const perSecond = lane.width / (await page.evaluate(() => limber.motion.player.length));
    const gaps = (await lanes(page))[3];
    await page.mouse.dblclick(lane.x + 0.45 * perSecond, lane.y + lane.height / 2);
    assert.equal((await lanes(page))[3].length, gaps.length + 1);
    // what touches becomes one
    await page.evaluate(() =>
      limber.motion.contacts.change({ point: 3, index: 0 }, { begin: 0, end: 1 }),
    );
    assert.ok((await lanes(page))[3].length <= gaps.length);
  },
);

define('contacts and maps are files: saved, and opened again', {}, async (page) => {
  await openWalk(page);
  await page.evaluate(() => {
    limber.motion.contacts.choose(0, 1);
    limber.motion.contacts.remove();
  });
  const edited = await lanes(page);
  const contacts = await fileOf(page, 'source-contacts');
  assert.equal(contacts.name, 'Walk-contacts.json');
  assert.equal(JSON.parse(contacts.text).limber_contacts, 1);
  await page.click('#contacts >> text=Find again');
  assert.notDeepEqual(await lanes(page), edited);
  await choose(page, contacts);
  await page.waitForFunction(() => limber.store.state.motion.contacts.length === 4);
  assert.deepEqual(await lanes(page), edited);
  // those of the result are there as well, and of one with arms
  await page.selectOption('#retarget select', 'builtin:human');
  await lanes(page);
  assert.match((await fileOf(page, 'target-contacts')).text, /"left_foot"/);
  // a map whose left arm follows the right one
  await page.click('#map summary');
  const elbow = async () => {
    await settled(page);
    return page.evaluate(() => {
      const { clip } = limber.motion.played[1];
      const state = clip.model.state(clip.at(0.6));
      return [...state.transform('left_forearm').slice(9)];
    });
  };
  const before = await elbow();
  await page.selectOption('[aria-label="Bone of left upper arm"]', 'right_upper_arm');
  const crossed = await elbow();
  assert.ok(Math.hypot(...crossed.map((x, i) => x - before[i])) > 0.02, `${crossed}`);
  const map = await fileOf(page, 'map');
  assert.equal(
    JSON.parse(map.text).pairs.find(({ target }) => target === 'left_upper_arm').source,
    'right_upper_arm',
  );
  await page.click('#map >> text=Find again');
  assert.deepEqual(await elbow(), before);
  await choose(page, map);
  await page.waitForFunction(() => limber.store.state.motion.map.text !== '');
  assert.deepEqual(await elbow(), crossed);
  // pairs go and come; a new one of a role has its weights
  const rows = async () => {
    await settled(page);
    return page.locator('.map-table tbody tr:not(.new)').count();
  };
  const all = await rows();
  await page.click('[aria-label="Take head out of the map"]');
  assert.equal(await rows(), all - 1);
  await page.selectOption('[aria-label="Role of a new pair"]', 'head');
  await page.selectOption('[aria-label="Bone of a new pair"]', 'head');
  await page.selectOption('[aria-label="Link of a new pair"]', 'head');
  await page.click('[aria-label="Add the pair"]');
  assert.equal(await rows(), all);
  const pair = JSON.parse((await fileOf(page, 'map')).text).pairs.at(-1);
  assert.deepEqual([pair.role, pair.orientation], ['head', 0.1]);
  // what is wrong with a file is said
  await choose(page, { name: 'm.json', text: map.text.replace('"left_hand"', '"left_hnd"') });
  await page.waitForFunction(() =>
    /^m\.json:\d+: .*no link 'left_hnd'/.test(document.querySelector('.toast').textContent),
  );
});

define('a crowd of one clip', { size: 'desk' }, async (page) => {
  await page.click('#crowd summary');
  await slide(page.locator('#crowd input[type=range]'), 60);
  await page.evaluate(() => limber.motion.player.toggle(true));
  await page.waitForFunction(() => limber.motion.crowd?.figures?.framesPerSecond > 0);
  const { count, matrices } = await page.evaluate(() => limber.motion.crowd.figures);
  const links = await page.evaluate(() => limber.motion.played[0].clip.model.links.length);
  console.log(
    `# crowd: ${count} figures of ${links} links, ${(matrices / 1e6).toFixed(1)} million matrices a second`,
  );
  assert.equal(count, 60);
  assert.match(await page.textContent('.crowd'), /^60 figures: .* million matrices\/s/);
  // each has another pose: the first instances of a mesh differ
  const apart = await page.evaluate(() => {
    limber.motion.seek(0.5);
    const turns = limber.motion.crowd.group.children.map(({ instanceMatrix: { array: m } }) =>
      Math.hypot(...[0, 1, 2, 4, 5, 6].map((i) => m[i] - m[16 + i])),
    );
    return Math.max(...turns);
  });
  assert.ok(apart > 1e-3, `${apart}`);
  await drawn(page);
  await shoot(page, 'motion-crowd');
  await slide(page.locator('#crowd input[type=range]'), 0);
  await page.waitForFunction(() => limber.motion.crowd === null);
  assert.ok(await page.evaluate(() => limber.motion.room.actors[0].group.visible));
});

define('a crowd outlives the figure that it was of', { alone: true }, async (page) => {
  // by the state alone: a picture of the crowd may take the software renderer long
  const onto = (figure) =>
    page.evaluate((to) => limber.store.change('onto', ({ motion }) => (motion.onto = to)), figure);
  const crowdOf = (index) =>
    page.waitForFunction(
      (i) =>
        limber.motion.crowd?.count === 20 &&
        limber.motion.working === '' &&
        limber.motion.room.actors.length === i + 1,
      index,
    );
  /** It plays on, and nothing is thrown. */
  const plays = async () => {
    const before = await page.evaluate(() => limber.motion.player.time);
    await page.waitForFunction((time) => limber.motion.player.time !== time, before);
    await drawn(page);
    assert.ok(await page.evaluate(() => limber.motion.player.playing));
  };
  await page.evaluate(() => limber.store.adjust(({ motion }) => void (motion.crowd = 20)));
  for (const nobody of ['', 'file']) {
    await onto('builtin:biped');
    await crowdOf(1);
    await page.evaluate(() => limber.motion.player.toggle(true));
    await plays();
    await onto(nobody);
    await crowdOf(0);
    await plays();
  }
});

define(
  'a part that is dragged corrects the frames around, and undo takes it back',
  {},
  async (page) => {
    await page.waitForFunction(() => limber.motion.played.length === 1);
    await page.evaluate(() => limber.motion.seek(0.8));
    await drawn(page);
    await slide(page.locator('#corrections input[type=range]'), 0.3);
    // where the left hand is on the screen
    const hand = () =>
      page.evaluate(() => {
        const { room } = limber.motion;
        const [actor] = room.actors;
        const link = actor.model.findLink('left_hand');
        const at = actor.figure.links[link].children[0];
        const box = room.world.canvas.getBoundingClientRect();
        actor.figure.group.updateWorldMatrix(true, true);
        const p = at.children[0].children[0]
          .getWorldPosition(actor.place)
          .project(room.world.camera);
        return { x: box.x + ((1 + p.x) / 2) * box.width, y: box.y + ((1 - p.y) / 2) * box.height };
      });
    const places = async () => {
      await settled(page);
      return page.evaluate(() => {
        const { clip } = limber.motion.played[0];
        const state = clip.model.state();
        const { chest } = limber.motion.library.clips.findRig(clip.model);
        window.chest = [...state.update(clip.at(0.8)).transform(chest)];
        return [0.2, 0.45, 0.6, 0.8, 1, 1.15, 1.4].map((time) => {
          const t = state.update(clip.at(time)).transform('left_hand');
          return [...t.slice(9)];
        });
      });
    };
    const before = await places();
    const upright = await page.evaluate(() => chest);
    const { x, y } = await hand();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y - 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForSelector('.motion-track .mark');
    const far = (await places()).map((at, i) => Math.hypot(...at.map((v, k) => v - before[i][k])));
    // an arm moves and not the trunk, while it reaches
    const leaned = (await page.evaluate(() => chest)).map((v, i) => Math.abs(v - upright[i]));
    assert.ok(Math.max(...leaned) < 2e-3, `${leaned}`);
    // most at the frame itself, less around it, nothing beyond 0.3 s
    assert.ok(far[3] > 0.03, `${far}`);
    assert.ok(far[2] > 0.05 * far[3] && far[2] < far[3] && far[4] < far[3], `${far}`);
    for (const i of [0, 1, 5, 6]) assert.ok(far[i] < 1e-9, `${far}`);
    assert.match(await page.textContent('.corrections'), /at 0\.80 s/);
    await page.click('#undo');
    await page.waitForFunction(() => !document.querySelector('.motion-track .mark'));
    assert.deepEqual(await places(), before);
    await page.click('#redo');
    await page.waitForSelector('.motion-track .mark');
    await page.click('.corrections .button');
    await page.waitForFunction(() => !document.querySelector('.motion-track .mark'));
  },
);

define('motions are saved in the formats that hold them', {}, async (page) => {
  await openLeg(page, 5);
  const { name, text } = await fileOf(page, 'source-bvh');
  assert.equal(name, 'leg-motion.bvh');
  // what it cannot be is said with the reason
  assert.match(
    await page.textContent('#motion-files'),
    /Not as CSV, .* or NPZ: .*Not as GLB: only/,
  );
  assert.match(text, /^HIERARCHY[^]*Frames: 5\n/);
  // what was saved opens again
  await choose(page, { name: 'again.bvh', text });
  await opened(page, 'again.bvh');
});

const walk = 'bvh/cmu_12_01_walk.bvh';
define(
  'a corrected capture is saved with the rest pose before it',
  { skip: without(walk) },
  async (page) => {
    await choose(page, part(walk, 0, 12));
    await opened(page, 'cmu_12_01_walk.bvh');
    assert.equal(await page.evaluate(() => limber.motion.played[0].clip.count), 11);
    await page.evaluate(() => {
      const { model } = limber.motion.played[0].clip;
      const { name } = model.joints.find(({ kind }) => kind === 'ball');
      const { id } = limber.motion;
      limber.store.change('test', ({ motion }) => {
        motion.take = id;
        motion.corrections = [
          {
            on: 'source',
            link: '',
            joint: name,
            point: [0, 0, 0],
            time: 0,
            by: [0.1, 0, 0],
            width: 0.2,
          },
        ];
      });
    });
    await settled(page);
    assert.equal(await page.evaluate(() => limber.motion.corrections.length), 1);
    assert.match((await fileOf(page, 'source-bvh')).text, /^Frames: 12$/m);
  },
);

define('who wants less motion starts it by hand', {}, async (page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => limber.motion.openExample('stroll'));
  await opened(page, 'Stroll');
  assert.equal(await page.evaluate(() => limber.motion.player.playing), false);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
});

const g1 = 'urdf/unitree_g1_29dof_rev_1_0.urdf';
define(
  'a capture and a robot that come together: the robot walks, and its table is saved',
  { skip: without(walk) || without(g1), size: 'desk' },
  async (page) => {
    const robot = { name: 'g1.urdf', text: readFileSync(join(data, g1), 'utf8') };
    await choose(page, part(walk, 1, 121), robot);
    await page.waitForFunction(() => limber.motion.played.length === 2);
    assert.match(await page.textContent('.retargeted'), /^121 frames/);
    await page.evaluate(() => limber.motion.seek(1.2));
    await drawn(page);
    await shoot(page, 'motion-g1');
    const { text } = await fileOf(page, 'target-csv');
    const rows = text.trim().split('\n');
    assert.deepEqual([rows.length, rows[0].split(',').length], [121, 36]);
    // and is read with the robot again
    await choose(page, { name: 'walk.csv', text }, robot);
    await opened(page, 'walk.csv');
    assert.equal(await page.evaluate(() => limber.motion.played[0].clip.count), 121);
    // the same with a header, as NumPy's archive and as JSON
    for (const [id, name] of [
      ['bones', 'walk-bones.csv'],
      ['npz', 'walk.npz'],
      ['json', 'walk-motion.json'],
    ]) {
      const { bytes } = await fileOf(page, `source-${id}`);
      await page.setInputFiles('.motion-view .examples input[type=file]', [
        { name, mimeType: 'application/octet-stream', buffer: bytes },
        { name: 'g1.urdf', mimeType: 'text/plain', buffer: readFileSync(join(data, g1)) },
      ]);
      await opened(page, name);
      assert.equal(await page.evaluate(() => limber.motion.played[0].clip.count), 121);
    }
    const note = await page.textContent('#motion-files .note');
    assert.match(
      note,
      /^Not as GLB: only a figure from a glTF has the nodes and meshes that are in one\. /,
    );
    // at which rate files are read that have no times
    assert.match(
      note,
      /CSV is read at 30 frames a second, and this motion has 120: pass --source-fps 120/,
    );
  },
);

/** The bones that three has of a character are where the clip has its links. */
async function assertBonesFollow(page) {
  const apart = await page.evaluate(() => {
    const [actor] = limber.motion.room.actors;
    let most = 0;
    let bones = 0;
    actor.group.traverse((part) => {
      if (!part.isBone || !actor.model.links.some(({ name }) => name === part.name)) return;
      const t = actor.state.transform(part.name);
      const [x, y, z] = part.matrixWorld.elements.slice(12, 15);
      most = Math.max(most, Math.hypot(x - t[9], y - t[10], z - t[11]));
      bones++;
    });
    return { most, bones };
  });
  // three takes dots out of names: those that have none are compared
  assert.ok(apart.bones >= 5 && apart.most < 1e-6, JSON.stringify(apart));
}

define(
  'a GLB plays each of its animations',
  { skip: without('gltf/robot_expressive.glb') },
  async (page) => {
    await choose(page, 'gltf/robot_expressive.glb');
    await opened(page, 'robot_expressive.glb');
    await page.selectOption('#motion-facts select', { label: 'Robot_Walking' });
    await page.waitForFunction(() => limber.motion.player.length < 1.5);
    // its mesh is drawn, with every bone where the clip has it
    await page.waitForFunction(() => limber.motion.room.actors[0].hasSkin);
    await page.evaluate(() => limber.motion.seek(0.4));
    await drawn(page);
    await assertBonesFollow(page);
    const drawnAs = () =>
      page.evaluate(() => {
        const [actor] = limber.motion.room.actors;
        return [actor.figure.group.visible, actor.group.children[1].visible];
      });
    assert.deepEqual(await drawnAs(), [false, true]);
    await shoot(page, 'motion-character');
    await page.click('.motion-view .room-tools .toggle:nth-child(2)');
    await page.waitForFunction(() => limber.motion.room.actors[0].figure.group.visible);
    assert.deepEqual(await drawnAs(), [true, false]);

    // what is written, three shows as well, with the animation that was added
    const written = await fileOf(page, 'source-glb');
    assert.equal(written.text.slice(0, 4), 'glTF');
    await choose(page, { name: 'written.glb', text: written.bytes });
    await opened(page, 'written.glb');
    await page.selectOption('#motion-facts select', { label: 'limber' });
    await page.waitForFunction(() => limber.motion.room.actors[0].hasSkin);
    await page.evaluate(() => limber.motion.seek(0.4));
    await drawn(page);
    await assertBonesFollow(page);
  },
);
