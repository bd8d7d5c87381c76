// passage.ts - the figure goes to a new pose in a moment, for the eye: the state is there at once.

import type { Model } from 'limber';

/** Milliseconds: long enough to see which joints move, too short to wait for. */
const duration = 350;

export class Passage {
  #model: Model | null = null;
  #from: readonly number[] = [];
  #begin = 0;
  #share = 0;

  /** From here on the figure leaves q; at once for those who want no motion. */
  begin(model: Model, q: readonly number[]): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.#model = model;
    this.#from = [...q];
    this.#begin = this.#share = 0;
  }

  /** What is drawn of a model that is at q. */
  at(model: Model, q: readonly number[]): readonly number[] {
    if (model !== this.#model) return q;
    // at rest at both ends
    const t = this.#share * this.#share * (3 - 2 * this.#share);
    return [...model.interpolate(this.#from, q, t)];
  }

  /** Called before each picture; true: the figure has moved on. */
  frame(now: number): boolean {
    if (!this.#model) return false;
    if (this.#begin === 0) this.#begin = now;
    this.#share = (now - this.#begin) / duration;
    if (this.#share >= 1) this.#model = null;
    return true;
  }
}
