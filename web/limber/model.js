// model.js - the immutable tree of links and joints, and its configurations.

import { Body } from './body.js';
import { clipOf } from './clip.js';
import { FkBatch } from './fk_batch.js';
import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { geometry, joint, jointKindTexts, link } from './layouts.js';
import { pick } from './names.js';
import { readField, readRecord } from './record.js';
import { Solutions } from './solutions.js';
import { Solver } from './solver.js';
import { State } from './state.js';

/** Of a record its rows of numbers as typed arrays, as all of a model's are. */
function typed(record) {
  const entries = Object.entries(record);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? Float64Array.from(value) : value]),
  );
}

/** A visual as its shape has it. */
function visualOf({ shape, origin, size, color }, mesh) {
  const placement = Float64Array.from(origin);
  const given = { shape, placement, color: color[3] > 0 ? color : null };
  if (shape === 'box') return { ...given, size };
  if (shape === 'mesh') return { ...given, mesh, scale: size };
  if (shape === 'sphere') return { ...given, radius: size[0] };
  return { ...given, radius: size[0], length: size[2] };
}

export class Model {
  #heap;
  #handle;
  #work; // three configurations

  /** One that is a part of something, its `owner`, goes with that; one of a `base` keeps that. */
  constructor(heap, pointer, limber, owner = null, base = null) {
    this.#heap = heap;
    this.owner = owner;
    this.file = owner ?? base?.file ?? null;
    const release = () => {
      if (!owner) heap.call.lb_model_release(pointer);
      base = null;
    };
    this.#handle = new Handle(this, pointer, release, owner);
    this.limber = limber;
    this.name = heap.string(heap.call.lb_model_name(pointer));
    heap.call.lb_model_root(heap.scratch.pointer, pointer);
    this.root = heap.scratch.numbers.slice(0, 12);
    this.#readShape();
    const work = new Block(heap, 3 * Math.max(this.nq, this.nv, 1));
    this.#work = work;
    new Handle(this, work.pointer, () => work.release());
  }

  get pointer() {
    return this.#handle.pointer;
  }

  get heap() {
    return this.#heap;
  }

  #readShape() {
    const { call } = this.#heap;
    this.nq = call.lb_model_nq(this.pointer);
    this.nv = call.lb_model_nv(this.pointer);
    this.loopCount = call.lb_model_loop_count(this.pointer);
    const links = call.lb_model_link_count(this.pointer);
    const joints = call.lb_model_joint_count(this.pointer);
    this.links = Array.from({ length: links }, (_, i) => this.#readLink(i));
    this.joints = Array.from({ length: joints }, (_, j) => this.#readJoint(j));
  }

  // a text of a record, null: none
  #text(layout, at, name) {
    const pointer = readField(this.#heap, layout, at, name);
    return pointer === 0 ? null : this.#heap.string(pointer);
  }

  #readLink(i) {
    const heap = this.#heap;
    const at = heap.call.lb_model_link(this.pointer, i);
    const { visualCount, ...rest } = typed(readRecord(heap, link, at));
    const first = readField(heap, link, at, 'visuals');
    return {
      index: i,
      name: this.#text(link, at, 'name'),
      bone: this.#text(link, at, 'bone'),
      parent: heap.call.lb_model_parent(this.pointer, i),
      ...rest,
      visuals: Array.from({ length: visualCount }, (_, k) =>
        this.#readVisual(first + geometry.size * k),
      ),
    };
  }

  #readVisual(at) {
    return visualOf(readRecord(this.#heap, geometry, at), this.#text(geometry, at, 'mesh'));
  }

  // the link that joint j moves is link j + 1
  #readJoint(j) {
    const heap = this.#heap;
    const { call, scratch } = heap;
    const at = call.lb_model_joint(this.pointer, j);
    const { value, ...rest } = typed(readRecord(heap, joint, at));
    const nq = call.lb_joint_kind_nq(jointKindTexts.indexOf(rest.kind));
    return {
      index: j,
      name: this.#text(joint, at, 'name'),
      ...rest,
      parent: this.links[j + 1].parent,
      child: j + 1,
      value: value.slice(0, nq),
      mimic: call.lb_model_joint_mimic(this.pointer, j, scratch.at(0), scratch.at(1)),
      q: call.lb_model_joint_q(this.pointer, j),
      v: call.lb_model_joint_v(this.pointer, j),
      nq,
    };
  }

  /** The index of a link by name; the world is -1. */
  findLink(name) {
    return this.#find(this.links, name, 'link');
  }

  findJoint(name) {
    return this.#find(this.joints, name, 'joint');
  }

  #find(things, name, what) {
    const index = things.findIndex((thing) => thing.name === name);
    if (index >= 0) return index;
    const meant = this.#heap.suggestion(
      name,
      things.map((thing) => thing.name),
    );
    throw new LimberError(`model '${this.name}' has no ${what} '${name}'${meant}`, 'not-found');
  }

  /** The links without children. */
  get tips() {
    const parents = new Set(this.links.map((link) => link.parent));
    return this.links.filter((link) => !parents.has(link.index)).map((link) => link.index);
  }

  /** Links that targets are most likely meant for: tools, or hands and feet; the first is the default. */
  get defaultTips() {
    const { call, memory, scratch } = this.#heap;
    const status = call.lb_model_default_tips(this.pointer, 0, scratch.pointer, scratch.at(8));
    if (status !== 0) throw new LimberError('out of memory', 'out-of-memory');
    const count = this.#heap.pointerAt(scratch.at(8));
    return [...new Int32Array(memory.buffer, scratch.pointer, count)];
  }

  /** The same model with a root that is 'fixed', 'planar' or 'floating'. */
  withRoot(kind) {
    const index = pick(this.#heap, 'kind of root', kind, jointKindTexts);
    const pointer = this.#heap.made((place, error) =>
      this.#heap.call.lb_model_with_root(this.pointer, index, 0, place, error),
    );
    return new Model(this.#heap, pointer, this.limber);
  }

  /** The model as the text of limber JSON, which reads back as an equal model. */
  toJson() {
    const pointer = this.#heap.made((place, error) =>
      this.#heap.call.lb_json_write(this.pointer, 0, place, error),
    );
    const text = this.#heap.string(pointer);
    this.#heap.call.memory_give(pointer);
    return text;
  }

  // ---- configurations ----

  // gives `use` the work space with the inputs in its places 0 and 1; the result is place 2
  #compute(count, inputs, use) {
    const n = this.#work.count / 3;
    inputs.forEach((input, i) => {
      if (input.length > n)
        throw new LimberError(`${input.length} numbers given where ${n} belong`);
      this.#work.numbers.set(input, i * n);
    });
    use(this.#work.at(0), this.#work.at(n), this.#work.at(2 * n));
    return this.#work.numbers.slice(2 * n, 2 * n + count);
  }

  /** Throws unless q has nq numbers. */
  expect(q) {
    if (q.length !== this.nq)
      throw new LimberError(
        `model '${this.name}' has configurations of ${this.nq} numbers, not ${q.length}`,
      );
    return q;
  }

  neutral() {
    return this.#compute(this.nq, [], (a, b, out) =>
      this.#heap.call.lb_configuration_neutral(this.pointer, out),
    );
  }

  random(random) {
    if (random.heap !== this.#heap)
      throw new LimberError('the random numbers are of another instance of the module');
    return this.#compute(this.nq, [], (a, b, out) =>
      this.#heap.call.lb_configuration_random(this.pointer, random.pointer, out),
    );
  }

  clamp(q) {
    return this.#compute(this.nq, [this.expect(q)], (a, b, out) =>
      this.#heap.call.lb_configuration_clamp(this.pointer, a, out),
    );
  }

  interpolate(from, to, t) {
    return this.#compute(this.nq, [this.expect(from), this.expect(to)], (a, b, out) =>
      this.#heap.call.lb_configuration_interpolate(this.pointer, a, b, t, out),
    );
  }

  difference(from, to) {
    return this.#compute(this.nv, [this.expect(from), this.expect(to)], (a, b, out) =>
      this.#heap.call.lb_configuration_difference(this.pointer, a, b, out),
    );
  }

  integrate(q, v) {
    return this.#compute(this.nq, [this.expect(q), v], (a, b, out) =>
      this.#heap.call.lb_configuration_integrate(this.pointer, a, b, out),
    );
  }

  /** Throws unless every number is finite and within its limits. */
  validate(q, tolerance = 1e-9) {
    this.#compute(0, [this.expect(q)], (a) => {
      if (
        this.#heap.call.lb_configuration_validate(this.pointer, a, tolerance, this.#heap.error) !==
        0
      )
        throw lastError(this.#heap);
    });
  }

  // ---- what works on it ----

  state(q) {
    const state = new State(this);
    if (q) state.update(q);
    return state;
  }

  solver(tasks, options) {
    return new Solver(this, [tasks].flat(), options);
  }

  solutions(task, options) {
    return new Solutions(this, task, options);
  }

  body(tasks, options) {
    return new Body(this, [tasks].flat(), options);
  }

  fkBatch(options) {
    return new FkBatch(this, options);
  }

  clip(keys, options) {
    return clipOf(this, keys, options);
  }

  release() {
    this.#handle.release();
  }
}
