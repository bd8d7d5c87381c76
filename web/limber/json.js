// json.js - from JSON text, or what JSON.parse made of it, to a tree of nodes.
//
// JSON.parse keeps no lines and takes the last of doubled keys, so texts are read here.

import { nodeKind } from './document.js';
import { LimberError } from './error.js';
import { TextReader } from './text.js';

/** As deep as the native reader goes. */
const maxDepth = 64;
const mostDigits = 64;

const blank = /[ \t\r\n]*/y;
// a part of a string: engines run out of stack in one expression for a long one
const part = /[^"\\\u0000-\u001f]{1,4096}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const word = /(?:true|false|null)(?![A-Za-z0-9_])/y;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

// ---- texts ----

function expect(reader, character) {
  reader.take(blank);
  if (!reader.looksAt(character)) reader.refuse(`'${character}' expected`);
  reader.at++;
}

function readString(reader) {
  const begin = reader.at;
  const opens = reader.looksAt('"');
  if (opens) reader.at++;
  while (opens && reader.take(part));
  if (!opens || !reader.looksAt('"')) {
    reader.at = begin;
    reader.refuse('a string is malformed or has no end');
  }
  reader.at++;
  const text = JSON.parse(reader.text.slice(begin, reader.at));
  if (loneSurrogate.test(text)) reader.refuse('invalid Unicode in a string');
  if (text.includes('\0')) reader.refuse('\\u0000 is not allowed');
  return text;
}

function addNumber(reader, document, key, line) {
  const found = reader.take(number);
  if (!found) reader.refuse('invalid token');
  const [text, fraction, exponent] = found;
  const value = Number(text);
  if (!Number.isFinite(value)) reader.refuse('real number overflow');
  if (fraction === undefined && exponent === undefined && Math.abs(value) > 2 ** 63)
    reader.refuse('too big integer');
  // 1.0 and integers of more digits than doubles have are written again as they were
  const whole = Number.isInteger(value) && (fraction !== undefined || exponent !== undefined);
  const kept = (whole || Math.abs(value) >= 2 ** 53) && text.length < mostDigits;
  document.add(nodeKind.number, key, kept ? text : null, value, line);
}

/** The members between two brackets, each read by `read`. */
function readMembers(reader, end, read) {
  reader.at++;
  reader.take(blank);
  for (let first = true; !reader.looksAt(end); first = false) {
    if (!first) expect(reader, ',');
    reader.take(blank);
    read();
    reader.take(blank);
    if (reader.done) reader.refuse(`'${end}' expected near end of file`);
  }
  reader.at++;
}

function readMember(reader, document, keys, depth) {
  const key = readString(reader);
  if (keys.has(key)) reader.refuse(`duplicate object key near '"${key}"'`);
  keys.add(key);
  expect(reader, ':');
  reader.take(blank);
  readValue(reader, document, key, depth);
}

function readValue(reader, document, key, depth) {
  const { line } = reader;
  const character = reader.text[reader.at];
  if (character === '{' || character === '[') {
    if (depth === maxDepth)
      reader.refuse(`brackets are nested deeper than ${maxDepth}`, 'unsupported');
    const isObject = character === '{';
    const keys = new Set();
    document.add(isObject ? nodeKind.object : nodeKind.array, key, null, 0, line);
    readMembers(reader, isObject ? '}' : ']', () =>
      isObject
        ? readMember(reader, document, keys, depth + 1)
        : readValue(reader, document, null, depth + 1),
    );
    document.close();
  } else if (character === '"') {
    document.add(nodeKind.string, key, readString(reader), 0, line);
  } else if (character === '-' || (character >= '0' && character <= '9')) {
    addNumber(reader, document, key, line);
  } else {
    const found = reader.take(word);
    if (!found) reader.refuse('invalid token');
    document.add(nodeKind[found[0]], key, null, 0, line);
  }
}

/** Fills a document from a text. */
export function readJson(text, document) {
  const reader = new TextReader(text.replace(/^\ufeff/, ''), 'JSON');
  reader.take(blank);
  readValue(reader, document, null, 0);
  reader.take(blank);
  if (!reader.done) reader.refuse('end of file expected');
}

// ---- values ----

function kindOf(value) {
  if (value === null) return nodeKind.null;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return nodeKind.array;
  return nodeKind[typeof value === 'boolean' ? String(value) : typeof value];
}

function addValue(document, key, value, depth) {
  const kind = kindOf(value);
  if (kind === undefined || depth === maxDepth)
    throw new LimberError(`a ${typeof value} is no value of JSON`, 'bad-value');
  document.add(
    kind,
    key,
    kind === nodeKind.string ? value : null,
    kind === nodeKind.number ? value : 0,
    0,
  );
  if (kind === nodeKind.array)
    for (const element of value) addValue(document, null, element, depth + 1);
  if (kind === nodeKind.object)
    for (const [name, member] of Object.entries(value))
      if (member !== undefined) addValue(document, name, member, depth + 1);
  if (kind === nodeKind.array || kind === nodeKind.object) document.close();
}

/** Fills a document from what JSON.parse makes. */
export function readObject(value, document) {
  addValue(document, null, value, 0);
}
