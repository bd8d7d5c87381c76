// SRDF: named states and pairs that may touch, of the robot they are said of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../node.js';

const limber = await load({ clips: true });
const joint = (name, parent, child) =>
  `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/>` +
  '<axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>';
const urdf =
  '<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/>' +
  `${joint('shoulder', 'base', 'upper')}${joint('elbow', 'upper', 'lower')}</robot>`;
const srdf = (inside) => `<robot name="arm">
  <group name="all"><joint name="shoulder"/><joint name="elbow"/></group>
  ${inside}
</robot>`;

test('a state changes its own joints, and pairs are links of the model', () => {
  const model = limber.model(urdf);
  const read = limber.clips.srdf(
    srdf(
      '<group_state name="bent" group="all"><joint name="elbow" value="1.25"/></group_state>' +
        '<disable_collisions link1="base" link2="lower" reason="Never"/>',
    ),
    model,
  );
  assert.deepEqual(
    read.states.map(({ name, group }) => [name, group]),
    [['bent', 'all']],
  );
  assert.deepEqual([...read.states[0].apply([0.5, 0.5])], [0.5, 1.25]);
  assert.deepEqual(read.disabled, [[model.findLink('base'), model.findLink('lower')]]);
  assert.throws(() => limber.clips.collision(model, { disabled: [[0, 99]] }), /no link|99/);
  model.release();
});

test('what is wrong is refused by line, or warned of and left out', () => {
  const model = limber.model(urdf);
  assert.throws(() => limber.clips.srdf('<robot name="arm"', model), { code: 'syntax-error' });
  const warnings = [];
  const { states, disabled } = limber.clips.srdf(
    srdf('<disable_collisions link1="base" link2="hand" reason="Never"/>'),
    model,
    { name: 'arm.srdf', warn: (warning) => warnings.push(warning) },
  );
  assert.deepEqual([states, disabled], [[], []]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].message, /hand/);
  assert.equal(warnings[0].line, 3);
  const own = limber.clips.srdf(srdf(''), model);
  model.release();
  assert.deepEqual(own.states, []);
});
