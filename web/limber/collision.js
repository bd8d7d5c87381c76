// collision.js - how near the links of a figure come to each other; include/limber/collision.h.

import { lastError } from './error.js';
import { gltfOf } from './gltf.js';
import { Block, Handle } from './heap.js';
import { pairStateTexts, proximity } from './layouts.js';
import { linkIndex, pick, withDefaults } from './names.js';
import { readRecords } from './record.js';

/** In the order of lb_mesh_fit. */
const fits = ['hull', 'capsule'];

const defaults = {
  distance: 0,
  samples: 1000,
  fit: 'capsule',
  skipNever: false,
  meshes: {},
  disabled: [],
};

const bytesOf = (integers) => new Uint8Array(Int32Array.from(integers).buffer);

/** What check() measures links with, and retarget() keeps them apart by. */
export class Collision {
  #heap;
  #handle;

  /** Of all pairs of links that have shapes, or look like something: visuals, meshes of a glTF. */
  constructor(model, options = {}) {
    const heap = model.heap;
    const o = withDefaults(heap, options, defaults);
    const fit = pick(heap, 'fit', o.fit, fits);
    const points = Object.values(o.meshes).map((mesh) => Array.from(mesh));
    const pairs = o.disabled.flat().map((link) => linkIndex(model, link));
    const pointer = heap.withNumbers([o.distance, o.samples, fit, o.skipNever ? 1 : 0], (numbers) =>
      heap.withStrings(Object.keys(o.meshes), (names) =>
        heap.withNumbers(points.flat(), (at) =>
          heap.withBytes(bytesOf(points.map(({ length }) => length / 3)), (counts) =>
            heap.withBytes(bytesOf(pairs), (disabled) =>
              heap.call.collision_create(
                ...[model.pointer, gltfOf(model), numbers, names, at, counts],
                ...[points.length, disabled, pairs.length / 2, heap.scratch.pointer],
              ),
            ),
          ),
        ),
      ),
    );
    if (pointer === 0) throw lastError(heap);
    const [byLooks] = new Int32Array(heap.memory.buffer, heap.scratch.pointer, 1);
    this.model = model;
    this.#heap = heap;
    this.#handle = new Handle(this, pointer, () => heap.call.collision_release(pointer), model);
    /** Shapes without their mesh. */
    this.missing = heap.call.collision_missing(pointer);
    this.pairs = this.#readPairs();
    this.checked = this.pairs.filter(({ state }) => state === 'checked').length;
    this.shapes = this.checked === 0 ? 'none' : byLooks ? 'looks' : 'collision';
  }

  get pointer() {
    return this.#handle.pointer;
  }

  #readPairs() {
    const { call, memory, scratch } = this.#heap;
    return Array.from({ length: call.collision_pairs(this.pointer) }, (_, i) => {
      const state = call.collision_pair(this.pointer, i, scratch.pointer);
      const [a, b] = new Int32Array(memory.buffer, scratch.pointer, 2);
      return { a, b, state: pairStateTexts[state] };
    });
  }

  /** Checked pairs at most `distance` apart, by their nearest shapes. */
  near(q, distance = 0) {
    const { nq } = this.model;
    const block = new Block(this.#heap, nq + (this.checked * proximity.size) / 8);
    try {
      block.numbers.set(this.model.expect(q));
      const [at, found] = [block.pointer, block.at(nq)];
      const count = this.#heap.call.lb_collision_near(
        ...[this.pointer, at, distance, this.checked, found],
      );
      return readRecords(this.#heap, proximity, found, count);
    } finally {
      block.release();
    }
  }

  release() {
    this.#handle.release();
  }
}
