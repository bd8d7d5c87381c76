// xml.js - from XML text to a tree of nodes, with lines, which browsers' parsers do not keep.
//
// The language without document type declarations: elements, attributes, character references
// and the five predefined entities, comments, CDATA sections and processing instructions.
// Text between elements has no meaning in the formats that are read.

import { nodeKind } from './document.js';
import { TextReader } from './text.js';

/** As deep as the native parser goes. */
const maxDepth = 256;

const blank = /[ \t\n]+/y;
const nameChars = '[A-Za-z_:\\u0080-\\uffff][-.\\w:\\u0080-\\uffff]*';
const declaration = /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])(.*?)\1[^?]*\?>/y;
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

function openElement(reader, document, name) {
  const { found, line, empty } = readAttributes(reader, name);
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

function readDeclaration(reader) {
  const found = reader.take(declaration);
  if (found && !/^1\.\d+$/.test(found[2])) reader.refuse(`Unsupported version '${found[2]}'`);
}

/** One step inside an element: its end, a child, or what is in between. */
function readContent(reader, document, open) {
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
    document.close();
    return;
  }
  const start = reader.take(opening);
  if (!start) reader.refuse('a tag is malformed');
  if (open.length === maxDepth) reader.refuse(`elements are nested deeper than ${maxDepth}`);
  if (openElement(reader, document, start[1])) open.push(start[1]);
}

/** Fills a document from a text. */
export function readXml(text, document) {
  const reader = new TextReader(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'), 'XML');
  readDeclaration(reader);
  while (reader.take(blank) || skipMarkup(reader));
  const root = reader.take(opening);
  if (!root) reader.refuse('Start tag expected');
  const open = openElement(reader, document, root[1]) ? [root[1]] : [];
  while (open.length > 0) {
    if (reader.done) reader.refuse(`Premature end of data in tag ${open.at(-1)}`);
    readContent(reader, document, open);
  }
  while (reader.take(blank) || skipMarkup(reader));
  if (!reader.done) reader.refuse('Extra content at the end of the document');
}
