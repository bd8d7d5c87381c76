// instances.js - many of one model at once: where all their links are, as renderers want it.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';

export class Instances {
  #heap;
  #handle;
  #block; // configurations, places, matrices of single precision
  #offsets;
  #matrices = new Float32Array();

  /** @param {import('./model.js').Model} model */
  constructor(model, count) {
    if (!Number.isInteger(count) || count < 1)
      throw new LimberError(`a whole number of instances is wanted, not ${count}`);
    const heap = model.heap;
    const pointer = heap.call.state_create(model.pointer);
    if (pointer === 0) throw lastError(heap);
    const places = count * model.nq;
    const matrices = places + 3 * count;
    const block = new Block(heap, matrices + 8 * count * model.links.length);
    this.model = model;
    this.count = count;
    this.#heap = heap;
    this.#block = block;
    this.#offsets = { places, matrices };
    this.#handle = new Handle(this, pointer, () => {
      heap.call.state_release(pointer);
      block.release();
    });
    this.place(new Float64Array(3 * count));
  }

  /** Where each of them stands: three numbers each. */
  place(places) {
    if (places.length !== 3 * this.count)
      throw new LimberError(`${3 * this.count} numbers of places are wanted, not ${places.length}`);
    this.#block.numbers.set(places, this.#offsets.places);
    return this;
  }

  /** Forward kinematics of all: nq numbers for each. */
  update(configurations) {
    const wanted = this.count * this.model.nq;
    if (configurations.length !== wanted)
      throw new LimberError(
        `${wanted} numbers of configurations are wanted, not ${configurations.length}`,
      );
    this.#block.numbers.set(configurations);
    this.#heap.call.state_matrices(
      this.#handle.pointer,
      this.count,
      this.#block.pointer,
      this.#block.at(this.#offsets.places),
      this.#block.at(this.#offsets.matrices),
    );
    return this;
  }

  /** The matrices of one link, sixteen numbers each, column after column: a view. */
  matrices(link) {
    const { buffer } = this.#heap.memory;
    const index = typeof link === 'number' ? link : this.model.findLink(link);
    const length = 16 * this.count;
    if (this.#matrices.buffer !== buffer)
      this.#matrices = new Float32Array(
        buffer,
        this.#block.at(this.#offsets.matrices),
        length * this.model.links.length,
      );
    return this.#matrices.subarray(index * length, (index + 1) * length);
  }

  release() {
    this.#handle.release();
  }
}
