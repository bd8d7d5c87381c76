// yaml.js - from YAML text to a tree of nodes: what limits of joints are often written in.
//
// Mappings and sequences, by indentation and in brackets, of plain and quoted scalars of one line and of texts after
// | and >, with comments and tags. Other scalars of several lines are refused; aliases and further documents are
// treated as natively.

import { nodeKind } from './document.js';
import { TextReader } from './text.js';

/** As deep as the native reader goes. */
const maxDepth = 64;

const blank = /(?:[ \t\r\n]+|(?<=^|[ \t])#[^\n]*)*/my;
const directive = /%[^\n]*\n\s*/y;
const begin = /---(?=\s|$)/y;
const end = /(?:---|\.\.\.)(?=\s|$)/y;
const item = /-(?=\s|$)/y;
const colon = /[ \t]*:(?=\s|$)/y;
const flowColon = /[ \t]*:(?=[\s,[\]{}]|$)/y;
const tagOrAnchor = /([!&][^\s,[\]{}]*)[ \t]*/y;
// parts of quoted scalars: one expression for all of it would try every way to cut it
const quotedParts = { '"': /[^"\\\r\n]+|\\./y, "'": /[^'\r\n]+|''/y };
const plain = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=\S))(?:[^\r\n:#]+|:(?=\S)|(?<=\S)#)*/y;
const flowPlain =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,[\]{}]))(?:[^\r\n:#,[\]{}]+|:(?=[^\s,[\]{}])|(?<=\S)#)*/y;
// how a text of several lines begins (kept or folded, its end, its indentation), and each line of it
const blockBegin = /([|>])([-+]?)([1-9]?)([-+]?)(?:[ \t]+#[^\r\n]*|[ \t]*)(?:\r?\n|$)/y;
const blockLine = /( *)([^\r\n]*)(?:\r?\n|$)/y;

const number = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;
// YAML 1.1's words, as the readers of ROS have them
const yes = /^(?:true|True|TRUE|yes|Yes|YES|on|On|ON)$/;
const no = /^(?:false|False|FALSE|no|No|NO|off|Off|OFF)$/;
const nothing = /^(?:~|null)?$/;

class YamlReader extends TextReader {
  /** Whether it is in brackets, where indentation does not count. */
  flow = 0;

  constructor(text, document) {
    super(text, 'YAML');
    this.document = document;
  }

  get column() {
    return this.at - this.text.lastIndexOf('\n', this.at - 1) - 1;
  }

  /** Steps over blanks and comments; whether something at this column or farther in follows. */
  reaches(column) {
    this.take(blank);
    if (this.flow) return !this.done;
    const begins = this.at - this.column;
    if (/^ *\t[ \t]*$/.test(this.text.slice(begins, this.at)))
      this.refuse('a tab cannot indent a line');
    return !this.done && this.column >= column && !(this.column === 0 && this.sees(end));
  }

  /** Whether an expression matches here. */
  sees(expression) {
    expression.lastIndex = this.at;
    return expression.test(this.text);
  }

  /** A plain or quoted scalar of one line; its text is undefined where none begins. */
  scalar() {
    const { at } = this;
    const part = quotedParts[this.text[at]];
    if (!part)
      return { text: this.take(this.flow ? flowPlain : plain)?.[0].trimEnd(), plain: true };
    this.at++;
    while (this.take(part));
    if (this.text[this.at] !== this.text[at]) this.refuse('a quote has no end');
    this.at++;
    const text = this.text.slice(at, this.at);
    if (text[0] === "'") return { text: text.slice(1, -1).replaceAll("''", "'"), plain: false };
    try {
      return { text: JSON.parse(text.replaceAll('\t', '\\t')), plain: false };
    } catch {
      return this.refuse('of the escapes in quotes only those of JSON are read', 'unsupported');
    }
  }

  /** A text after | or >, at this column or farther in. */
  block(least) {
    const [, style, mark, given, late] =
      this.take(blockBegin) ?? this.refuse('a line of its own expected after | and >');
    let indent = given && Math.max(least - 1, 0) + Number(given);
    const lines = [];
    while (!this.done) {
      const { at } = this;
      const [, blanks, rest] = this.take(blockLine);
      if (rest) indent ||= Math.max(blanks.length, least, 1);
      if (rest && blanks.length < indent) {
        this.at = at;
        break;
      }
      lines.push((blanks + rest).slice(indent || Infinity));
    }
    const count = lines.length;
    while (lines.at(-1) === '') lines.pop();
    const own = lines.length > 0 ? 1 : 0;
    const ends = { '': own, '-': 0, '+': count - lines.length + own }[mark || late];
    const text = lines.join('\n');
    const joined = (_, line, more) => line + (more || ' ');
    const read = style === '|' ? text : text.replace(/^(\S.*)\n(\n*)(?=\S)/gm, joined);
    return read + '\n'.repeat(ends);
  }

  open(kind, key, depth) {
    if (depth === maxDepth) this.refuse(`levels are nested deeper than ${maxDepth}`, 'unsupported');
    this.document.add(kind, key, null, 0, this.line);
  }

  add(key, { text, plain }, degrees, line) {
    const { document } = this;
    if (plain && number.test(text)) {
      const value = Number(text) * (degrees ? Math.PI / 180 : 1);
      if (!Number.isFinite(value)) this.refuse(`${text} is too large`);
      document.add(nodeKind.number, key, null, value, line);
    } else if (plain && nothing.test(text)) document.add(nodeKind.null, key, null, 0, line);
    else if (plain && yes.test(text)) document.add(nodeKind.true, key, null, 0, line);
    else if (plain && no.test(text)) document.add(nodeKind.false, key, null, 0, line);
    else document.add(nodeKind.string, key, text, 0, line);
  }

  /** What follows a key or a dash: it is at this column or farther in; `pairs`: a mapping may begin here. */
  value(key, least, pairs, depth) {
    let degrees = false;
    for (let found; this.reaches(least) && (found = this.take(tagOrAnchor));)
      degrees ||= found[1] === '!degrees';
    if (!this.reaches(least)) return this.add(key, { text: '', plain: true }, false, this.line);
    const character = this.text[this.at];
    if (character === '*') this.refuse('aliases are not read: write the values out', 'unsupported');
    if (!this.flow && (character === '|' || character === '>')) {
      const { line } = this;
      return this.add(key, { text: this.block(least), plain: false }, false, line);
    }
    if (character === '[' || character === '{') return this.brackets(key, depth);
    if (!this.flow && this.sees(item)) return this.sequence(key, depth);
    const { at, line } = this;
    const scalar = this.scalar();
    if (scalar.text === undefined) this.refuse('a value expected');
    if (this.flow || !this.sees(colon)) return this.add(key, scalar, degrees, line);
    if (!pairs) this.refuse('a second key in this line');
    this.at = at;
    return this.mapping(key, depth);
  }

  sequence(key, depth) {
    const { column } = this;
    this.open(nodeKind.array, key, depth);
    while (this.reaches(column) && this.column === column && this.take(item))
      this.value(null, column + 1, true, depth + 1);
    this.document.close();
  }

  mapping(key, depth) {
    const { column } = this;
    this.open(nodeKind.object, key, depth);
    while (this.reaches(column) && this.column === column && !this.sees(item)) {
      const { line } = this;
      const { text } = this.scalar();
      if (text === undefined || !this.take(colon)) this.refuse("a key and ':' expected");
      // a sequence may begin below its key
      const below = this.reaches(column) && this.column === column && this.sees(item);
      this.value(text, below ? column : column + 1, this.line !== line, depth + 1);
    }
    this.document.close();
  }

  brackets(key, depth) {
    const object = this.looksAt('{');
    const close = object ? '}' : ']';
    this.open(object ? nodeKind.object : nodeKind.array, key, depth);
    this.at++;
    this.flow++;
    for (let first = true; this.reaches(0) && !this.looksAt(close); first = false) {
      if (!first && !this.take(/,/y)) this.refuse(`',' or '${close}' expected`);
      this.take(blank);
      if (this.looksAt(close)) break;
      this.member(object, depth);
    }
    if (!this.looksAt(close)) this.refuse(`'${close}' expected`);
    this.at++;
    this.flow--;
    this.document.close();
  }

  member(object, depth) {
    if (!object) return this.value(null, 0, false, depth + 1);
    const { text } = this.scalar();
    if (text === undefined) this.refuse('a key must be a word', 'unsupported');
    this.take(blank);
    if (!this.take(flowColon)) this.refuse(`':' expected after '${text}'`);
    this.take(blank);
    if (this.sees(/[,}]/y)) return this.add(text, { text: '', plain: true }, false, this.line);
    return this.value(text, 0, false, depth + 1);
  }
}

/** Fills a document from a text. */
export function readYaml(text, document) {
  const reader = new YamlReader(text.replace(/^\ufeff/, ''), document);
  reader.take(blank);
  while (reader.take(directive));
  reader.take(begin);
  reader.value(null, 0, true, 0);
  reader.take(blank);
  if (!reader.done && !(reader.column === 0 && reader.sees(end)))
    reader.refuse('this line is not indented as those above it');
}
