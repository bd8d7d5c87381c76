// state.js - where everything is for one configuration: frames and Jacobians.

import { LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import { axesTexts, singularity } from './layouts.js';
import { pick, vectorOf } from './names.js';
import { readRecord, withRecord } from './record.js';

export class State {
  #heap;
  #handle;
  #q;
  #transforms = new Float64Array();
  #transformsAt;

  /** @param {import('./model.js').Model} model */
  constructor(model) {
    const heap = model.heap;
    const pointer = heap.made(
      (place) => heap.call.lb_state_create(model.pointer, 0, place),
      'state',
    );
    const q = new Block(heap, model.nq + 6 * model.nv);
    this.model = model;
    this.#heap = heap;
    this.#q = q;
    const release = () => {
      heap.call.lb_state_release(pointer);
      q.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.#transformsAt = heap.call.lb_state_transforms(pointer);
    this.q = model.neutral();
  }

  /** Forward kinematics for q. */
  update(q) {
    this.q = Float64Array.from(this.model.expect(q));
    this.#q.numbers.set(this.q);
    this.#heap.call.lb_state_update(this.#handle.pointer, this.#q.pointer);
    return this;
  }

  /** T_world_link of all links, twelve numbers each: a view that the next update changes. */
  get transforms() {
    const { buffer } = this.#heap.memory;
    if (this.#handle.pointer !== 0 && this.#transforms.buffer !== buffer)
      this.#transforms = new Float64Array(buffer, this.#transformsAt, 12 * this.model.links.length);
    return this.#transforms;
  }

  #link(link) {
    const index = typeof link === 'number' ? link : this.model.findLink(link);
    if (!Number.isInteger(index) || index < 0 || index >= this.model.links.length)
      throw new LimberError(`model '${this.model.name}' has no link ${link}`, 'not-found');
    return index;
  }

  /** T_base_link, a copy. */
  transform(link, base = 'world') {
    const index = this.#link(link);
    if (base === 'world') return this.transforms.slice(12 * index, 12 * index + 12);
    const { scratch, call } = this.#heap;
    call.lb_state_transform(scratch.pointer, this.#handle.pointer, this.#link(base), index);
    return scratch.numbers.slice(0, 12);
  }

  /** 6 x nv, row major: linear, then angular; of a point in the link's frame, along the world's axes. */
  jacobian(link, point = [0, 0, 0], axes = 'world') {
    const index = this.#link(link);
    this.#heap.scratch.numbers.set(vectorOf('point', point));
    const { nq, nv } = this.model;
    const which = pick(this.#heap, 'kind of axes', axes, axesTexts);
    this.#heap.call.lb_state_jacobian(
      ...[this.#handle.pointer, index, this.#heap.scratch.pointer, which, this.#q.at(nq)],
    );
    return this.#q.numbers.slice(nq, nq + 6 * nv);
  }

  /** The centre of mass in world axes, and the mass; no links with mass: 0. */
  centerOfMass() {
    const { scratch, call } = this.#heap;
    const mass = call.lb_state_center_of_mass(this.#handle.pointer, scratch.pointer, 0);
    return { mass, center: scratch.numbers.slice(0, 3) };
  }

  /**
   * What the Jacobian of a link's point says: rank, condition, manipulability, singular
   * values and the weakest direction. `length`: metres per radian, 0: places alone.
   */
  singularity(link, { point = [0, 0, 0], length = 0, tolerance = 1e-9 } = {}) {
    const index = this.#link(link);
    const heap = this.#heap;
    return heap.withNumbers(vectorOf('point', point), (at) =>
      withRecord(heap, singularity, (out) => {
        const given = [this.#handle.pointer, index, at, length, tolerance, out];
        if (heap.call.lb_state_singularity(...given) !== 0)
          throw new LimberError('length and tolerance must be finite and not below 0');
        const { values, weakest, ...rest } = readRecord(heap, singularity, out);
        return { ...rest, values: Float64Array.from(values), weakest: Float64Array.from(weakest) };
      }),
    );
  }

  /**
   * The velocity ellipsoid of a link's point: its centre and three semi-axes, longest first, m/s
   * while the squares of the joints' velocities sum to 1. `damping`: what damped least squares
   * leaves of it.
   */
  velocityEllipsoid(link, { point = [0, 0, 0], damping = 0 } = {}) {
    const index = this.#link(link);
    const heap = this.#heap;
    return heap.withNumbers(vectorOf('point', point), (at) => {
      const { scratch, call } = heap;
      const given = [this.#handle.pointer, index, at, damping, scratch.pointer];
      if (call.lb_state_velocity_ellipsoid(...given) !== 0)
        throw new LimberError('damping must be finite and not below 0, and the pose finite');
      const [center, ...axes] = [0, 3, 6, 9].map((i) => scratch.numbers.slice(i, i + 3));
      return { center, axes };
    });
  }

  release() {
    this.#handle.release();
  }
}
