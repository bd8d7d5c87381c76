// Files that are dropped on the stage: JSON, URDF alone and with meshes, and what is none.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zip } from '../limber/zip.js';
import { chain, corners, drop, faces, stl } from './robots.mjs';
import { drawn, here, onPages, shoot, toStage } from './support.mjs';

/** The shared data, and folders of robots' packages with their meshes: see LIMBER_MESHES. */
const data = process.env.LIMBER_DATA ?? join(here, '../../../shared/data');
const robots = process.env.LIMBER_MESHES ?? join(data, 'meshes');
const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

const served = [
  { under: '/robots/', folder: robots },
  { under: '/data/', folder: data },
];
const { define: stage } = onPages(toStage, served, { shared: true });

const state = (page) => page.evaluate(() => limber.store.state.stage);

const urdf = join(data, 'urdf/ssik_kuka_iiwa14.urdf');

stage(
  'a real URDF is dropped',
  { skip: existsSync(urdf) ? false : `${urdf} is not there` },
  async (page) => {
    const transfer = await page.evaluateHandle(
      (text) => {
        const items = new DataTransfer();
        items.items.add(new File([text], 'iiwa14.urdf'));
        return items;
      },
      readFileSync(urdf, 'utf8'),
    );
    await page.dispatchEvent('#stage', 'drop', { dataTransfer: transfer });
    await page.waitForFunction(
      () => limber.store.state.stage.q.length === 7 && limber.stage.model.name !== 'panda',
    );
    await drawn(page);
    const { tips, q } = await state(page);
    assert.equal(q.length, 7);
    assert.ok(tips.length > 0);
    await page.evaluate(() =>
      limber.store.change('move', ({ stage: s }) => void (s.tips[0].target[11] -= 0.2)),
    );
    await page.waitForFunction(
      () => document.querySelector('.outcome').dataset.outcome === 'reached',
    );
    await shoot(page, 'stage-urdf');
  },
);

const folder = join(data, 'urdf');
stage(
  'every URDF of the shared data is read as the C library reads it',
  { size: 'small', skip: existsSync(folder) ? false : `${folder} is not there` },
  async (page) => {
    let read = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.urdf'))) {
      const result = await page.evaluate(
        ([name, text]) => {
          try {
            limber.stage.open({ from: 'file', name, text });
            limber.update();
            return '';
          } catch (error) {
            return error.name === 'LimberError' ? error.message : `crash: ${error.stack}`;
          }
        },
        [file, readFileSync(join(folder, file), 'utf8')],
      );
      assert.ok(!result.startsWith('crash'), `${file}: ${result}`);
      if (result) assert.match(result, new RegExp(file.replace('.', '\\.')), result);
      else read++;
    }
    await drawn(page);
    assert.ok(read >= 25, `${read} were read`);
  },
);

// ---- meshes ----

/** Drops a description with files that the test serves: too many bytes to hand over. */
async function dropServed(page, [name, text], under, paths) {
  await page.evaluate(
    async ([name, text, under, paths]) => {
      const files = new Map([[name, new Blob([text])]]);
      const read = async (path) => {
        const response = await fetch(under + path);
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        files.set(path, await response.blob());
      };
      await Promise.all(paths.map(read));
      await limber.stage.openFiles(files);
    },
    [name, text, under, paths],
  );
  await page.waitForFunction(
    (name) => limber.store.state.stage.model.name === name && limber.stage.model.name !== 'panda',
    name,
  );
}

/** The meshes that are drawn of each link: how many, and how far they reach. */
const drawnMeshes = (page) =>
  page.evaluate(async () => {
    await limber.stage.figure.whole;
    const { figure, model } = limber.stage;
    limber.stage.world.scene.updateMatrixWorld(true);
    const box = limber.stage.box.clone();
    return Object.fromEntries(
      figure.links.map((group, i) => {
        const own = group.children.filter((child) => child.type === 'Group');
        let count = 0;
        own.forEach((child) => child.traverse((o) => (count += o.isMesh ? 1 : 0)));
        box.makeEmpty();
        own.forEach((child) => box.expandByObject(child));
        return [model.links[i].name, { count, min: box.min.toArray(), max: box.max.toArray() }];
      }),
    );
  });
const missing = (page) => page.$$eval('.stage-note li', (all) => all.map((e) => e.textContent));
const near = (actual, expected) =>
  assert.ok(
    actual.every((x, i) => Math.abs(x - expected[i]) < 1e-5),
    `${actual} is not ${expected}`,
  );

const obj = `${corners.map((c) => `v ${c.join(' ')}`).join('\n')}\nf 1 2 3\nf 1 3 4\n`;
// in millimetres and z up, as many exporters write it
const dae = `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">${corners
      .flat()
      .map((x) => 1000 * x)
      .join(' ')}</float_array>
    <technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>${faces.flat().join(' ')}</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene></COLLADA>`;
const gltf = JSON.stringify({
  asset: { version: '2.0' },
  buffers: [{ byteLength: 72, uri: 'shape.bin' }],
  bufferViews: [{ buffer: 0, byteLength: 72 }],
  accessors: [
    {
      bufferView: 0,
      componentType: 5126,
      count: 6,
      type: 'VEC3',
      min: [0, 0, 0],
      max: [0.2, 0.3, 0.4],
    },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  nodes: [{ mesh: 0 }],
  scenes: [{ nodes: [0] }],
  scene: 0,
});
const bin = [...new Uint8Array(Float32Array.from(faces.flat().flatMap((i) => corners[i])).buffer)];

stage(
  'a URDF comes with its meshes, of every kind, scale and unit',
  { size: 'small' },
  async (page) => {
    const meshes = { 'a.STL': stl, 'b.obj': obj, 'c.dae': dae, 'd.gltf': gltf };
    await drop(page, [
      ['r/urdf/r.urdf', chain(Object.keys(meshes))],
      ...Object.entries(meshes).map(([name, text]) => [`r/meshes/${name}`, text]),
      ['r/meshes/shape.bin', bin],
    ]);
    await page.waitForFunction(() => limber.stage.model.name === 'r');
    Object.values(await drawnMeshes(page)).forEach(({ count, min, max }, i) => {
      assert.equal(count, 1);
      near(min, [0, 0, 0.5 * i]);
      near(max, i === 0 ? [0.4, 0.6, 0.8] : [0.2, 0.3, 0.5 * i + 0.4]);
    });
    assert.deepEqual(await missing(page), []);
  },
);

stage(
  'missing and broken meshes are named, and their joints drawn',
  { size: 'small' },
  async (page) => {
    const names = ['a.stl', 'gone.stl', 'broken.dae', 'broken.glb', 'odd.ply', 'broken.stl'];
    await drop(page, [
      ['r.urdf', chain(names)],
      ['a.stl', stl],
      ['broken.dae', '<COLLADA><asset>'],
      ['broken.glb', 'glTF???'],
      ['broken.stl', 'solid nothing'],
      ['odd.ply', 'ply'],
    ]);
    await page.waitForFunction(() => limber.stage.model.name === 'r');
    const meshes = await drawnMeshes(page);
    assert.deepEqual(
      Object.values(meshes).map(({ count }) => count),
      [1, 0, 0, 0, 0, 0],
    );
    const told = (await missing(page)).sort();
    assert.equal(told.length, 5);
    for (const [i, name] of names.slice(1).sort().entries())
      assert.ok(told[i].startsWith(`package://r/meshes/${name} `), told[i]);
    const drawnJoints = await page.evaluate(() =>
      limber.stage.figure.links.map((group) => group.children.some((child) => child.isMesh)),
    );
    assert.deepEqual(drawnJoints, [false, true, true, true, true, true]);
    // the folder comes later
    await drop(page, [['meshes/gone.stl', stl]]);
    await page.waitForFunction(() => document.querySelectorAll('.stage-note li').length === 4);
    assert.equal((await drawnMeshes(page)).l1.count, 1);
  },
);

const scenes = ['robot_expressive.glb', 'cesium_man.gltf', 'greenman.glb'];
stage(
  'real glTF files as meshes',
  { skip: existsSync(join(data, 'gltf')) ? false : `${join(data, 'gltf')} is not there` },
  async (page) => {
    await dropServed(page, ['r.urdf', chain(scenes)], '/data/gltf/', scenes);
    const meshes = await drawnMeshes(page);
    assert.deepEqual(await missing(page), []);
    for (const [link, { count }] of Object.entries(meshes)) assert.ok(count > 0, link);
    await drawn(page);
    await shoot(page, 'stage-gltf');
  },
);

// descriptions with the folders that their packages keep meshes in
const packages = [
  { file: 'erd_ur5_robot.urdf', folder: 'ur_description', kind: 'Collada' },
  { file: 'erd_allegro_left_hand.urdf', folder: 'allegro_hand_description', kind: 'STL' },
  { file: 'erd_talos_full_v2.urdf', folder: 'talos_data', kind: 'STL' },
];
for (const { file, folder: name, kind } of packages) {
  const at = existsSync(robots) && filesUnder(robots).filter((path) => path.includes(`/${name}/`));
  stage(
    `${file} with its meshes (${kind})`,
    { skip: at?.length > 0 ? false : `there is no folder ${name} in ${robots}` },
    async (page) => {
      const paths = at.filter((path) => /\.(stl|dae|png|jpg)$/i.test(path));
      const text = readFileSync(join(folder, file), 'utf8');
      await dropServed(
        page,
        [file, text],
        '/robots/',
        paths.map((path) => relative(robots, path)),
      );
      const meshes = await drawnMeshes(page);
      assert.deepEqual(await missing(page), []);
      const wanted = await page.evaluate(() =>
        limber.stage.model.links.filter(({ visuals }) => visuals.length > 0).map((l) => l.name),
      );
      assert.ok(wanted.length >= 7);
      for (const link of wanted) assert.ok(meshes[link].count > 0, link);
      await drawn(page);
      await shoot(page, `stage-mesh-${name}`);
    },
  );
}

stage(
  'limber JSON is dropped; what cannot be read is refused with the place',
  { size: 'small' },
  async (page) => {
    const arm = {
      name: 'mine',
      links: [{ name: 'a' }, { name: 'b' }],
      joints: [
        {
          name: 'j',
          kind: 'revolute',
          parent: 'a',
          child: 'b',
          placement: { xyz: [0, 0, 1] },
          limits: [-1, 1],
        },
      ],
    };
    await drop(page, [['mine.json', JSON.stringify(arm)]]);
    await page.waitForFunction(() => limber.stage.model.name === 'mine');
    arm.joints[0].kindd = 'x';
    await drop(page, [['mine.json', JSON.stringify(arm)]]);
    await page.waitForSelector('.toast[data-kind=error]');
    assert.match(await page.textContent('.toast'), /mine\.json:1: joints\[0\]\.kindd/);
    assert.equal(await page.evaluate(() => limber.stage.model.name), 'mine');
    arm.joints[0].placement.xyz[2] = 1e12;
    delete arm.joints[0].kindd;
    await drop(page, [['far.json', JSON.stringify(arm)]]);
    await page.waitForFunction(() =>
      document.querySelector('.toast').textContent.startsWith('far.json: it spans 1.0e+12 m'),
    );
    // what is untidy is read, and said
    const untidy = '<robot name="r">\n<link name="a"/><xacro:wheel/><orgin/></robot>';
    await drop(page, [['untidy.urdf', untidy]]);
    await page.waitForFunction(() => limber.stage.model.name === 'r');
    assert.match(
      await page.textContent('.toast[data-kind=warning]'),
      /^untidy\.urdf:2: robot: <xacro:wheel> is left over from xacro [^]*$/,
    );
    await drop(page, [['broken.urdf', '<robot name="r">\n<link name="a">\n</robot>']]);
    await page.waitForFunction(() =>
      document.querySelector('.toast').textContent.startsWith('broken.urdf'),
    );
    assert.match(
      await page.textContent('.toast'),
      /^broken\.urdf:3: this is not well-formed XML: [^\n]*link[^\n]*$/,
    );
  },
);

// ---- large files ----

/** Drops one blob of so many megabytes, each the same: how long that took, and held up the page. */
const dropLarge = (page, name, begin, chunk, megabytes) =>
  page.evaluate(
    async ([name, begin, chunk, megabytes]) => {
      const size = 1e6;
      const piece = new Uint8Array(size);
      if (chunk) for (let i = 0; i < size; i++) piece[i] = chunk.charCodeAt(i % chunk.length);
      else
        for (let i = 0; i < size; i += 65536) crypto.getRandomValues(piece.subarray(i, i + 65536));
      const file = new Blob([begin, ...new Array(megabytes).fill(piece)]);
      document.querySelector('.toast').hidden = true;
      const start = performance.now();
      let last = start;
      let longest = 0;
      let done = false;
      const watch = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (!done) setTimeout(watch, 0);
      };
      watch();
      await limber.stage.openFiles(new Map([[name, file]]));
      await new Promise((next) => setTimeout(next, 0));
      done = true;
      const toast = document.querySelector('.toast');
      return {
        longest,
        total: performance.now() - start,
        words: toast.hidden ? '' : toast.textContent,
        model: limber.stage.model.name,
      };
    },
    [name, begin, chunk, megabytes],
  );

stage('large junk is refused at once, and in words', { size: 'small' }, async (page) => {
  const link = '<link name="a"><inertial><mass value="1"/></inertial></link>\n';
  for (const [name, begin, chunk, megabytes, words] of [
    ['junk.bin', '\0', '', 200, /junk\.bin: it is neither URDF, MJCF nor limber JSON/],
    ['junk.urdf', 'x', '', 20, /junk\.urdf: it is neither URDF, MJCF nor limber JSON/],
    ['large.urdf', '<robot name="r">', link, 50, /large\.urdf: 50 MB is too much .* 4 MB/],
    ['large.json', '{"name": "', 'a', 10, /large\.json: 10 MB is too much .* 4 MB/],
    ['blank.urdf', '', ' ', 10, /blank\.urdf: 10 MB is too much/],
  ]) {
    const found = await dropLarge(page, name, begin, chunk, megabytes);
    assert.match(found.words, words);
    // 0.5 and 1 s, and ten times as much on a busy machine; to read it all takes longer
    assert.ok(found.longest < 5000 && found.total < 10_000, `${name}: ${JSON.stringify(found)}`);
    assert.equal(found.model, 'panda');
  }
  // as much as is read at all, and then refused
  for (const [name, begin, chunk, words] of [
    ['doubled.urdf', '<robot name="r">', link, /doubled\.urdf:\d+: /],
    ['open.json', '{"name": "', 'a', /open\.json:1: /],
  ]) {
    const found = await dropLarge(page, name, begin, chunk, 3);
    assert.match(found.words, words);
    assert.ok(found.total < 30_000, `${name}: ${JSON.stringify(found)}`);
    assert.equal(found.model, 'panda');
  }
});

stage('a model of too many links is refused in words', { size: 'small' }, async (page) => {
  const links = Array.from({ length: 1500 }, (_, i) => `<link name="l${i}"/>`).join('');
  const joints = Array.from(
    { length: 1499 },
    (_, i) =>
      `<joint name="j${i}" type="fixed"><parent link="l${i}"/><child link="l${i + 1}"/></joint>`,
  ).join('');
  await drop(page, [['long.urdf', `<robot name="long">${links}${joints}</robot>`]]);
  assert.match(await page.textContent('.toast'), /long\.urdf: it has 1500 links; .* up to 1000/);
});

stage('meshes too large, or none, are named with why', { size: 'small' }, async (page) => {
  await page.evaluate(
    async ([text]) => {
      const piece = new Uint8Array(1e6).fill(7);
      const files = new Map([
        ['r.urdf', new Blob([text])],
        ['meshes/a.stl', new Blob(new Array(70).fill(piece))],
        ['meshes/b.stl', new Blob(new Array(5).fill(piece))],
      ]);
      await limber.stage.openFiles(files);
      await limber.stage.figure.whole;
    },
    [chain(['a.stl', 'b.stl'])],
  );
  await drawn(page);
  const why = (await missing(page)).join(' ');
  assert.match(why, /a\.stl it has 70 MB: up to 64 MB are read/);
  assert.match(why, /b\.stl it is no STL/);
});

// ---- folders ----

const own = (page) => page.$$eval('[data-own]', (all) => all.map((each) => each.textContent));

stage(
  'of a folder the robot is opened, and its other descriptions can be',
  { size: 'small' },
  async (page) => {
    const body = (name, inside = '') =>
      `<body name="${name}" pos="0 0 1"><joint name="${name}" axis="0 1 0"/><geom size=".1"/>${inside}</body>`;
    await drop(page, [
      ['m/ground.xml', '<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>'],
      [
        'm/arm.xml',
        `<mujoco><include file="parts/classes.xml"/><worldbody>${body('a', body('b'))}</worldbody></mujoco>`,
      ],
      [
        'm/parts/classes.xml',
        '<mujocoinclude><default><joint range="-1 1"/></default></mujocoinclude>',
      ],
      ['m/scene.xml', '<mujoco><include file="arm.xml"/></mujoco>'],
      ['m/package.xml', '<package><name>m</name></package>'],
      ['m/m.srdf', '<robot name="m"><group name="g"/></robot>'],
    ]);
    await page.waitForFunction(() => limber.stage.model.joints.length === 2);
    assert.deepEqual(await own(page), [
      'arm.xmlMJCF, 2 joints',
      'scene.xmlMJCF, 2 joints',
      'ground.xmlMJCF, 0 joints',
    ]);
    assert.deepEqual(
      await page.evaluate(() => [...limber.stage.model.joints[1].upper.slice(0, 1)]),
      [Math.PI / 180],
    );
    await page.click('[data-own="scene.xml"]');
    assert.equal((await state(page)).model.name, 'scene.xml');
    // what is included and did not come is named
    await drop(page, [['lost.xml', '<mujoco>\n<include file="gone.xml"/></mujoco>']]);
    assert.match(
      await page.textContent('.toast'),
      /^lost\.xml:2: <include file="gone\.xml">: this file is not among those that came/,
    );
  },
);

stage(
  'files of other kinds are answered with what to do, where one is',
  { size: 'small' },
  async (page) => {
    await page.click('#tab-board');
    for (const [path, words] of [
      [
        'hero.fbx',
        /^hero\.fbx: FBX is not read: export the character as GLB, or its motion as BVH$/,
      ],
      ['picture.png', /^picture\.png: a picture opens nothing/],
      ['r/robot.urdf.xacro', /^robot\.urdf\.xacro: xacro is expanded first, as by “xacro robot\./],
      ['r.tgz', /^r\.tgz: unpack it/],
      [
        'r/m.srdf',
        /^m\.srdf: an SRDF has named poses of a robot and not the robot: drop it together/,
      ],
      ['joint_limits.yaml', /^joint_limits\.yaml: a YAML has limits of a robot and not the robot/],
    ]) {
      await drop(page, [[path, 'x']], 'page');
      assert.match(await page.textContent('.toast'), words);
      assert.equal(await page.evaluate(() => limber.store.state.view), 'board');
    }
    // what could be a model is read first
    await drop(page, [['limits.json', '{ "joint_limits": {} }']], 'page');
    const limits = 'limits.json: it has limits of a robot and not the robot: drop it together';
    await page.locator('.toast', { hasText: limits }).waitFor();
    await page.click('#tab-stage');
  },
);

stage('an SRDF that comes along has named poses, and pairs that may touch', {}, async (page) => {
  const link = (name) =>
    `<link name="${name}"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>`;
  const joint = (name, parent, child) =>
    `<joint name="${name}" type="revolute"><origin xyz="0.5 0 0"/><parent link="${parent}"/>` +
    `<child link="${child}"/><axis xyz="0 0 1"/>` +
    '<limit lower="-3.1" upper="3.1" effort="1" velocity="1"/></joint>';
  const robot =
    `<robot name="arm">${link('base')}${link('upper')}${link('lower')}${link('hand')}` +
    joint('shoulder', 'base', 'upper') +
    joint('elbow', 'upper', 'lower') +
    `${joint('wrist', 'lower', 'hand')}</robot>`;
  const srdf = (pair) =>
    '<robot name="arm"><group name="all"><joint name="shoulder"/><joint name="elbow"/></group>' +
    '<group_state name="folded" group="all"><joint name="shoulder" value="0"/>' +
    `<joint name="elbow" value="3"/></group_state>${pair}</robot>`;
  const open = (text) =>
    page.evaluate(
      (files) => limber.openFiles(new Map(files.map(([name, t]) => [name, new File([t], name)]))),
      [
        ['arm/other.srdf', '<robot name="other"/>'],
        ['arm/arm.srdf', text],
        ['arm/arm.urdf', robot],
      ],
    );
  const touching = async (text) => {
    await open(text);
    await page.waitForFunction(() => limber.stage.model.name === 'arm');
    assert.match(await page.textContent('[data-own="arm.urdf"]'), /URDF, 3 joints, SRDF/);
    // what measures comes with the first move
    await page.evaluate(() => limber.stage.setPose('moved', [0.1, 0.1, 0]));
    await drawn(page);
    await drawn(page);
    await page.getByLabel('Named pose').selectOption({ label: 'folded' });
    await drawn(page);
    const { q } = await state(page);
    assert.deepEqual(q, [0, 3, 0]);
    assert.equal(await page.getByLabel('Named pose').inputValue(), '0');
    await page.evaluate(() => limber.stage.setPose('other', [0, 3, 0.5]));
    await drawn(page);
    assert.equal(await page.getByLabel('Named pose').inputValue(), '0', 'the wrist is free');
    await page.evaluate(() => limber.stage.setPose('other', [0, 2.9, 0]));
    await drawn(page);
    assert.equal(await page.getByLabel('Named pose').inputValue(), '');
    return page.evaluate(() => limber.stage.session.clearance.touching([0, 3, 0]).length);
  };
  const without = await touching(srdf(''));
  const disable = (a, b) => `<disable_collisions link1="${a}" link2="${b}" reason="Never"/>`;
  const less = await touching(srdf(disable('base', 'lower') + disable('upper', 'hand')));
  assert.ok(without > 0 && less === 0, `${without} and ${less}`);
  // what is not read is said
  const toast = () => page.textContent('.toast:not([hidden])');
  await drop(page, [
    ['arm.urdf', robot],
    ['other.srdf', '<robot name="other"/>'],
  ]);
  await drawn(page);
  assert.match(await toast(), /other\.srdf is not of this robot/);
  await drop(page, [
    ['arm.urdf', robot],
    ['config/joint_limits.yaml', 'joint_limits:'],
  ]);
  await drawn(page);
  assert.match(await toast(), /joint_limits\.yaml is not of this robot: it names none of its/);
  // of a file beside it of the same name, as in a folder of several robots, the robot's name does not count
  await drop(page, [
    ['arm.urdf', robot],
    ['arm.srdf', srdf('').replace('name="arm"', 'name="Arm"')],
  ]);
  await page.waitForFunction(() => limber.store.state.stage.model.srdf?.includes('"Arm"'));
  await open(srdf(''));
  await page.waitForFunction(() => limber.store.state.stage.model.srdf);
  // it is in links and projects, with the model
  assert.match(await page.evaluate(() => limber.store.state.stage.model.srdf), /folded/);
});

stage('limits of joints that come along narrow the robot', {}, async (page) => {
  const robot = chain(['a.stl', 'b.stl', 'c.stl']);
  const limits = `joint_limits:
  j0: {has_position_limits: true, min_position: -0.5, max_position: !degrees 30}
  j1:
    has_velocity_limits: yes
    max_velocity: 2  # rad/s
  other:
    max_velocity: 1
`;
  await drop(page, [
    ['r/urdf/r.urdf', robot],
    ['r/config/old/joint_limits.yaml', 'joint_limits:\n  other: {max_velocity: 1}\n'],
    ['r/config/joint_limits.yaml', limits],
  ]);
  await page.waitForFunction(() => limber.stage.model.name === 'r');
  assert.match(await page.textContent('[data-own="r.urdf"]'), /URDF, 2 joints, joint limits/);
  const narrowed = () =>
    page.evaluate(() => {
      const [first, second] = limber.stage.model.joints;
      return [first.lower[0], first.upper[0], second.velocity];
    });
  assert.deepEqual(await narrowed(), [-0.5, Math.PI / 6, 2]);
  assert.match(await page.textContent('.toast:not([hidden])'), /line 7: .*no joint 'other'/);
  // they stay with another root and and what cannot be read is said
  await page.evaluate(() => limber.stage.setRoot('floating'));
  await drawn(page);
  assert.equal(await page.evaluate(() => limber.stage.model.joints.at(-1).velocity), 2);
  await drop(page, [
    ['r.urdf', robot],
    ['joint_limits.yaml', 'joint_limits:\n  j0: *all\n'],
  ]);
  await page.waitForFunction(() => limber.stage.model.joints[0].kind !== 'floating');
  assert.match(await page.textContent('.toast'), /line 2: aliases are not read/);
});

stage(
  'a folder in a ZIP archive opens, and loops beside it are not forgotten unsaid',
  {},
  async (page) => {
    const files = [
      ['r/urdf/r.urdf', chain(['a.stl', 'b.stl', 'c.stl'])],
      ['r/urdf/r.yaml', "closed_loop: [['l0', 'l2']]\ntype: ['6d']\n"],
      ...['a', 'b', 'c'].map((name) => [`r/meshes/${name}.stl`, stl]),
      ['__MACOSX/r/urdf/._r.urdf', 'x'],
    ];
    const archive = zip(files.map(([path, text]) => [path, new TextEncoder().encode(text)]));
    await page.click('#tab-board');
    await drop(page, [['r.zip', 'no archive']], 'page');
    await page.waitForFunction(() =>
      /^r\.zip: it is no ZIP archive$/.test(document.querySelector('.toast').textContent),
    );
    await drop(page, [['r.zip', [...archive]]], 'page');
    await page.waitForFunction(() => limber.stage?.model?.name === 'r');
    assert.equal(await page.evaluate(() => limber.stage.figure.whole.then(() => 0)), 0);
    assert.equal(await page.evaluate(() => limber.stage.figure.missing.size), 0);
    await page.waitForFunction(() =>
      /^r\.yaml: closed loops are not read .* “limber convert r\.urdf robot\.json”/.test(
        document.querySelector('.toast').textContent,
      ),
    );
  },
);

stage(
  'a motion that is refused leaves the view; in its own the walk plays',
  { alone: true },
  async (page) => {
    await page.click('#tab-board');
    const openAll = (files) =>
      page.evaluate(
        (all) => limber.openFiles(new Map(all.map(([n, t]) => [n, new Blob([t])]))),
        files,
      );
    await openAll([['x.csv', '1,2,3\n']]);
    assert.match(await page.textContent('.toast'), /^x\.csv:1: /);
    assert.equal(await page.evaluate(() => limber.store.state.view), 'board');
    await page.click('#tab-motion');
    await page.waitForFunction(() => limber.motion.played[0]?.name === 'Walk');
    // nothing at all, too, is said as what it is
    await openAll([]);
    assert.match(await page.textContent('.toast'), /^There are no files/);
    await page.click('#tab-stage');
    await openAll([['empty.urdf', '']]);
    await page.waitForFunction(() =>
      /^empty\.urdf: the file is empty$/.test(document.querySelector('.toast').textContent),
    );
  },
);
