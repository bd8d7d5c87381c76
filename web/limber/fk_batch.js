// fk_batch.js - forward kinematics of many configurations at once, and their matrices for renderers.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { vectorOf } from './names.js';

export class FkBatch {
  #heap;
  #handle;
  #tip;
  #latest = { block: null }; // what the latest call worked on

  /** @param {import('./model.js').Model} model */
  constructor(model, { tip = null, point = [0, 0, 0], width = 0 } = {}) {
    const heap = model.heap;
    const link = tip === null ? -1 : typeof tip === 'number' ? tip : model.findLink(tip);
    const pointer = heap.withNumbers(vectorOf('point', point), (p) =>
      heap.call.fk_batch_create(model.pointer, link, p, width),
    );
    if (pointer === 0) throw lastError(heap);
    this.model = model;
    this.#heap = heap;
    this.#tip = link;
    const latest = this.#latest;
    const release = () => {
      heap.call.fk_batch_release(pointer);
      latest.block?.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
  }

  #count(configurations) {
    const { name, nq } = this.model;
    const n = configurations.length / nq;
    if (!Number.isInteger(n))
      throw new LimberError(
        `model '${name}' has configurations of ${nq} numbers, which ${configurations.length} are not rows of`,
      );
    return n;
  }

  #room(count) {
    const latest = this.#latest;
    if (latest.block?.count !== count) {
      latest.block?.release();
      latest.block = null;
      latest.block = new Block(this.#heap, count);
    }
    return latest.block;
  }

  /**
   * Rows of T_world_link of all links, and of the tip's Jacobian where one is wanted:
   * views that the next call changes.
   */
  forward(configurations) {
    const { pointer } = this.#handle;
    const n = this.#count(configurations);
    const { nv, links } = this.model;
    const transforms = configurations.length;
    const jacobians = transforms + 12 * links.length * n;
    const end = jacobians + (this.#tip < 0 ? 0 : 6 * nv * n);
    const block = this.#room(end);
    block.numbers.set(configurations);
    this.#heap.call.fk_batch_forward(
      pointer,
      n,
      block.pointer,
      block.at(transforms),
      this.#tip < 0 ? 0 : block.at(jacobians),
    );
    return {
      transforms: block.numbers.subarray(transforms, jacobians),
      jacobians: block.numbers.subarray(jacobians, end),
    };
  }

  /**
   * Rows of a matrix for each link, sixteen numbers of single precision each, column
   * after column; configuration i is placed at places[3 i]. A view that the next call changes.
   */
  matrices(configurations, places = null) {
    const { pointer } = this.#handle;
    const n = this.#count(configurations);
    const row = 16 * this.model.links.length;
    const length = configurations.length;
    const block = this.#room(Math.ceil((length + n * row) / 2));
    const floats = new Float32Array(this.#heap.memory.buffer, block.pointer, length + n * row);
    floats.set(configurations);
    this.#heap.call.fk_batch_matrices(pointer, n, block.pointer, block.pointer + 4 * length);
    const matrices = floats.subarray(length);
    if (places) place(matrices, row, places);
    return matrices;
  }

  release() {
    this.#handle.release();
  }
}

function place(matrices, row, places) {
  for (let i = 0; i < matrices.length / row; i++)
    for (let at = i * row + 12; at < (i + 1) * row; at += 16)
      for (let k = 0; k < 3; k++) matrices[at + k] += places[3 * i + k];
}
