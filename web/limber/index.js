// limber - forward and inverse kinematics of linkages, by the C library's own code.
//
//   import { load } from 'limber';
//   const limber = await load();
//   const model = limber.model(json);
//   const solver = model.solver({ tip: 'hand', kind: 'pose' });
//   const { q, outcome } = solver.solve(limber.transforms.from({ xyz: [0.4, 0, 0.5] }));
//
// index.d.ts, ik.d.ts and clips.d.ts describe each call; README.md shows the package.

import { Document } from './document.js';
import { hasClips } from './clip.js';
import { Heap } from './heap.js';
import { readJson, readObject } from './json.js';
import { Model } from './model.js';
import { Random } from './random.js';
import { readMethods } from './solver.js';
import { Transforms } from './transform.js';
import { instantiate } from './wasm.js';
import { readXml } from './xml.js';

export { LimberError } from './error.js';
export { compile, hasSimd } from './wasm.js';

/** One instance of the module, and all that is made with it. */
class Limber {
  #heap;

  constructor(heap, simd, Clips) {
    this.#heap = heap;
    this.simd = simd;
    this.transforms = new Transforms(heap);
    this.methods = readMethods(heap);
    this.clips = Clips ? new Clips(heap, this) : null;
    const version = heap.call.version();
    this.version = [
      Math.floor(version / 10000),
      Math.floor(version / 100) % 100,
      version % 100,
    ].join('.');
  }

  /**
   * A model from URDF, MJCF or limber JSON: its text, or what JSON.parse made of it. `name` names
   * the file in messages; `files` are texts that an MJCF may include, by their paths as seen from it;
   * `warn` gets {line, message} of what looks like a mistake, and with `strict` that is refused.
   */
  model(file, { name = '', strict = false, warn, files } = {}) {
    const document = new Document(name);
    if (typeof file !== 'string') readObject(file, document);
    else if (/^[\ufeff\s]*</.test(file)) readXml(file, document, files);
    else readJson(file, document);
    return new Model(this.#heap, document.build(this.#heap, { strict, warn }), this);
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
  const heap = new Heap(instance);
  // the reading and writing of motions comes with the module that has it
  const { Clips } = hasClips(heap) ? await import('./clips.js') : {};
  return new Limber(heap, simd, Clips);
}
