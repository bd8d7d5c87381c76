// limber - forward and inverse kinematics of linkages, by the C library's own code.
//
//   import { load } from 'limber';
//   const limber = await load();
//   const model = limber.model(json);
//   const solver = model.solver({ tip: 'hand', kind: 'pose' });
//   const { q, outcome } = solver.solve(limber.transforms.from({ xyz: [0.4, 0, 0.5] }));
//
// index.d.ts says all there is; README.md shows it.

import { Heap } from './heap.js';
import { readModel } from './json.js';
import { Model } from './model.js';
import { Random } from './random.js';
import { readMethods } from './solver.js';
import { Transforms } from './transform.js';
import { instantiate } from './wasm.js';

export { LimberError } from './error.js';
export { readUrdf } from './urdf.js';
export { hasSimd } from './wasm.js';

/** One instance of the module, and all that is made with it. */
class Limber {
  #heap;

  constructor(heap, simd) {
    this.#heap = heap;
    this.simd = simd;
    this.transforms = new Transforms(heap);
    this.methods = readMethods(heap);
    const version = heap.call.version();
    this.version = [
      Math.floor(version / 10000),
      Math.floor(version / 100) % 100,
      version % 100,
    ].join('.');
  }

  /** A model from limber JSON: text, or what JSON.parse made of it. */
  model(json) {
    return new Model(this.#heap, readModel(this.#heap, this.transforms, json), this);
  }

  /** A model from a source with angles in radians and placements as transforms. */
  modelFromSource(source) {
    return new Model(this.#heap, source, this);
  }

  /** A model from a Denavit-Hartenberg table. */
  modelFromDh(rows, { convention = 'standard', name = '' } = {}) {
    return this.model({ name: name || 'arm', dh: { convention, rows } });
  }

  random(seed = 0) {
    return new Random(this.#heap, seed);
  }
}

/** Starts a module; `simd` and `module` are chosen when left out. */
export async function load(options) {
  const { instance, simd } = await instantiate(options);
  return new Limber(new Heap(instance), simd);
}
