// workspace.js - where a tool can be.

import { lastError } from './error.js';
import { Block, Handle } from './heap.js';

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
    const release = () => heap.call.workspace_release(pointer);
    this.#handle = new Handle(this, pointer, release, model);
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
