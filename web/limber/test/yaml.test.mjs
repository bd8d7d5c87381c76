// YAML as the native reader takes it, by limits of joints: the same numbers, lines and refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Document, nodeKind } from '../document.js';
import { readYaml } from '../yaml.js';
import { load } from '../node.js';

/** What a text means, as JSON.parse would give it. */
function valueOf(text) {
  const document = new Document('');
  const open = [[]];
  document.add = (kind, key, string, number) => {
    const value =
      kind === nodeKind.object
        ? {}
        : kind === nodeKind.array
          ? []
          : kind === nodeKind.string
            ? string
            : kind === nodeKind.number
              ? number
              : ({ [nodeKind.true]: true, [nodeKind.false]: false }[kind] ?? null);
    const into = open.at(-1);
    if (Array.isArray(into)) into.push(value);
    else into[key] = value;
    if (kind === nodeKind.object || kind === nodeKind.array) open.push(value);
  };
  document.close = () => open.pop();
  readYaml(text, document);
  assert.equal(open.length, 1, text);
  assert.equal(open[0].length, 1, text);
  return open[0][0];
}

const texts = [
  ['a: 1\nb: two words\nc: -1.5e3 # degrees\n', { a: 1, b: 'two words', c: -1500 }],
  ['%YAML 1.1\n---\na: ~\nb:\nc: yes\nd: off\n...\nrest', { a: null, b: null, c: true, d: false }],
  ['- 1\n- - 2\n  - 3\n- a: 4\n  b: 5\n-\n  - 6\n', [1, [2, 3], { a: 4, b: 5 }, [6]]],
  ['a:\n- 1\n- 2\nb:\n  - x\n', { a: [1, 2], b: ['x'] }],
  [
    'a: {b: 1, "c": [1, 2,\n  three#, x], d: }\n',
    { a: { b: 1, c: [1, 2, 'three#', 'x'], d: null } },
  ],
  ["'it''s': \"a\\tb\"\nurl: http://x/#y\n", { "it's": 'a\tb', url: 'http://x/#y' }],
  ['/**:\r\n  ros__parameters:\r\n    a: .5\r\n', { '/**': { ros__parameters: { a: 0.5 } } }],
  ['a: !degrees 180\nb: &anchor 2\nc: "3"\n', { a: Math.PI, b: 2, c: '3' }],
  ['# nothing\n', null],
  ['a: |\n  1\n    # two\n\n  three\n\nb: 4\n', { a: '1\n  # two\n\nthree\n', b: 4 }],
  [
    'a: >\n  one\n  two\n\n  three\n   four\n  five\nb:\n',
    { a: 'one two\nthree\n four\nfive\n', b: null },
  ],
  ['a: |- # why\r\n  x\r\n\r\nb: >+\r\n  y\r\n\r\n', { a: 'x', b: 'y\n\n' }],
  ['- |+\n x\n\n- |2\n   y\n- >-\n\n z\n', ['x\n\n', ' y\n', '\nz']],
  ['a: |\nb: |\n\n', { a: '', b: '' }],
  ['|\n x\n...\n', 'x\n'],
  ['\ufeffa:\n    b:\n        c: 1\n    d: 2\ne: 3', { a: { b: { c: 1 }, d: 2 }, e: 3 }],
];
for (const [text, value] of texts)
  test(JSON.stringify(text), () => assert.deepEqual(valueOf(text), value));

const refused = [
  ['a: *b\n', /aliases are not read/, 1],
  ['a: | text\n', /a line of its own expected/, 1],
  ['a: [|\n  text]\n', /a value expected/, 1],
  ['a: |\n  text\n b: 1\n', /indented/, 3],
  ['a: 1\n  b: 2\n', /indented/, 2],
  ['a: b: c\n', /second key/, 1],
  ['a:\n\tb: 1\n', /tab/, 2],
  ['a: [1, 2\n', /'\]' expected/, 2],
  ['a: {b: 1\nc: 2}\n', /expected/, 2],
  ['a: "no end, and a long line behind it that takes no time to refuse\n', /no end/, 1],
  ['a: 1e999\n', /too large/, 1],
  ['- '.repeat(70) + '1', /deeper than 64/, 1],
  ['['.repeat(70), /deeper than 64/, 1],
];
for (const [text, words, line] of refused)
  test(`${JSON.stringify(text)} is refused`, () =>
    assert.throws(
      () => valueOf(text),
      (error) => {
        assert.match(error.message, words);
        assert.equal(error.line, line);
        return true;
      },
    ));

test('a long text takes time by its length', () => {
  const n = 2e5;
  const texts = ['a: "' + 'x'.repeat(n), `a: ${' '.repeat(n)}1`, `[${'1,'.repeat(n)}]`];
  const begin = performance.now();
  for (const text of [...texts, `a: '${"''".repeat(n)}`, `a: x${'#'.repeat(n)}`])
    try {
      readYaml(text, { add() {}, close() {} });
    } catch (error) {
      assert.match(error.message, /no end/);
    }
  // a tenth of a second; by the square it would be minutes
  assert.ok(performance.now() - begin < 20_000);
});

test('limits as MoveIt writes them narrow a model, and cut anywhere are read or refused', async () => {
  const limber = await load({ clips: true });
  const dh = [{ a: 1 }, { a: 1 }];
  const model = limber.modelFromDh(dh);
  const [first, second] = model.joints.map(({ name }) => name);
  const yaml = `# as MoveIt's assistant writes it
default_velocity_scaling_factor: 0.1
joint_limits:
  ${first}:
    has_velocity_limits: true
    max_velocity: 2.175
    has_acceleration_limits: yes
    max_acceleration: 3.75
  ${second}: {max_position: !degrees 90, min_position: -1,
       max_jerk: 1e3}
`;
  const read = (text) => limber.clips.withLimits(text, model);
  const { model: narrow, accelerations } = read(yaml);
  assert.equal(narrow.joints[0].velocity, 2.175);
  assert.equal(accelerations[0], 3.75);
  assert.deepEqual([narrow.joints[1].lower[0], narrow.joints[1].upper[0]], [-1, Math.PI / 2]);
  for (let i = 0; i < yaml.length; i++)
    try {
      read(yaml.slice(0, i)).model.release();
    } catch (error) {
      assert.equal(error.name, 'LimberError', error.stack);
    }
});
