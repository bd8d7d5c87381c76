// motion.js - clips of key poses, and where a tool can be.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';

const interpolations = ['linear', 'cubic'];

/** Key poses and what lies between them. */
export class Clip {
  #heap;
  #handle;
  #q;

  constructor(model, keys, { interpolation = 'cubic' } = {}) {
    const kind = interpolations.indexOf(interpolation);
    if (kind < 0) throw new LimberError(`there is no interpolation '${interpolation}'`);
    if (keys.length === 0) throw new LimberError('a clip needs at least one key');
    const heap = model.heap;
    const times = keys.map(({ time }) => time);
    const rows = keys.flatMap(({ q }) => [...model.expect(q)]);
    const pointer = heap.withNumbers(times, (t) =>
      heap.withNumbers(rows, (r) => heap.call.clip_create(model.pointer, t, r, keys.length, kind)),
    );
    if (pointer === 0) throw lastError(heap);
    const q = new Block(heap, Math.max(1, model.nq));
    this.model = model;
    this.begin = times[0];
    this.end = times.at(-1);
    this.#heap = heap;
    this.#q = q;
    this.#handle = new Handle(this, pointer, () => {
      heap.call.clip_release(pointer);
      q.release();
    });
  }

  /** The pose at a time; held before the first key and after the last. */
  at(time) {
    this.#heap.call.clip_at(this.#handle.pointer, time, this.#q.pointer);
    return this.#q.numbers.slice(0, this.model.nq);
  }

  release() {
    this.#handle.release();
  }
}

/** The cells that a tool reaches, found by trying configurations. */
export class Workspace {
  #heap;
  #handle;
  #reached = 0;

  constructor(model, tip, { tool = {}, cells = 0 } = {}) {
    const heap = model.heap;
    const link = typeof tip === 'number' ? tip : model.findLink(tip);
    const pointer = heap.withNumbers(model.limber.transforms.from(tool), (t) =>
      heap.call.workspace_create(model.pointer, link, t, cells),
    );
    if (pointer === 0) throw lastError(heap);
    this.#heap = heap;
    this.#handle = new Handle(this, pointer, () => heap.call.workspace_release(pointer));
    heap.call.workspace_grid(pointer, heap.scratch.pointer);
    const n = heap.scratch.numbers.slice(0, 20);
    this.frame = n.slice(0, 12);
    this.corner = n.slice(12, 15);
    this.cell = n[15];
    this.count = [n[16], n[17], n[18]];
    this.orientations = n[19];
  }

  /** Samples `count` more configurations; returns how many cells have been reached by now. */
  sample(count) {
    this.#reached = this.#heap.call.workspace_sample(this.#handle.pointer, count);
    return this.#reached;
  }

  /** The share of orientations reached at the centre of a cell, -1: the centre is not reached. */
  solve(i, j, k) {
    const inside = [i, j, k].every((x, axis) => x >= 0 && x < this.count[axis]);
    return inside ? this.#heap.call.workspace_solve(this.#handle.pointer, i, j, k) : -1;
  }

  /** Rows of x, y, z and the share of all orientations in which the tool was there. */
  cells() {
    const block = new Block(this.#heap, 4 * Math.max(1, this.#reached));
    try {
      this.#heap.call.workspace_cells(this.#handle.pointer, block.pointer, this.#reached);
      return block.numbers.slice(0, 4 * this.#reached);
    } finally {
      block.release();
    }
  }

  release() {
    this.#handle.release();
  }
}
