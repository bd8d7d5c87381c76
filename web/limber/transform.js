// transform.js - rigid transforms: twelve numbers, the columns x, y, z and the origin p.

import { LimberError } from './error.js';
import { vectorOf } from './names.js';

/** A target, once it has as many numbers as a transform. */
export function expectTransform(target) {
  if (target.length !== 12)
    throw new LimberError(
      `a target is a transform of 12 numbers, not ${target.length}; see transforms.from`,
    );
  return target;
}

/** The identity; a copy each time, since it may be written to. */
export function identity() {
  return new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
}

/** The transforms' functions over one module, so that they have its bits. */
export class Transforms {
  #heap;

  constructor(heap) {
    this.#heap = heap;
  }

  /**
   * From a placement {xyz, rpy | quaternion | matrix}, metres and radians; anything
   * left out is zero. Twelve numbers are taken as they are.
   */
  from(placement = {}) {
    if (placement.length === 12) return Float64Array.from(placement);
    const { xyz = [0, 0, 0], rpy, quaternion, matrix } = placement;
    vectorOf('xyz', xyz);
    if (matrix) {
      const [a, b, c] = Array.from(vectorOf('matrix', matrix), (row) => vectorOf('matrix', row));
      return new Float64Array([a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2], ...xyz]);
    }
    if (quaternion)
      return this.#apply('transform_quaternion', vectorOf('quaternion', quaternion, 4), xyz);
    return this.#apply('transform_rpy', vectorOf('rpy', rpy ?? [0, 0, 0]), xyz);
  }

  /** T_a_c from T_a_b and T_b_c. */
  multiply(a, b) {
    return this.#apply('transform_multiply', expectTransform(a), expectTransform(b));
  }

  inverse(a) {
    return this.#apply('transform_inverse', expectTransform(a), []);
  }

  /** From a (t = 0) to b (t = 1): the straight line, and the shorter great arc. */
  interpolate(a, b, t) {
    const { numbers, at } = this.#load(expectTransform(a), expectTransform(b));
    this.#heap.call.transform_interpolate(at(0), at(16), t, at(32));
    return numbers.slice(32, 44);
  }

  /** The rotation part as w x y z. */
  quaternion(a) {
    return this.#apply('transform_to_quaternion', expectTransform(a), []).slice(0, 4);
  }

  /** The rotation part as roll, pitch, yaw. */
  rpy(a) {
    return this.#apply('transform_to_rpy', expectTransform(a), []).slice(0, 3);
  }

  #load(a, b) {
    const { scratch } = this.#heap;
    scratch.numbers.set(a, 0);
    scratch.numbers.set(b, 16);
    return { numbers: scratch.numbers, at: (index) => scratch.at(index) };
  }

  // calls name(a, b, out) or name(a, out)
  #apply(name, a, b) {
    for (const list of [a, b])
      for (let i = 0; i < list.length; i++)
        if (!Number.isFinite(list[i]))
          throw new LimberError(`a transform has the number ${list[i]} in it`, 'bad-value');
    const { numbers, at } = this.#load(a, b);
    if (b.length > 0) this.#heap.call[name](at(0), at(16), at(32));
    else this.#heap.call[name](at(0), at(32));
    return numbers.slice(32, 44);
  }
}
