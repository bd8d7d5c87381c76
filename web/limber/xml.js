// xml.js - from XML text to a tree of nodes, with lines, which browsers' parsers do not keep.
//
// The language without document type declarations: elements, attributes, character references
// and the five predefined entities, comments, CDATA sections and processing instructions.
// Text between elements has no meaning in the formats that are read.

import { nodeKind } from './document.js';
import { LimberError } from './error.js';
import { TextReader } from './text.js';

/** As deep as the native parser goes. */
const maxDepth = 256;

const blank = /[ \t\n]+/y;
const nameChars = '[A-Za-z_:\\u0080-\\uffff][-.\\w:\\u0080-\\uffff]*';
const declaration = /[ \t\n]*<\?xml[ \t\n][^>]*\?>/y;
const instruction = new RegExp(`<\\?(${nameChars})[^]*?\\?>`, 'y');
const comment = /<!--([^]*?)-->/y;
const cdata = /<!\[CDATA\[[^]*?\]\]>/y;
const content = /[^<]+/y;
const opening = new RegExp(`<(${nameChars})`, 'y');
const closing = new RegExp(`</(${nameChars})[ \\t\\n]*>`, 'y');
const attribute = new RegExp(`(${nameChars})[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const tagEnd = /\/?>/y;
const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** References replaced; one that is unknown is refused. */
function decode(reader, text) {
  return text.replace(/&([^;]*)(;?)/g, (whole, name, end) => {
    const code = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
    const point = code ? Number.parseInt(code[1] ?? code[2], code[1] ? 16 : 10) : 0;
    if (end && point > 0 && point <= 0x10ffff) return String.fromCodePoint(point);
    if (end && Object.hasOwn(entities, name)) return entities[name];
    return reader.refuse(`Entity '${name.slice(0, 40)}' not defined`);
  });
}

/** The attributes of an element, and whether it ends with them. */
function readAttributes(reader, name) {
  const found = new Map();
  for (;;) {
    const separated = reader.take(blank);
    const end = reader.looksAt('>') || reader.looksAt('/>');
    if (end) return { found, line: reader.line, empty: reader.take(tagEnd)[0] === '/>' };
    const match = separated && reader.take(attribute);
    if (!match) reader.refuse(`<${name}> is not complete`);
    const [, key, double, single] = match;
    if (found.has(key)) reader.refuse(`Attribute ${key} redefined`);
    // white space within a value is blanks
    found.set(key, decode(reader, (double ?? single).replace(/[\t\n]/g, ' ')));
  }
}

/** As deep as the native reader follows included files, and as many. */
const most = { depth: 16, files: 1000 };

/** A sink that drops what it is given. */
const nowhere = { add() {}, close() {} };

/** A path without . and .. in it. */
function simplified(path) {
  const parts = [];
  for (const part of path.split('/')) {
    const back = part === '..' && parts.length > 0 && parts.at(-1) !== '..';
    if (back) parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}

/** A file beside the one that includes it, else beside the first one; undefined: it is not given. */
function findIncluded(files, beside, name) {
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1);
  return [simplified(folder + name), simplified(name)].find((path) => Object.hasOwn(files, path));
}

/** Puts the children of an included file's root in the place of <include> (MJCF). */
function include(reader, to, name) {
  if (name === undefined) reader.refuse('<include> needs file="..."', 'bad-model');
  const { files, path: beside, seen, depth } = to;
  const words = `<include file="${name.slice(0, 100)}">`;
  const path = findIncluded(files, beside, name);
  if (path === undefined)
    reader.refuse(`${words}: this file is not among those that came with the model`, 'not-found');
  if (seen.has(path))
    reader.refuse(`${words}: this file is read already, and is read once`, 'unsupported');
  if (depth === most.depth || seen.size > most.files)
    reader.refuse(`${words} is nested too deep, or is one of too many`, 'unsupported');
  seen.add(path);
  // lines are those of the first file
  const { document } = to;
  const inside = {
    add: (...node) => document.add(...node.slice(0, 4), 0),
    close: () => document.close(),
  };
  try {
    readTree(files[path], { ...to, path, depth: depth + 1, document: inside, root: nowhere });
  } catch (error) {
    if (!(error instanceof LimberError) || error.line === 0) throw error;
    throw new LimberError(`${path}:${error.line}: ${error.message}`, error.code);
  }
}

/** Adds an element; false: it ends with its tag. */
function openElement(reader, to, name, document = to.document) {
  const { found, line, empty } = readAttributes(reader, name);
  if (to.files && name === 'include' && document === to.document) {
    include(reader, to, found.get('file'));
    // whatever else is in it has no meaning
    while (!empty && (reader.take(blank) || skipMarkup(reader)));
    if (!empty && !reader.take(closing)) reader.refuse('<include> has elements in it');
    return false;
  }
  document.add(nodeKind.element, name, null, 0, line);
  for (const [key, value] of found)
    if (key !== 'xmlns' && !key.startsWith('xmlns:'))
      document.add(nodeKind.attribute, key, value, 0, line);
  if (empty) document.close();
  return !empty;
}

/** Steps over what is between elements; true when something was there. */
function skipMarkup(reader) {
  const found = reader.take(comment);
  if (found?.[1].includes('--') || found?.[1].endsWith('-'))
    reader.refuse('a comment has two hyphens in it');
  if (found) return true;
  const inside = reader.take(instruction);
  if (inside && inside[1].toLowerCase() === 'xml')
    reader.refuse('XML declaration allowed only at the start of the document');
  if (reader.looksAt('<!DOCTYPE'))
    reader.refuse(
      'a document type declaration (<!DOCTYPE) is not accepted; remove it',
      'unsupported',
    );
  return inside !== null;
}

/** One step inside an element: its end, a child, or what is in between. */
function readContent(reader, to, open) {
  const text = reader.take(content);
  if (text) {
    if (text[0].includes(']]>')) reader.refuse("']]>' is not allowed in text");
    decode(reader, text[0]);
    return;
  }
  if (skipMarkup(reader) || reader.take(cdata)) return;
  const end = reader.take(closing);
  if (end) {
    if (end[1] !== open.at(-1))
      reader.refuse(`Opening and ending tag mismatch: ${open.at(-1)} and ${end[1]}`);
    open.pop();
    (open.length > 0 ? to.document : to.root).close();
    return;
  }
  const start = reader.take(opening);
  if (!start) reader.refuse('a tag is malformed');
  if (open.length === maxDepth) reader.refuse(`elements are nested deeper than ${maxDepth}`);
  if (openElement(reader, to, start[1])) open.push(start[1]);
}

/** Reads a file: its root goes to one sink, and what is in that to another. */
function readTree(text, to) {
  const reader = new TextReader(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'), 'XML');
  // says nothing of use, of whatever version and behind whatever blanks it is
  reader.take(declaration);
  while (reader.take(blank) || skipMarkup(reader));
  const root = reader.take(opening);
  if (!root) reader.refuse('Start tag expected');
  // only MJCF includes files
  const here = root[1] === 'mujoco' || to.depth > 0 ? to : { ...to, files: undefined };
  const open = openElement(reader, here, root[1], to.root) ? [root[1]] : [];
  while (open.length > 0) {
    if (reader.done) reader.refuse(`Premature end of data in tag ${open.at(-1)}`);
    readContent(reader, here, open);
  }
  while (reader.take(blank) || skipMarkup(reader));
  if (!reader.done) reader.refuse('Extra content at the end of the document');
}

/** Fills a document from a text; `files` are texts that it may include, by their paths as seen from it. */
export function readXml(text, document, files) {
  readTree(text, { document, root: document, files, path: '', seen: new Set(), depth: 0 });
}
