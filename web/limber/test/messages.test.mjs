// The package reads, refuses and warns as the native library does: the same text, line and bits.
//
// LIMBER_MESSAGES names the program built from test/messages.c, LIMBER_DATA a folder of robots;
// without the one all is skipped, without the other the robots are.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LimberError, load } from '../node.js';
import { Hash } from './results.mjs';

const program = process.env.LIMBER_MESSAGES;
const data = join(process.env.LIMBER_DATA ?? '', 'urdf');
const skip = program ? false : 'LIMBER_MESSAGES does not name the native program';
const limber = await load();

// by lb_status
const codes =
  'ok out-of-memory invalid-argument not-found file-error syntax-error bad-model bad-value unsupported';

function native(files) {
  const lines = execFileSync(program, files, { maxBuffer: 1 << 26, encoding: 'utf8' });
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What the package says of a text, in the form of the native program's lines. */
function report(name, text) {
  const warnings = [];
  const warn = ({ line, message }) => warnings.push([line, message]);
  try {
    const model = limber.model(text, { name, warn });
    const state = model.state(model.random(limber.random(7)));
    const hash = new Hash().add(state.transforms).toString();
    return { warnings, status: 0, line: 0, message: '', hash };
  } catch (error) {
    assert.ok(error instanceof LimberError, error.stack);
    const status = codes.split(' ').indexOf(error.code);
    return { warnings, status, line: error.line, message: error.message };
  }
}

/** What is not well formed is said in each parser's own words, after the same beginning. */
function comparable({ warnings, status, line, message, hash }) {
  const isSyntax = status === 5;
  return { warnings, status, line, message: isSyntax ? message.split(':')[0] : message, hash };
}

test('the refused and warned texts', { skip }, () => {
  // a text that is not UTF-8 is no string of JavaScript
  const all = native([]).filter(({ text }) => !text.includes('\ufffd'));
  assert.ok(all.length > 100);
  for (const { name, text, ...expected } of all)
    assert.deepEqual(comparable(report(name, text)), comparable(expected), text);
});

test('robots', { skip: skip || (existsSync(data) ? false : `there is no ${data}`) }, () => {
  const files = readdirSync(data).filter((file) => file.endsWith('.urdf'));
  const all = native(files.map((file) => join(data, file)));
  assert.ok(all.length > 0 && all.length === files.length);
  for (const { name, ...expected } of all)
    assert.deepEqual(
      comparable(report(name, readFileSync(name, 'utf8'))),
      comparable(expected),
      name,
    );
});
