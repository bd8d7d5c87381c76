// model.js - the immutable tree of links and joints, and its configurations.

import { Body } from './body.js';
import { clipOf } from './clip.js';
import { Elbow } from './elbow.js';
import { FkBatch } from './fk_batch.js';
import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { pick } from './names.js';
import { Solutions } from './solutions.js';
import { Solver } from './solver.js';
import { State } from './state.js';
import { Workspace } from './workspace.js';

// as in bindings/flat/binding.h
const jointNumbers = 38;
const linkNumbers = 23;
const visualNumbers = 20;

/** In the order of lb_shape. */
const shapes = ['box', 'cylinder', 'capsule', 'sphere', 'mesh'];

/** The kinds of joints: name, and how many values each has in q. */
function readKinds(heap) {
  const kinds = [];
  for (let i = 0, text; (text = heap.call.kind_text(i)) !== 0; i++)
    kinds.push({ name: heap.string(text), nq: heap.call.kind_nq(i) });
  return kinds;
}

/** A visual as its shape has it. */
function visualOf(numbers, mesh) {
  const shape = shapes[numbers[0]];
  const size = [...numbers.slice(13, 16)];
  const color = [...numbers.slice(16, 20)];
  const given = { shape, placement: numbers.slice(1, 13), color: color[3] > 0 ? color : null };
  if (shape === 'box') return { ...given, size };
  if (shape === 'mesh') return { ...given, mesh, scale: size };
  if (shape === 'sphere') return { ...given, radius: size[0] };
  return { ...given, radius: size[0], length: size[2] };
}

export class Model {
  #heap;
  #handle;
  #kinds;
  #work; // three configurations

  /** One that is a part of something, its `owner`, goes with that; one of a `base` keeps that. */
  constructor(heap, pointer, limber, owner = null, base = null) {
    this.#heap = heap;
    this.owner = owner;
    this.file = owner ?? base?.file ?? null;
    const release = () => {
      if (!owner) heap.call.model_release(pointer);
      base = null;
    };
    this.#handle = new Handle(this, pointer, release, owner);
    this.limber = limber;
    this.name = heap.string(heap.call.model_name(pointer));
    heap.call.model_root(pointer, heap.scratch.pointer);
    this.root = heap.scratch.numbers.slice(0, 12);
    this.#kinds = readKinds(heap);
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
    const { call, memory, scratch } = this.#heap;
    call.model_counts(this.pointer, scratch.pointer);
    const [linkCount, jointCount, nq, nv] = new Int32Array(memory.buffer, scratch.pointer, 4);
    this.nq = nq;
    this.nv = nv;
    this.links = Array.from({ length: linkCount }, (_, i) => this.#readLink(i));
    this.joints = Array.from({ length: jointCount }, (_, j) => this.#readJoint(j));
  }

  #readLink(i) {
    const { call, scratch } = this.#heap;
    call.model_link(this.pointer, i, scratch.pointer);
    const n = scratch.numbers.slice(0, linkNumbers);
    return {
      index: i,
      name: this.#heap.string(call.model_link_name(this.pointer, i)),
      parent: call.model_parent(this.pointer, i),
      dataOffset: n.slice(0, 12),
      mass: n[12],
      center: n.slice(13, 16),
      inertia: n.slice(16, 22),
      visuals: Array.from({ length: n[22] }, (_, k) => this.#readVisual(i, k)),
    };
  }

  #readVisual(link, index) {
    const { call, scratch } = this.#heap;
    call.model_visual(this.pointer, link, index, scratch.pointer);
    const mesh = call.model_visual_mesh(this.pointer, link, index);
    return visualOf(
      scratch.numbers.slice(0, visualNumbers),
      mesh === 0 ? null : this.#heap.string(mesh),
    );
  }

  // the link that joint j moves is link j + 1
  #readJoint(j) {
    const { call, scratch } = this.#heap;
    call.model_joint(this.pointer, j, scratch.pointer);
    const n = scratch.numbers.slice(0, jointNumbers);
    const kind = this.#kinds[n[0]];
    return {
      index: j,
      name: this.#heap.string(call.model_joint_name(this.pointer, j)),
      kind: kind.name,
      parent: this.links[j + 1].parent,
      child: j + 1,
      placement: n.slice(1, 13),
      axis: n.slice(13, 16),
      axis2: n.slice(16, 19),
      lower: n.slice(19, 22),
      upper: n.slice(22, 25),
      value: n.slice(25, 25 + kind.nq),
      weight: n[32],
      locked: n[33] !== 0,
      mimic: call.model_joint_mimic(this.pointer, j),
      multiplier: n[34],
      offset: n[35],
      velocity: n[36],
      effort: n[37],
      q: call.model_joint_q(this.pointer, j),
      v: call.model_joint_v(this.pointer, j),
      nq: kind.nq,
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
    const count = call.model_default_tips(this.pointer, scratch.pointer);
    if (count === 0) throw lastError(this.#heap);
    return [...new Int32Array(memory.buffer, scratch.pointer, count)];
  }

  /** The same model with a root that is 'fixed', 'planar' or 'floating'. */
  withRoot(kind) {
    const kinds = this.#kinds.map(({ name }) => name);
    const index = pick(this.#heap, 'kind of root', kind, kinds);
    const pointer = this.#heap.call.model_with_root(this.pointer, index);
    if (pointer === 0) throw lastError(this.#heap);
    return new Model(this.#heap, pointer, this.limber);
  }

  /** The model as the text of limber JSON, which reads back as an equal model. */
  toJson() {
    const pointer = this.#heap.call.model_json(this.pointer);
    if (pointer === 0) throw lastError(this.#heap);
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
      this.#heap.call.configuration_neutral(this.pointer, out),
    );
  }

  random(random) {
    if (random.heap !== this.#heap)
      throw new LimberError('the random numbers are of another instance of the module');
    return this.#compute(this.nq, [], (a, b, out) =>
      this.#heap.call.configuration_random(this.pointer, random.pointer, out),
    );
  }

  clamp(q) {
    return this.#compute(this.nq, [this.expect(q)], (a, b, out) =>
      this.#heap.call.configuration_clamp(this.pointer, a, out),
    );
  }

  interpolate(from, to, t) {
    return this.#compute(this.nq, [this.expect(from), this.expect(to)], (a, b, out) =>
      this.#heap.call.configuration_interpolate(this.pointer, a, b, t, out),
    );
  }

  difference(from, to) {
    return this.#compute(this.nv, [this.expect(from), this.expect(to)], (a, b, out) =>
      this.#heap.call.configuration_difference(this.pointer, a, b, out),
    );
  }

  integrate(q, v) {
    return this.#compute(this.nq, [this.expect(q), v], (a, b, out) =>
      this.#heap.call.configuration_integrate(this.pointer, a, b, out),
    );
  }

  /** Throws unless every number is finite and within its limits. */
  validate(q, tolerance = 1e-9) {
    this.#compute(0, [this.expect(q)], (a) => {
      if (this.#heap.call.configuration_validate(this.pointer, a, tolerance) !== 0)
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

  elbow(task) {
    return new Elbow(this, task);
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

  workspace(tip, options) {
    return new Workspace(this, tip, options);
  }

  release() {
    this.#handle.release();
  }
}
