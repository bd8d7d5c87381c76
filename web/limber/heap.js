// heap.js - the module's memory, seen from outside.
//
// The data of the module is in its own memory. A Block is a piece of it
// that belongs to one object here; `numbers` views it. The memory may grow in any
// call that allocates, which detaches all views, so views are made anew when needed.

import { LimberError, lastError } from './error.js';
import { error } from './layouts.js';

/** Bytes that memory_take() can give: it counts them with a sign in 32 bits. */
const most = 2 ** 31 - 1;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

// releases what was forgotten; release() is the better way
const forgotten = new FinalizationRegistry((release) => release());

export class Heap {
  #f64 = new Float64Array();
  #u8 = new Uint8Array();

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.call = instance.exports;
    this.memory = instance.exports.memory;
    this.call._initialize();
    /** Where calls of the library leave their error. */
    this.error = this.call.error_place();
    /** Arguments and results of calls that keep nothing. */
    this.scratch = new Block(this, 256);
  }

  get f64() {
    if (this.#f64.buffer !== this.memory.buffer) this.#f64 = new Float64Array(this.memory.buffer);
    return this.#f64;
  }

  get u8() {
    if (this.#u8.buffer !== this.memory.buffer) this.#u8 = new Uint8Array(this.memory.buffer);
    return this.#u8;
  }

  take(bytes) {
    const pointer = bytes <= most ? this.call.memory_take(bytes) : 0;
    if (pointer === 0) throw new LimberError('out of memory', 'out-of-memory');
    return pointer;
  }

  /** What `use` has the library make: it gets places for the pointer and, thrown, for the error. */
  made(use, what) {
    return this.withBytes(new Uint8Array(4), (place) => {
      this.u8.fill(0, this.error, this.error + error.size);
      const status = use(place, this.error);
      const pointer = this.pointerAt(place);
      if (pointer === 0) throw lastError(this, status, what);
      return pointer;
    });
  }

  /** The pointer or the whole number at a place. */
  pointerAt(place) {
    return new DataView(this.memory.buffer).getUint32(place, true);
  }

  /** The text that `use` writes to a place of so many bytes. */
  textOf(use, size = 1024) {
    return this.withBytes(new Uint8Array(size), (place) => {
      use(place, size);
      return this.string(place);
    });
  }

  /** The text at a pointer, up to its zero. */
  string(pointer) {
    const bytes = this.u8;
    let end = pointer;
    while (bytes[end] !== 0) end++;
    return decoder.decode(bytes.subarray(pointer, end));
  }

  /** Calls `use` with a pointer to these strings, each with its zero. */
  withStrings(strings, use) {
    return this.withBytes(strings.map((text) => text + '\0').join(''), use);
  }

  /** Calls `use` with a pointer to a copy of these bytes, or of a text in UTF-8, and their number. */
  withBytes(given, use) {
    const bytes = typeof given === 'string' ? encoder.encode(given) : given;
    const pointer = this.take(bytes.length);
    try {
      this.u8.set(bytes, pointer);
      return use(pointer, bytes.length);
    } finally {
      this.call.memory_give(pointer);
    }
  }

  /** "; did you mean 'x'?" of the nearest of some names, '' when none is near. */
  suggestion(name, names) {
    if (String(name).includes('\0')) return '';
    const index = this.withStrings([String(name), ...names], (pointer) =>
      this.call.nearest_name(pointer, names.length),
    );
    return index < 0 ? '' : `; did you mean '${names[index]}'?`;
  }

  /** Calls `use` with a pointer to a copy of these numbers. */
  withNumbers(numbers, use) {
    const pointer = this.take(8 * numbers.length);
    try {
      this.f64.set(numbers, pointer / 8);
      return use(pointer);
    } finally {
      this.call.memory_give(pointer);
    }
  }
}

/** A pointer that is still good. */
function good(pointer) {
  if (pointer === 0) throw new LimberError('used after its release()');
  return pointer;
}

/** `count` doubles of the module's memory. */
export class Block {
  #heap;
  #pointer;
  #view = new Float64Array();

  constructor(heap, count) {
    this.#heap = heap;
    this.count = count;
    this.#pointer = heap.take(8 * count);
  }

  get pointer() {
    return good(this.#pointer);
  }

  /** The numbers themselves, until the next call that allocates. */
  get numbers() {
    const { buffer } = this.#heap.memory;
    const { pointer } = this;
    if (this.#view.buffer !== buffer) this.#view = new Float64Array(buffer, pointer, this.count);
    return this.#view;
  }

  /** Where the number at `index` is. */
  at(index) {
    return this.pointer + 8 * index;
  }

  release() {
    this.#heap.call.memory_give(this.#pointer);
    this.#pointer = 0;
  }
}

/**
 * Something of the module's, with the blocks that go with it; released once. What it was made `of`,
 * as a solver of its model, it needs as long as it is used.
 */
export class Handle {
  #pointer;
  #release;
  #of;

  constructor(owner, pointer, release, of = null) {
    this.#pointer = pointer;
    this.#release = release;
    this.#of = of;
    forgotten.register(owner, release, this);
  }

  get pointer() {
    good(this.#of?.pointer);
    return good(this.#pointer);
  }

  release() {
    if (this.#pointer === 0) return;
    this.#pointer = 0;
    forgotten.unregister(this);
    this.#release();
  }
}
