// motion_json.js - contacts, maps and clips as JSON; include/limber/formats/motion_json.h.
//
// A map is the value of its file: what JSON.parse makes of it, in limber's own form.

import { Clip } from './clip.js';
import { Document, reportWarnings } from './document.js';
import { lastError } from './error.js';
import { gltfOf } from './gltf.js';
import { readJson, readObject } from './json.js';
import { written } from './output.js';
import { readYaml } from './yaml.js';

/** The nodes of a file: of its text, its bytes, or of a value. */
export function documentOf(file, name) {
  const document = new Document(name);
  if (file instanceof Uint8Array) readJson(new TextDecoder().decode(file), document);
  else if (typeof file === 'string') readJson(file, document);
  else readObject(file, document);
  return document;
}

/** The same of a text that may be YAML: it is unless it begins with a brace. */
export function documentOfEither(file, name) {
  const text = file instanceof Uint8Array ? new TextDecoder().decode(file) : file;
  if (typeof text !== 'string' || /^\s*\{[^]*"/.test(text)) return documentOf(text, name);
  const document = new Document(name);
  readYaml(text, document);
  return document;
}

/** Calls `use` with a pointer to what `call` makes, and releases that; throws where it fails. */
function withMade(heap, pointer, release, use) {
  if (pointer === 0) throw lastError(heap);
  try {
    return use(pointer);
  } finally {
    release(pointer);
  }
}

// ---- contacts ----

/** The value of a file of contacts of these points. */
const contactsValue = (points, model) => ({
  limber_contacts: 1,
  points: points.map(({ link, at, height, anyHeight, spans }) => ({
    link: model.links[link].name,
    at,
    height,
    any_height: anyHeight === true,
    spans: spans.map(({ begin, end }) => [begin, end]),
  })),
});

/** Calls `use` with a pointer to contacts of a file. */
export function withContactsOf(heap, file, model, name, use) {
  const pointer = documentOf(file, name).withRows(heap, (strings, rows, count) =>
    heap.call.contacts_load(strings, rows, count, model.pointer),
  );
  return withMade(heap, pointer, heap.call.lb_contacts_release, use);
}

/** Calls `use` with a pointer to contacts of these points; null: with 0. */
export function withContacts(heap, points, model, use) {
  if (!points) return use(0);
  return withContactsOf(heap, contactsValue(points, model), model, '', use);
}

/** The bytes of a file of contacts. */
export const contactsFile = (heap, points, model) =>
  withContacts(heap, points, model, (pointer) =>
    written(heap, heap.call.contacts_write(pointer, model.pointer)),
  );

// ---- maps ----

/** By the number that map_unrecognised() returns. */
const sides = [undefined, 'source', 'target'];

/** Calls `use` with a pointer to the map of a file or a value. */
export function withMap(heap, file, source, target, name, use) {
  const pointer = documentOf(file, name).withRows(heap, (strings, rows, count) =>
    heap.call.map_load(strings, rows, count, source.pointer, target.pointer),
  );
  return withMade(heap, pointer, heap.call.map_release, use);
}

/**
 * Calls `use` with a pointer to the map that is found; `rest` points to a pose, or is 0. A mesh of
 * the target that cannot be read goes to `warn`.
 */
export function withFoundMap(heap, source, rest, target, warn, use) {
  const gltf = gltfOf(target);
  const pointer = heap.call.map_find(source.pointer, rest, target.pointer, gltf);
  if (gltf !== 0) reportWarnings(heap, warn);
  if (pointer === 0)
    throw Object.assign(lastError(heap), { unrecognised: sides[heap.call.map_unrecognised()] });
  return withMade(heap, pointer, heap.call.map_release, use);
}

/** The bytes of a map at a pointer. */
export const mapFile = (heap, pointer, source, target) =>
  written(heap, heap.call.map_write(pointer, source.pointer, target.pointer));

/** The same as a value. */
export const mapValue = (heap, pointer, source, target) =>
  JSON.parse(new TextDecoder().decode(mapFile(heap, pointer, source, target)));

// ---- clips ----

export function readClip(heap, file, model, name) {
  const pointer = documentOf(file, name).withRows(heap, (strings, rows, count) =>
    heap.call.clip_json_load(strings, rows, count, model.pointer),
  );
  return new Clip(model, pointer);
}

export const clipFile = (heap, clip) => written(heap, heap.call.clip_json_write(clip.pointer));
