// model.js - the immutable tree of links and joints, and its configurations.

import { FkBatch } from './fk_batch.js';
import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { kindIndex, kinds } from './kinds.js';
import { Clip, Workspace } from './motion.js';
import { Solver } from './solver.js';
import { State } from './state.js';
import { nearest } from './suggest.js';

// as in bindings/flat/binding.h
const jointNumbers = 38;

/** The numbers of a joint and a link in the order of bindings/flat/binding.h. */
function numbersOfJoint(joint) {
  const { multiplier, offset } = joint.mimic ?? { multiplier: 1, offset: 0 };
  const kind = kindIndex(joint.kind);
  if (kind < 0)
    throw new LimberError(`joint '${joint.name}': no joint kind '${joint.kind}'`, 'bad-model');
  return [
    kind,
    ...joint.placement,
    ...joint.axis,
    ...joint.axis2,
    ...joint.lower,
    ...joint.upper,
    ...joint.value,
    joint.weight,
    joint.locked ? 1 : 0,
    multiplier,
    offset,
    joint.velocity,
    joint.effort,
  ];
}

function numbersOfLink(link) {
  return [...link.dataOffset, link.mass, ...link.center, ...link.inertia];
}

function build(heap, source) {
  const strings = [
    source.name,
    ...source.links.map((link) => link.name),
    ...source.joints.flatMap((j) => [j.name, j.parent, j.child, j.mimic?.joint ?? '']),
  ];
  const zero = strings.find((text) => text.includes('\0'));
  if (zero !== undefined)
    throw new LimberError(`the name ${JSON.stringify(zero)} has a zero in it`, 'bad-model');
  const pointer = heap.withStrings(strings, (names) =>
    heap.withNumbers(source.root, (root) =>
      heap.withNumbers(source.links.flatMap(numbersOfLink), (links) =>
        heap.withNumbers(source.joints.flatMap(numbersOfJoint), (joints) =>
          heap.call.model_build(
            names,
            root,
            links,
            source.links.length,
            joints,
            source.joints.length,
          ),
        ),
      ),
    ),
  );
  if (pointer === 0) throw lastError(heap);
  return pointer;
}

export class Model {
  #heap;
  #handle;
  #work; // three configurations

  constructor(heap, source, limber) {
    const pointer = build(heap, source);
    this.#heap = heap;
    this.#handle = new Handle(this, pointer, () => heap.call.model_release(pointer));
    this.limber = limber;
    this.source = source;
    this.name = source.name;
    this.summary = source.summary ?? '';
    this.root = Float64Array.from(source.root);
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
    const described = new Map(this.source.links.map((link) => [link.name, link]));
    this.links = Array.from({ length: linkCount }, (_, i) => {
      const name = this.#heap.string(call.model_link_name(this.pointer, i));
      const { visuals, mass, center, dataOffset } = described.get(name);
      return {
        index: i,
        name,
        parent: call.model_parent(this.pointer, i),
        visuals,
        mass,
        center,
        dataOffset,
      };
    });
    this.joints = Array.from({ length: jointCount }, (_, j) => this.#readJoint(j));
  }

  // the link that joint j moves is link j + 1
  #readJoint(j) {
    const { call, scratch } = this.#heap;
    call.model_joint(this.pointer, j, scratch.pointer);
    const n = scratch.numbers.slice(0, jointNumbers);
    const kind = kinds[n[0]];
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
    const near = nearest(
      String(name),
      things.map((thing) => thing.name),
    );
    throw new LimberError(
      `model '${this.name}' has no ${what} '${name}'${near ? `; did you mean '${near}'?` : ''}`,
      'not-found',
    );
  }

  /** The links without children. */
  get tips() {
    const parents = new Set(this.links.map((link) => link.parent));
    return this.links.filter((link) => !parents.has(link.index)).map((link) => link.index);
  }

  // ---- configurations ----

  // gives `use` the work space with the inputs in its places 0 and 1; the answer is place 2
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

  fkBatch(options) {
    return new FkBatch(this, options);
  }

  clip(keys, options) {
    return new Clip(this, keys, options);
  }

  workspace(tip, options) {
    return new Workspace(this, tip, options);
  }

  release() {
    this.#handle.release();
  }
}
