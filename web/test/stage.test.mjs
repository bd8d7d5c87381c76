// The stage in Chromium: the Panda, its gizmo and sliders, layers, key poses, links.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, here, onPages, saved, shoot, slide, toStage } from './support.mjs';

const { define: stage, another } = onPages(toStage, [], { shared: true });

const state = (page) => page.evaluate(() => limber.store.state.stage);
const outcome = (page) =>
  page.$eval('.outcome', (e) => ({ kind: e.dataset.outcome, words: e.textContent }));
/** Where a point of the room is on the page. */
const project = (page, xyz) =>
  page.evaluate(([x, y, z]) => {
    const { camera, canvas } = limber.stage.world;
    const at = limber.stage.world.orbit.target.clone().set(x, y, z).project(camera);
    const box = canvas.getBoundingClientRect();
    return [box.left + ((1 + at.x) * box.width) / 2, box.top + ((1 - at.y) * box.height) / 2];
  }, xyz);
const open3d = async (page, name) => {
  await page.click(`[data-model="${name}"]`);
  await page.waitForFunction((wanted) => limber.stage.model.name === wanted, name);
};
const tip = async (page, link) => page.evaluate((name) => limber.stage.session.pose(name), link);

stage('the gizmo is dragged and the Panda reaches', {}, async (page) => {
  await drawn(page);
  const before = await state(page);
  const target = before.tips[0].target;
  // the arrow along x
  const from = await project(page, [target[9] + 0.07, target[10], target[11]]);
  const to = await project(page, [target[9] + 0.22, target[10], target[11]]);
  await page.mouse.move(...from);
  await drawn(page);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 10 });
  await page.mouse.up();
  const after = await state(page);
  assert.ok(after.tips[0].target[9] > target[9] + 0.08, 'the target moved along x');
  assert.ok(Math.abs(after.tips[0].target[11] - target[11]) < 1e-6, 'and not along z');
  assert.equal((await outcome(page)).kind, 'reached');
  const pose = await tip(page, 'panda_hand');
  assert.ok(Math.abs(pose[9] - after.tips[0].target[9]) < 1e-5);
  await shoot(page, 'stage');

  // a slider moves it back, and the target rides along
  await slide(page.locator('.joints input[type=range]').first(), 1.2);
  const turned = await state(page);
  assert.ok(Math.abs(turned.q[0] - 1.2) < 0.002);
  assert.ok(Math.abs(turned.tips[0].target[10]) > 0.2);
  await page.click('#undo');
  assert.ok(Math.abs((await state(page)).q[0] - 1.2) > 0.5);
});

stage('out of reach is said in words', {}, async (page) => {
  await page.evaluate(() =>
    limber.store.change('far', ({ stage: s }) => void (s.tips[0].target[9] = 3)),
  );
  await page.waitForFunction(
    () => document.querySelector('.outcome').dataset.outcome === 'unreachable',
  );
  assert.match((await outcome(page)).words, /out of reach/i);
  // in short, and the reason for whoever asks: another solve leaves it open
  const beyond = await page.textContent('.outcome summary b');
  // links laid end to end, which joints do not allow here, would miss by that
  assert.match(beyond, /^✕ at least [\d.]+ m out of reach$/);
  const open = () => page.$eval('.outcome details', (each) => each.open);
  assert.equal(await open(), false);
  await page.click('.outcome summary');
  await page.evaluate(() =>
    limber.store.change('far', ({ stage: s }) => void (s.tips[0].target[9] = 4)),
  );
  await page.waitForFunction(
    (before) => document.querySelector('.outcome summary b').textContent !== before,
    beyond,
  );
  assert.equal(await open(), true);
  await shoot(page, 'stage-unreachable');
});

stage('a link pointed at is named, with its joint, value and limits', {}, async (page) => {
  await drawn(page);
  const [a, b] = [await tip(page, 'panda_link4'), await tip(page, 'panda_link5')];
  const at = await project(
    page,
    [9, 10, 11].map((i) => (a[i] + b[i]) / 2),
  );
  await page.mouse.move(...at);
  await page.waitForFunction(() => document.querySelector('.link-tag').textContent !== '');
  assert.match(await page.textContent('.link-tag'), /panda_link\d panda_joint\d.*limits/);
  assert.ok((await page.locator('.joints .lit').count()) >= 1);
});

stage('without Follow a line says how far the target is', {}, async (page) => {
  await page.evaluate(() =>
    limber.store.change('t', ({ stage: s }) => {
      s.follow = false;
      s.tips[0].target[9] += 0.2;
    }),
  );
  await page.waitForFunction(() => !document.querySelector('.gap-label').hidden);
  assert.equal(await page.textContent('.gap-label'), '20 cm');
});

stage('switching models leaves no geometry behind', { size: 'small' }, async (page) => {
  const count = () => page.evaluate(() => limber.stage.world.renderer.info.memory.geometries);
  const round = async () => {
    for (const name of ['panda', 'human', 'kr6']) {
      await page.evaluate((n) => limber.stage.open({ from: 'builtin', name: n }), name);
      await drawn(page);
    }
  };
  await round();
  const before = await count();
  for (let i = 0; i < 3; i++) await round();
  assert.ok((await count()) <= before + 2, `${before} then ${await count()}`);
});

stage('legends give dexterity and manipulability their scale', { size: 'small' }, async (page) => {
  await page.evaluate(() =>
    limber.store.change('l', ({ stage: s }) => {
      s.show.workspace = true;
      s.show.ellipsoid = true;
    }),
  );
  await page.waitForFunction(() => document.querySelectorAll('.legend p').length === 2);
  await page.waitForFunction(() => limber.stage.layer('workspace').progress > 0.1);
  assert.match(
    await page.textContent('.legend'),
    /Dexterity: the share of 108 orientations.*100 %.*Manipulability 0\.\d+/,
  );
});

/** Shows the workspace and waits until it is solved: [x, y, z, share] of the cells of the slice. */
const workspace = async (page, as = 'slice') => {
  await page.evaluate((way) => {
    limber.store.change('w', ({ stage: s }) => {
      s.show.workspace = true;
      s.workspaceAs = way;
    });
    limber.update();
  }, as);
  // solved in one go: between pictures, which are slow without a graphics card, it takes minutes
  await page.evaluate(() => {
    const layer = limber.stage.layer('workspace');
    while (layer.frame(performance.now()));
  });
  await page.waitForFunction(() => limber.stage.layer('workspace').progress === 1);
  await drawn(page);
  await page.waitForFunction(() => !limber.stage.world.moving);
  return page.evaluate(() =>
    limber.stage.layer('workspace').shares.map(({ place, share }) => [...place, share]),
  );
};

stage('the slice of the Panda’s workspace', { sharp: true, seen: true }, async (page) => {
  const cells = await workspace(page);
  assert.ok(cells.length > 500, String(cells.length));
  // the plane goes through the base and the tip, at y = 0 here
  for (const [, y] of cells) assert.ok(Math.abs(y) < 1e-9, String(y));
  const mean = (some) => some.reduce((sum, cell) => sum + cell[3], 0) / some.length;
  const near = (low, high) =>
    cells.filter(([x, , z]) => {
      const r = Math.hypot(x, z - 0.333);
      return r >= low && r < high;
    });
  // dexterity is all in the core and nearly none at the rim
  const [core, rim] = [mean(near(0.35, 0.45)), mean(near(0.8, 2))];
  assert.ok(core > 0.85, `core ${core}`);
  assert.ok(rim < 0.35, `rim ${rim}`);
  // every fifth of the scale is in use, all of it on the screen
  for (let k = 0; k < 5; k++)
    assert.ok(
      cells.some(([, , , share]) => share >= k / 5 && share <= (k + 1) / 5),
      `no share in ${k}/5`,
    );
  const seen = await page.evaluate(async () => {
    const bitmap = await createImageBitmap(await limber.stage.world.picture());
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    // the colours of the program's maps
    const shades = [
      [0.93, 0.95, 0.78],
      [0.63, 0.85, 0.72],
      [0.25, 0.71, 0.77],
      [0.17, 0.5, 0.72],
      [0.14, 0.2, 0.58],
    ];
    return shades.map((rgb) => {
      let found = 0;
      for (let i = 0; i < data.length; i += 4)
        if (rgb.every((x, k) => Math.abs(255 * x - data[i + k]) < 14)) found++;
      return found;
    });
  });
  for (const pixels of seen) assert.ok(pixels > 2, String(seen));
});

stage('workspaces in a plane, of few joints, and as a shell', { size: 'small' }, async (page) => {
  await open3d(page, 'planar3');
  const area = await workspace(page);
  assert.match(await page.textContent('.legend'), /share of 36 orientations/);
  // 15, 10 and 5 long: all within 30, and every orientation where the first two alone reach
  for (const [x, y, , share] of area) {
    const r = Math.hypot(x, y);
    assert.ok(r < 30 + 1e-6, String(r));
    if (r > 10.2 && r < 19.8) assert.equal(share, 1, `${x} ${y}`);
    if (r > 28) assert.ok(share < 0.5, `${x} ${y}: ${share}`);
  }
  await open3d(page, 'planar2');
  assert.ok((await workspace(page)).every(([, , , share]) => share === 0));
  assert.match(await page.textContent('.legend'), /too few to choose orientations/);
  await open3d(page, 'human');
  await page.evaluate(() =>
    limber.store.change('w', ({ stage: s }) => void (s.show.workspace = true)),
  );
  await page.waitForFunction(() =>
    /No workspace: the base moves/.test(document.querySelector('.legend').innerText),
  );
  await open3d(page, 'panda');
  await workspace(page, 'shell');
  const shell = await page.evaluate(() => {
    const { geometry } = limber.stage.layer('workspace').group.children.find((m) => m.visible);
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox;
    return { vertices: geometry.getAttribute('position').count, low: min.x, high: max.x };
  });
  assert.ok(shell.vertices > 2000, JSON.stringify(shell));
  assert.ok(shell.low < -0.75 && shell.high > 0.75 && shell.high < 1, JSON.stringify(shell));
});

stage('a link is pulled by its body', { size: 'small' }, async (page) => {
  await drawn(page);
  const before = await state(page);
  // the middle of the forearm, between two frames
  const [a, b] = [await tip(page, 'panda_link4'), await tip(page, 'panda_link5')];
  const at = await project(
    page,
    [9, 10, 11].map((i) => (a[i] + b[i]) / 2),
  );
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] - 70, at[1] - 40, { steps: 8 });
  await page.mouse.up();
  const after = await state(page);
  assert.ok(
    after.q.some((x, i) => Math.abs(x - before.q[i]) > 0.05),
    'joints moved',
  );
  await page.evaluate(() => limber.stage.model.validate(limber.store.state.stage.q, 1e-6));
});

stage('what is typed beside a slider', { size: 'small' }, async (page) => {
  const field = page.locator('#tips input.number').first();
  const type = async (text) => {
    await field.fill(text);
    await field.press('Enter');
    return [await field.inputValue(), (await state(page)).tips[0].target[9]];
  };
  assert.deepEqual(await type('0,45'), ['0.450', 0.45]);
  assert.deepEqual(await type('−0.25'), ['−0.250', -0.25]);
  for (const text of ['', 'nan', '1e999', 'x']) assert.equal((await type(text))[1], -0.25, text);
  const [shown, far] = await type('1e30');
  assert.ok(far < 3 && shown === far.toFixed(3), `${far} as ${shown}`);
  assert.equal((await type('-0'))[0], '0.000');
});

stage(
  'the same model again, another while a link is pulled, and back',
  { size: 'small' },
  async (page) => {
    await slide(page.locator('.joints input[type=range]').first(), 1);
    await page.click('[data-model="panda"]');
    await drawn(page);
    assert.equal((await state(page)).q[0], 0);
    for (const change of [
      () => limber.stage.open({ from: 'builtin', name: 'human' }),
      () => limber.stage.open({ from: 'builtin', name: 'panda' }),
      () => limber.show('board'),
      () => document.querySelector('#remove-tip').click(),
    ])
      for (const what of ['link', 'gizmo']) {
        await page.evaluate(() => {
          limber.show('stage');
          limber.stage.open({ from: 'builtin', name: 'panda' });
        });
        await drawn(page);
        const { target } = (await state(page)).tips[0];
        const place = what === 'link' ? await tip(page, 'panda_link4') : target;
        const [x, y] = await project(page, [
          place[9] + (what === 'link' ? 0 : 0.07),
          ...place.slice(10),
        ]);
        await page.mouse.move(x, y);
        await drawn(page);
        await page.mouse.down();
        await page.mouse.move(x + 20, y - 20, { steps: 2 });
        await page.evaluate(change);
        await page.mouse.move(x + 50, y - 40, { steps: 2 });
        await page.mouse.up();
        await drawn(page);
        const { q } = await state(page);
        assert.ok(q.length > 0 && q.every(Number.isFinite), `${what}: ${q}`);
      }
  },
);

stage('every built-in model stands', {}, async (page) => {
  const names = await page.$$eval('[data-model]', (all) => all.map((e) => e.dataset.model));
  assert.ok(names.length >= 8);
  for (const name of names) {
    await open3d(page, name);
    assert.ok((await state(page)).tips.length > 0, name);
    await drawn(page);
    if (['human', 'scara', 'planar3'].includes(name)) await shoot(page, `stage-${name}`);
  }
});

stage('the figures on hierarchies', {}, async (page) => {
  const ids = await page.$$eval('[data-figure]', (all) => all.map((e) => e.dataset.figure));
  assert.ok(ids.length >= 6);
  for (const id of ids) {
    await page.click(`[data-figure="${id}"]`);
    await page.waitForFunction((wanted) => limber.store.state.stage.model.name === wanted, id);
    await drawn(page);
    assert.ok((await page.textContent('.stage-view .story p')).length > 100, id);
    assert.ok(await page.isVisible('#structure svg'), id);
    await shoot(page, `stage-figure-${id}`);
  }
});

stage('the velocities that joints induce, Figure 5.16', { size: 'small' }, async (page) => {
  await page.click('[data-figure="5.16"]');
  await drawn(page);
  const lengths = (value) =>
    page.evaluate((to) => {
      limber.stage.setPose('slide', [0, to]);
      limber.stage.update();
      const { group } = limber.stage.layer('changes');
      return group.children.map(({ children: [shaft, head] }) => head.position.y + head.scale.y);
    }, value);
  const [near, far] = [await lengths(0.1), await lengths(0.6)];
  // the tip is 0.2 + 0.6 m and the slide from the axis that it turns about
  assert.ok(Math.abs(far[0] / near[0] - 1.4 / 0.9) < 1e-6, `${near[0]} ${far[0]}`);
  assert.ok(Math.abs(far[1] - near[1]) < 1e-9);
});

stage('the traversal pushes and pops as in Figure 5.13', {}, async (page) => {
  await page.evaluate(() => limber.stage.open({ from: 'figure', name: '5.13' }));
  await drawn(page);
  const shown = () =>
    page.evaluate(() => [
      document.querySelector('.traversal p').textContent.trim(),
      [...document.querySelectorAll('.stack li')].map((li) => li.textContent).join(' '),
      document.querySelector('.tree .current')?.getAttribute('aria-label'),
    ]);
  const steps = [
    ['At the root: M0 = T0', '', 'Link_0'],
    ['Push M0, go down: M1 = M0 T1 R1', 'M0', 'Link_1'],
    ['Push M1, go down: M1,1 = M1 T1,1 R1,1', 'M0 M1', 'Link_1,1'],
    ['Back up: pop M1', 'M0', 'Link_1'],
    ['Back up: pop M0', '', 'Link_0'],
    ['Push M0, go down: M2 = M0 T2 R2', 'M0', 'Link_2'],
    ['Push M2, go down: M2,1 = M2 T2,1 R2,1', 'M0 M2', 'Link_2,1'],
    ['Back up: pop M2', 'M0', 'Link_2'],
    ['Back up: pop M0', '', 'Link_0'],
  ];
  for (const [i, expected] of steps.entries()) {
    assert.deepEqual(await shown(), expected);
    if (i === 6) {
      assert.ok(await page.locator('.tree svg').isVisible());
      await shoot(page, 'stage-traversal');
    }
    await page.click('.traversal [data-step="1"]');
  }
  // by itself, from the beginning
  await page.click('.traversal [aria-label="Play the traversal"]');
  await page.waitForFunction(() =>
    /^3 of 8/.test(document.querySelector('.traversal output').value),
  );
  await page.click('.traversal [aria-label="Pause"]');
  await page.click('.traversal [data-step="-1"]');
  assert.deepEqual(await shown(), steps[2]);
  // another figure has none
  await page.evaluate(() => limber.stage.open({ from: 'figure', name: '5.11' }));
  await drawn(page);
  assert.ok(!(await page.isVisible('.traversal')));
});

stage('two hands at once', { size: 'laptop', scheme: 'dark' }, async (page) => {
  await open3d(page, 'human');
  await page.evaluate(() =>
    limber.store.change('reach', ({ stage: s }) => {
      for (const each of s.tips) each.kind = 'position';
      s.tips[0].target[11] += 0.55;
      s.tips[1].target[9] += 0.35;
      s.tips[1].target[11] += 0.25;
    }),
  );
  await page.waitForFunction(
    () => document.querySelector('.outcome').dataset.outcome === 'reached',
  );
  await drawn(page);
  await shoot(page, 'stage-hands');
});

stage('planted feet stay while a hand is dragged as far as it goes', {}, async (page) => {
  await open3d(page, 'human');
  const begin = await state(page);
  assert.equal(begin.root, 'floating');
  assert.deepEqual(
    begin.tips.map(({ link, planted }) => [link, planted]),
    [
      ['left_fingertip', false],
      ['right_fingertip', false],
      ['left_toe', true],
      ['right_toe', true],
    ],
  );
  // what touches is another test's matter
  await page.click('.room-tools >> text=Solid');
  const feet = () => Promise.all(['left_toe', 'right_toe'].map((link) => tip(page, link)));
  const before = await feet();
  const drag = (xyz) =>
    page.evaluate((to) => {
      limber.store.change('drag', ({ stage: s }) => {
        to.forEach((x, i) => (s.tips[0].target[9 + i] = x));
      });
      limber.update();
    }, xyz);
  for (const xyz of [
    [0.75, 0.1, 0.35],
    [0.2, 0.5, 1.7],
    [3, 0, 1],
  ]) {
    await drag(xyz);
    (await feet()).forEach((pose, i) =>
      pose.forEach((x, k) => assert.ok(Math.abs(x - before[i][k]) < 1e-4, `${xyz}: ${pose}`)),
    );
    await page.evaluate(() => limber.stage.model.validate(limber.store.state.stage.q, 1e-6));
    const { kind, words } = await outcome(page);
    assert.equal(kind === 'reached', xyz[0] < 1, `${xyz}: ${words}`);
    if (xyz[0] > 1) assert.match(words, /out of reach: .*left_fingertip.*left_toe/);
  }
  await page.click('#undo');
  await drawn(page);
  await shoot(page, 'stage-planted');

  // a link is pulled by its body, and the feet stay
  await page.evaluate(() => {
    const { model, session } = limber.stage;
    const chest = model.findLink('chest');
    const [x, y, z] = session.pose('chest').slice(9);
    limber.stage.setPose(
      'pull',
      session.pull(
        limber.store.state.stage,
        limber.stage.q,
        chest,
        [0, 0, 0],
        [x - 0.1, y, z - 0.1],
      ),
    );
  });
  (await feet()).forEach((pose, i) =>
    pose.forEach((x, k) => assert.ok(Math.abs(x - before[i][k]) < 1e-4, `pulled: ${pose}`)),
  );
});

stage('a joint is moved by its slider, and planted feet stay', {}, async (page) => {
  await open3d(page, 'human');
  await page.click('.room-tools >> text=Solid');
  const feet = () => Promise.all(['left_toe', 'right_toe'].map((link) => tip(page, link)));
  const targets = async () => (await state(page)).tips.map(({ target }) => target);
  const before = [await feet(), (await targets()).slice(2)];
  const knee = page.locator('.joints').getByLabel('left_knee', { exact: true });
  const values = [];
  // the knee bends, and the pelvis sinks; the whole bend is more than the other leg allows
  for (const value of [0.7, 2.5]) {
    await slide(knee, value);
    await drawn(page);
    values.push(Number(await knee.inputValue()));
    assert.deepEqual((await targets()).slice(2), before[1], 'planted targets stay');
    (await feet()).forEach((pose, i) =>
      pose.forEach((x, k) => assert.ok(Math.abs(x - before[0][i][k]) < 1e-4, `${value}: ${pose}`)),
    );
    await page.evaluate(() => limber.stage.model.validate(limber.store.state.stage.q, 1e-6));
  }
  assert.ok(Math.abs(values[0] - 0.7) < 0.002, String(values));
  await shoot(page, 'stage-planted-slider');
  // what holds a joint is said: the pelvis cannot rise on planted feet
  const height = page.locator('.joints').getByLabel('root z', { exact: true });
  await slide(height, 2);
  await drawn(page);
  assert.ok(Number(await height.inputValue()) < 1.2);
  const { kind, words } = await outcome(page);
  assert.notEqual(kind, 'reached');
  assert.match(words, /root is held by the planted left_toe and right_toe/);
});

stage('the base is fixed, planar or free; joints keep their values', {}, async (page) => {
  await open3d(page, 'human');
  await slide(page.locator('.joints').getByLabel('left_elbow', { exact: true }), 1.2);
  const elbow = () =>
    page.evaluate(() => {
      const { model, q } = limber.stage;
      return q[model.joints[model.findJoint('left_elbow')].q];
    });
  for (const [text, root, first] of [
    ['Fixed', 'fixed', 'spine'],
    ['Planar', 'planar', 'root'],
    ['Free', 'floating', 'root'],
  ]) {
    await page.locator('[aria-label="Base"]').getByText(text, { exact: true }).click();
    await page.waitForFunction((to) => limber.store.state.stage.root === to, root);
    await drawn(page);
    assert.equal(await page.evaluate(() => limber.stage.model.joints[0].name), first);
    assert.ok(Math.abs((await elbow()) - 1.2) < 0.002, text);
    const { tips } = await state(page);
    assert.equal(tips.filter(({ planted }) => planted).length, root === 'fixed' ? 0 : 2, text);
  }
  await page.click('#undo');
  await drawn(page);
  assert.equal((await state(page)).root, 'planar');
  // what has no feet stands as its file says
  await open3d(page, 'panda');
  assert.equal((await state(page)).root, 'fixed');
});

stage('the model is saved as limber JSON, the problem as code', {}, async (page) => {
  await open3d(page, 'human');
  const json = await saved(page, 'model');
  const again = await page.evaluate((text) => {
    const model = limber.limber.model(text);
    return [model.toJson(), limber.stage.model.toJson(), model.joints[0].name];
  }, json);
  assert.equal(again[0], again[1]);
  assert.equal(again[2], 'root');
  const shell = await saved(page, 'code-shell');
  assert.match(shell, /^limber ik human --root floating --base world --tip left_fingertip /);
  assert.match(shell, /left_hip=0\.9\d+,/);
  assert.match(await saved(page, 'code-c'), /LB_JOINT_FLOATING/);
  assert.match(await saved(page, 'code-js'), /withRoot\('floating'\)/);
});

const program = process.env.LIMBER_PROGRAM ?? join(here, '../../build/limber');
stage(
  'the copied command line reaches the target, as the page does',
  { size: 'small', skip: existsSync(program) ? false : `${program} is not there` },
  async (page) => {
    for (const name of ['panda', 'human']) {
      await open3d(page, name);
      await page.evaluate(() =>
        limber.store.change('move', ({ stage: s }) => void (s.tips[0].target[11] += 0.1)),
      );
      await drawn(page);
      const command = (await saved(page, 'code-shell')).replace(/^limber /, `"${program}" `);
      // the exit status is 0 when the target is reached
      assert.match(execFileSync('sh', ['-c', command]).toString(), /reached/);
    }
  },
);

stage('the cut-out and the motion are saved as files of their kinds', {}, async (page) => {
  const begins = async (id, bytes) =>
    assert.ok(
      (await saved(page, id, null)).subarray(0, bytes.length).equals(Buffer.from(bytes)),
      id,
    );
  await begins('png-large', [0x89, 0x50, 0x4e, 0x47]);
  await page.click('#capture');
  await page.evaluate(() => limber.stage.setPose('turn', limber.stage.q.with(0, 1)));
  await page.click('#capture');
  await begins('video', [0x1a, 0x45, 0xdf, 0xa3]);
});

stage('layers are drawn', {}, async (page) => {
  for (const label of [
    'Frames',
    'Joint axes',
    'Jacobian',
    'Limits',
    'Manipulability',
    'Self-motion',
  ])
    await page.locator('#layers').getByLabel(label, { exact: true }).check();
  await drawn(page);
  await shoot(page, 'stage-layers');
  // all of it is solved, and nothing moves any more, where it is looked at by itself
  await page.getByLabel('Workspace', { exact: true }).check();
  await page.waitForFunction(() => limber.stage.layer('workspace').progress > 0.1);
  await drawn(page);
  await shoot(page, 'stage-workspace');
});

stage('self-motion turns the elbow about the line from shoulder to wrist', {}, async (page) => {
  // where arrows are, and where they point to
  const arrows = async (model) => {
    await page.evaluate((name) => limber.stage.open({ from: 'builtin', name }), model);
    await page.locator('#layers').getByLabel('Self-motion', { exact: true }).check();
    await drawn(page);
    return page.evaluate(() => {
      const { session } = limber.stage;
      const { children } = limber.stage.layer('spare').group;
      return session.model.links.flatMap(({ name }, i) => {
        const { visible, position, quaternion } = children[i] ?? {};
        if (!visible) return [];
        const up = position.clone().set(0, 1, 0).applyQuaternion(quaternion);
        return [{ name, at: position.toArray(), way: up.toArray() }];
      });
    });
  };
  const found = await arrows('iiwa14');
  const place = (name) =>
    page.evaluate((link) => [...limber.stage.session.pose(link)].slice(9), name);
  const [shoulder, wrist] = [await place('link_2'), await place('link_6')];
  const elbow = found.find(({ name }) => name === 'link_4');
  const along = (a, b) => a.reduce((sum, x, k) => sum + (x - b[k]) * elbow.way[k], 0);
  assert.ok(Math.abs(along(elbow.at, shoulder)) < 1e-9, `${elbow.way}`);
  assert.ok(Math.abs(along(wrist, shoulder)) < 1e-9, `${elbow.way}`);
  assert.ok(!found.some(({ name }) => ['link_1', 'link_6', 'link_7'].includes(name)));
  assert.match(
    await page.textContent('.legend'),
    /flange stays while links move along the arrows$/,
  );
  assert.deepEqual(await arrows('ur5'), []);
  assert.match(await page.textContent('.legend'), /No joint to spare/);
});

stage('key poses are kept and played', {}, async (page) => {
  const pose = (value) => slide(page.locator('.joints input[type=range]').first(), value);
  await pose('-1');
  await page.click('#capture');
  await pose('1');
  await page.click('#capture');
  assert.deepEqual(
    (await state(page)).keys.map(({ time }) => time),
    [0, 1],
  );
  await shoot(page, 'stage-keys');
  await page.getByLabel('Loop').uncheck();
  await page.click('#play-keys');
  await page.waitForFunction(() => Math.abs(limber.stage.q[0]) < 0.9);
  await page.waitForFunction(() => !limber.stage.timeline.playing);
  assert.deepEqual(await page.evaluate(() => [...limber.stage.q]), (await state(page)).keys[1].q);
  const rows = (await saved(page, 'motion-csv')).trim().split('\n');
  assert.equal(rows.length, 1 + 31);
  assert.match(rows[0], /^time,panda_joint1,/);
});

stage('a link restores the pose, the targets and the keys', { size: 'small' }, async (page) => {
  await slide(page.locator('.joints input[type=range]').nth(1), 0.3);
  await page.click('#capture');
  const hash = await page.evaluate(() => limber.copyLink());
  const wanted = await state(page);
  const other = await another({ hash });
  await other.page.waitForFunction(() => limber.stage?.model);
  const got = await other.page.evaluate(() => limber.store.state.stage);
  // a link has no zero with a minus
  assert.deepEqual(got, JSON.parse(JSON.stringify(wanted)));
  assert.deepEqual(other.complaints, []);
  await other.close();
});

stage('by keyboard', { size: 'small' }, async (page) => {
  const before = (await state(page)).tips[0].target;
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('PageDown');
  // with Shift the view turns, and the target stays
  const view = await page.evaluate(() => limber.stage.world.view);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('+');
  const turned = await page.evaluate(() => limber.stage.world.view);
  const far = ([x, y, z, a, b, c]) => Math.hypot(x - a, y - b, z - c);
  assert.notEqual(turned[0], view[0]);
  assert.ok(Math.abs(far(turned) * 1.15 - far(view)) < 1e-3 * far(view));
  const { target } = (await state(page)).tips[0];
  assert.ok(target[9] < before[9] && target[11] < before[11]);
  await page.keyboard.press('k');
  assert.equal((await state(page)).keys.length, 1);
  await page.keyboard.press('r');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('b');
  await page.waitForSelector('#board:not([hidden])');
  await page.keyboard.press('s');
  await page.waitForSelector('#stage:not([hidden])');
});

stage('on a phone', { size: 'phone', sharp: true }, async (page) => {
  await drawn(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await shoot(page, 'stage-phone');
});

stage(
  'light or dark as the system has it, until someone chooses',
  { reloads: true, alone: true },
  async (page) => {
    const is = (theme, sky) =>
      page.waitForFunction(
        (wanted) =>
          document.documentElement.dataset.theme === wanted[0] &&
          limber.stage.world.scene.background.getHexString() === wanted[1],
        [theme, sky],
      );
    const light = ['light', 'eef0f3'];
    const dark = ['dark', '171c24'];
    await is(...light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await is(...dark);
    await page.emulateMedia({ colorScheme: 'light' });
    await is(...light);
    await page.click('#theme');
    await is(...dark);
    await page.click('#theme');
    await is(...light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await drawn(page);
    await is(...light);
    await page.reload();
    await page.waitForFunction(() => window.limber);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.evaluate(() => localStorage.clear());
  },
);

stage('a change is drawn once', { alone: true }, async (page) => {
  const drawn = await page.evaluate(async () => {
    const { world } = limber.stage;
    const { render } = world.renderer;
    let count = 0;
    world.renderer.render = (scene, camera) => {
      count += scene === world.scene;
      render.call(world.renderer, scene, camera);
    };
    const frames = async () => {
      for (let i = 0; i < 6; i++) await new Promise(requestAnimationFrame);
      const last = count;
      count = 0;
      return last;
    };
    await frames();
    // the camera moves, and the state that keeps it changes
    world.camera.position.x += 1;
    limber.stage.look();
    return [await frames(), await frames()];
  });
  assert.deepEqual(drawn, [1, 0]);
});

stage(
  'a robot that lies flat is seen from the side, an arm in a plane from above',
  {},
  async (page) => {
    const height = () =>
      page.evaluate(() => {
        const { camera, orbit } = limber.stage.world;
        return camera.position.clone().sub(orbit.target).normalize().z;
      });
    const link = (i) =>
      `<link name="l${i}"><visual><geometry><box size="1 .1 .1"/></geometry></visual></link>`;
    const joint = (axis, i) =>
      `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="1 0 0"/><axis xyz="${axis}"/></joint>`;
    const robot = (...axes) =>
      `<robot name="r">${[...axes, ''].map((_, i) => link(i)).join('')}${axes.map(joint).join('')}</robot>`;
    for (const [text, least, most] of [
      [robot('0 0 1', '0 1 0', '0 0 1'), 0, 0.6],
      [robot('0 0 1', '0 0 1', '0 0 1'), 0.99, 1.01],
    ]) {
      await page.evaluate(
        (text) => limber.stage.open({ from: 'file', name: 'flat.urdf', text }),
        text,
      );
      const z = await height();
      assert.ok(z > least && z < most, String(z));
    }
  },
);

stage('a hand in the base is said, and shown', { size: 'notebook' }, async (page) => {
  await page.click('[data-model="panda"]');
  await page.waitForFunction(() => limber.stage.model.name === 'panda');
  const contacts = () => page.evaluate(() => limber.stage.layer('contacts').touching.length);
  assert.equal(await contacts(), 0);
  await page.evaluate(() =>
    limber.stage.setPose('folded', [-2.88, 0.75, -0.02, -2.95, -2.37, 0.72, -0.2, 0.02]),
  );
  await page.waitForFunction(() => limber.stage.layer('contacts').touching.length > 0);
  await drawn(page);
  assert.match(
    await page.textContent('.legend .contacts'),
    /panda_link7 in panda_link0 by [\d.]+ mm/,
  );
  await shoot(page, 'stage-contacts');
  await page.evaluate(() => limber.stage.setPose('up', limber.stage.model.neutral()));
  await drawn(page);
  await drawn(page);
  assert.equal(await contacts(), 0);
  assert.equal(await page.locator('.legend .contacts').count(), 0);
});

stage('what is dragged stops at contact, and goes through without Solid', {}, async (page) => {
  await page.click('[data-model="panda"]');
  await page.waitForFunction(() => limber.stage.model.name === 'panda');
  const folded = [-2.88, 0.75, -0.02, -2.95, -2.37, 0.72, -0.2, 0.02];
  // from a clear pose the target goes to that of a hand in the base, as a drag moves it
  const drag = () =>
    page.evaluate(async (folded) => {
      const frame = () => new Promise(requestAnimationFrame);
      const { stage, store } = limber;
      stage.setPose('clear', [-2.88, 0.2, -0.02, -2.2, -2.37, 1.2, -0.2, 0.02]);
      await frame();
      const { link, target } = store.state.stage.tips[0];
      const goal = [...stage.model.state(folded).transform(link)];
      let deepest = 0;
      for (let i = 1; i <= 30; i++) {
        const at = limber.limber.transforms.interpolate(target, goal, i / 30);
        store.change('target', ({ stage: now }) => void (now.tips[0].target = [...at]));
        await frame();
        await frame();
        const near = stage.session.clearance.touching(stage.q);
        deepest = Math.min(deepest, ...near.map(({ distance }) => distance));
      }
      return [deepest, document.querySelector('.outcome').textContent];
    }, folded);
  // what measures comes with the first move
  await page.evaluate((folded) => limber.stage.setPose('folded', folded), folded);
  await page.waitForFunction(() => limber.stage.layer('contacts').touching.length > 0);
  const [kept, words] = await drag();
  assert.ok(kept > -2e-6, `${kept}`);
  assert.match(words, /contact: \w+ would go into panda_link\d/);
  await page.click('.room-tools >> text=Solid');
  const [through, without] = await drag();
  assert.ok(through < -0.005, `${through}`);
  assert.doesNotMatch(without, /would go into/);
  // a joint by its slider
  await page.click('.room-tools >> text=Solid');
  await page.evaluate(() =>
    limber.stage.setPose('clear', [-2.88, 0.75, -0.02, -2.2, -2.37, 0.72, -0.2, 0.02]),
  );
  for (let angle = -2.3; angle > -3; angle -= 0.1) {
    await slide(page.locator('.joints input[type=range]').nth(3), angle);
    await drawn(page);
    const depths = await page.evaluate(() =>
      limber.stage.session.clearance.touching(limber.stage.q).map(({ distance }) => distance),
    );
    assert.ok(Math.min(0, ...depths) > -2e-6, `${angle}: ${depths}`);
  }
  assert.match(await page.textContent('.outcome'), /contact: \w+ would go into panda_link\d/);
});

stage('a linkage stays closed while it is dragged, turned and played', {}, async (page) => {
  // the four bars of the loop by the places of its pins, metres
  const open = () =>
    page.evaluate(() => {
      const { model } = limber.stage;
      const loops = limber.limber
        .model(model.toJson())
        .body([{ kind: 'joint', joint: 0, level: 1 }], {
          iterations: 1,
          restarts: 0,
        });
      loops.setTarget(0, [limber.stage.q[0]]);
      const { q } = loops.solve(limber.stage.q);
      const off = Math.max(...q.map((x, i) => Math.abs(x - limber.stage.q[i])));
      loops.release();
      return off;
    });
  for (const name of ['four_bar', 'klann']) {
    await open3d(page, name);
    assert.ok((await open()) < 1e-9, `${name} at rest`);
    // a state that came open is closed when its model comes
    await page.evaluate(() => {
      const opened = structuredClone(limber.store.state);
      opened.stage.q = opened.stage.q.map((x, i) => x + 0.1 * (i + 1));
      const { model } = opened.stage;
      limber.stage.open({ from: 'builtin', name: 'planar2' });
      limber.update();
      limber.store.replace({ ...opened, stage: { ...opened.stage, model } });
      limber.update();
    });
    assert.equal(await page.evaluate(() => limber.stage.model.name), name);
    assert.ok((await open()) < 1e-9, `${name} from a state`);
    for (const angle of [0.2, 0.5, 0.9]) {
      await slide(page.locator('.joints input[type=range]').first(), angle);
      await drawn(page);
      assert.ok((await open()) < 1e-9, `${name} at ${angle}`);
      const crank = await page.evaluate(() => limber.stage.q[0]);
      assert.ok(Math.abs(crank - angle) < 2e-3, `${name}: ${crank} for ${angle}`);
    }
    // between key poses it is closed, too
    const shown = await page.evaluate(() => {
      const { stage } = limber;
      const from = [...stage.q];
      const half = from.map((x, i) => (x + stage.model.neutral()[i]) / 2);
      stage.follow(half);
      return stage.q.map((x, i) => x - half[i]);
    });
    assert.ok(Math.max(...shown.map(Math.abs)) > 1e-4, `${shown}`);
    assert.ok((await open()) < 1e-9, `${name} between`);
    await page.evaluate(() =>
      limber.store.change('x', ({ stage }) => (stage.show.workspace = true)),
    );
    await drawn(page);
    assert.equal(await page.evaluate(() => limber.store.state.stage.show.workspace), false);
  }
  await shoot(page, 'stage-klann');
});
