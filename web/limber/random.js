// random.js - the library's random numbers: the same for the same seed everywhere.

import { Block, Handle } from './heap.js';
import { LimberError } from './error.js';

export class Random {
  #heap;
  #handle;

  constructor(heap, seed) {
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new LimberError(`the seed ${seed} must be a whole number from 0 on`);
    const block = new Block(heap, 1);
    this.#heap = heap;
    this.#handle = new Handle(this, block.pointer, () => block.release());
    heap.call.random_seed(block.pointer, seed);
  }

  get heap() {
    return this.#heap;
  }

  get pointer() {
    return this.#handle.pointer;
  }

  /** Uniform in [lower, upper). */
  between(lower, upper) {
    return this.#heap.call.random_between(this.pointer, lower, upper);
  }

  release() {
    this.#handle.release();
  }
}
