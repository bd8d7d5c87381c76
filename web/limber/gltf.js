// gltf.js - glTF and GLB: figures and their animations; include/limber/formats/gltf.h.
//
// The file is split and read by the C library; its JSON alone is parsed here, as all JSON is.

import { Clip } from './clip.js';
import { Document, reportWarnings } from './document.js';
import { LimberError, lastError } from './error.js';
import { Handle } from './heap.js';
import { readJson } from './json.js';
import { gltfInfo } from './layouts.js';
import { Model } from './model.js';
import { axes, pick } from './names.js';
import { written } from './output.js';
import { readField, readRecord, withRecord } from './record.js';

/** The text of some bytes of the module's memory. */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LimberError('its JSON is not UTF-8', 'syntax-error');
  }
}

/** The JSON of the container at a place in memory, as a document. */
function splitDocument(heap, name, at, size) {
  const { call, memory, scratch } = heap;
  const status = heap.withStrings([name], (path) =>
    call.gltf_split(path, at, size, scratch.pointer),
  );
  if (status !== 0) throw lastError(heap);
  const [json, length] = new Int32Array(memory.buffer, scratch.pointer, 2);
  const document = new Document(name);
  readJson(textOf(heap.u8.slice(json, json + length)), document);
  return document;
}

/** Files beside it in one piece of memory: their paths, bytes and sizes. */
function withFiles(heap, files, use) {
  const paths = Object.keys(files);
  const all = Object.values(files);
  const bytes = new Uint8Array(all.reduce((sum, file) => sum + file.length, 0));
  let at = 0;
  for (const file of all) {
    bytes.set(file, at);
    at += file.length;
  }
  const sizes = new Uint8Array(Int32Array.from(all, (file) => file.length).buffer);
  return heap.withStrings(paths, (p) =>
    heap.withBytes(bytes, (b) => heap.withBytes(sizes, (s) => use(p, b, s, paths.length))),
  );
}

function load(heap, file, { name, files, unit, up, strict }) {
  const axis = pick(heap, 'axis', up, axes);
  return heap.withBytes(file, (at, size) => {
    const document = splitDocument(heap, name, at, size);
    return document.withRows(heap, (strings, rows, count) =>
      withFiles(heap, files, (paths, bytes, sizes, n) =>
        heap.call.gltf_load(
          ...[strings, rows, count, paths, bytes, sizes, n, unit, axis, strict ? 1 : 0],
        ),
      ),
    );
  });
}

/** A pointer to the glTF that a model is of, which says what its links look like; 0: of none. */
export const gltfOf = (model) => (model.file instanceof Gltf ? model.file.pointer : 0);

export class Gltf {
  #heap;
  #handle;

  constructor(limber, heap, file, { warn, ...given } = {}) {
    const defaults = { name: '', files: {}, unit: 0, up: 'recognise', strict: false };
    const pointer = load(heap, file, { ...defaults, ...given });
    reportWarnings(heap, warn);
    if (pointer === 0) throw lastError(heap);
    this.#heap = heap;
    this.#handle = new Handle(this, pointer, () => heap.call.lb_gltf_release(pointer));
    this.model = new Model(heap, heap.call.lb_gltf_model(pointer), limber, this);
    this.info = this.#readInfo();
    this.animations = Array.from({ length: this.info.animations }, (_, i) => this.#animation(i));
  }

  get pointer() {
    return this.#handle.pointer;
  }

  #readInfo() {
    const heap = this.#heap;
    return withRecord(heap, gltfInfo, (at) => {
      heap.call.lb_gltf_describe(at, this.pointer);
      const text = (name) => heap.string(readField(heap, gltfInfo, at, name));
      const texts = { generator: text('generator'), humanoid: text('humanoid') };
      return { ...readRecord(heap, gltfInfo, at), ...texts };
    });
  }

  #animation(index) {
    const { call, scratch } = this.#heap;
    const name = this.#heap.string(call.lb_gltf_animation_name(this.pointer, index));
    call.lb_gltf_animation_times(this.pointer, index, scratch.at(0), scratch.at(1));
    const [begin, end] = scratch.numbers;
    return { name, begin, end };
  }

  /** The link of a node, -1: there is no such node. */
  linkOf(node) {
    return this.#heap.call.lb_gltf_link(this.pointer, node);
  }

  /** An animation, by its name or index. */
  clip(animation = 0) {
    const index =
      typeof animation === 'number'
        ? animation
        : pick(
            this.#heap,
            'animation',
            animation,
            this.animations.map(({ name }) => name),
          );
    if (!this.animations[index])
      throw new LimberError(`there is no animation ${index} among ${this.animations.length}`);
    const pointer = this.#heap.made((place, error) =>
      this.#heap.call.lb_gltf_clip(this.pointer, index, 0, place, error),
    );
    return new Clip(this.model, pointer);
  }

  /** The bytes of the file, with a clip over its model as one more animation, or in the place of its name. */
  write(clip = null, { name = 'motion', binary = true, onlyThis = false } = {}) {
    const status = this.#heap.withStrings([name], (text) =>
      this.#heap.call.gltf_write(
        this.pointer,
        text,
        clip ? clip.pointer : 0,
        binary ? 1 : 0,
        onlyThis ? 1 : 0,
      ),
    );
    return written(this.#heap, status);
  }

  release() {
    this.#handle.release();
  }
}
