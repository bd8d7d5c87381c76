// fk_batch.js - forward kinematics of many configurations at once, and their matrices for renderers.

import { LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import { fkBatchFloats, fkBatchOptions, fkBatchRows } from './layouts.js';
import { withRecord, writeRecord } from './record.js';

export class FkBatch {
  #heap;
  #handle;
  #tip;
  #latest = { block: null }; // what the latest call worked on

  /** @param {import('./model.js').Model} model */
  constructor(model, { tip = null, point = [0, 0, 0], width = 0 } = {}) {
    const heap = model.heap;
    const link = tip === null ? -1 : typeof tip === 'number' ? tip : model.findLink(tip);
    const pointer = withRecord(heap, fkBatchOptions, (at) => {
      heap.call.lb_fk_batch_options_default(at);
      writeRecord(heap, fkBatchOptions, at, { tip: link, point, width });
      const make = (place) => heap.call.lb_fk_batch_create(model.pointer, at, 0, place);
      return heap.made(make, 'fk_batch');
    });
    this.model = model;
    this.#heap = heap;
    this.#tip = link;
    const latest = this.#latest;
    const release = () => {
      heap.call.lb_fk_batch_release(pointer);
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
    const heap = this.#heap;
    withRecord(heap, fkBatchRows, (at) => {
      const places = { q: block.pointer, transforms: block.at(transforms) };
      const tip = this.#tip < 0 ? {} : { jacobians: block.at(jacobians) };
      writeRecord(heap, fkBatchRows, at, { ...places, ...tip });
      heap.call.lb_fk_batch_forward(pointer, at, 0, n);
    });
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
    const heap = this.#heap;
    withRecord(heap, fkBatchFloats, (at) => {
      const places = { q: block.pointer, matrices: block.pointer + 4 * length };
      writeRecord(heap, fkBatchFloats, at, { ...places, matrix: '4x4' });
      heap.call.lb_fk_batch_forward_float(pointer, at, 0, n);
    });
    const from = block.pointer + 4 * length;
    const matrices = new Float32Array(heap.memory.buffer, from, n * row);
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
