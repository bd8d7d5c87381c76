// body.js - whole bodies: many tasks on one tree, with strict levels; include/limber/body.h.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { linkIndex, pick, readTexts, vectorOf, withDefaults } from './names.js';
import { expectTransform } from './transform.js';

const mostVertices = 16;
const textSize = 600;

const defaultOptions = {
  positionTolerance: 1e-6,
  rotationTolerance: 1e-6,
  iterations: 100,
  length: 0,
  posture: 1e-9,
  restarts: 32,
};

/** What a task is, in the order of bindings/flat/binding.h. */
function numbersOfTask(model, task, kinds) {
  const { kind = 'pose', link = 0, base = 'world', tool = {}, axis = [0, 0, 1] } = task;
  const { first = 0, last = 0, joint = -1, level = 0, weight = 1 } = task;
  const { box = [0, 0, 0], cone = 0, vertices = [] } = task;
  if (vertices.length > mostVertices)
    throw new LimberError(`a polygon has at most ${mostVertices} vertices, not ${vertices.length}`);
  const corners = vertices.flatMap((vertex) => [...vectorOf('vertices', vertex, 2)]);
  return [
    pick(model.heap, 'kind of task', kind, kinds),
    linkIndex(model, link),
    linkIndex(model, base),
    ...model.limber.transforms.from(tool),
    ...vectorOf('axis', axis),
    linkIndex(model, first),
    linkIndex(model, last),
    typeof joint === 'number' ? joint : model.findJoint(joint),
    level,
    weight,
    ...vectorOf('box', box),
    cone,
    vertices.length,
    ...corners,
    ...new Array(2 * (mostVertices - vertices.length)).fill(0),
  ];
}

function numbersOfOptions(heap, options) {
  const o = withDefaults(heap, options, defaultOptions);
  return [o.positionTolerance, o.rotationTolerance, o.iterations, o.length, o.posture, o.restarts];
}

export class Body {
  #heap;
  #handle;
  #block; // target, q, result, text
  #at;

  /** @param {import('./model.js').Model} model */
  constructor(model, tasks, options = {}) {
    const heap = model.heap;
    const kinds = readTexts(heap, 'body_kind_text');
    const pointer = heap.withNumbers(
      tasks.flatMap((task) => numbersOfTask(model, task, kinds)),
      (numbers) =>
        heap.withNumbers(numbersOfOptions(heap, options), (o) =>
          heap.call.body_create(model.pointer, numbers, tasks.length, o),
        ),
    );
    if (pointer === 0) throw lastError(heap);
    const result = 12 + model.nq;
    const text = result + 3 + 3 * tasks.length;
    const block = new Block(heap, text + textSize / 8);
    this.model = model;
    this.tasks = tasks;
    this.#heap = heap;
    this.#block = block;
    this.#at = { q: 12, result, text };
    const release = () => {
      heap.call.body_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = readTexts(heap, 'outcome_text');
    this.reasons = readTexts(heap, 'body_reason_text');
  }

  #check(status, task, what) {
    if (status !== 0)
      throw new LimberError(
        `task ${task} of ${this.tasks.length} cannot be given ${what}`,
        'invalid-argument',
      );
  }

  /** T_base_target of a task; of a joint task its values. */
  setTarget(task, target) {
    const { kind, joint } = this.tasks[task] ?? {};
    const { call } = this.#heap;
    const set = kind === 'joint' ? call.body_set_value : call.body_set_target;
    if (kind === 'joint') {
      const { joints } = this.model;
      const { nq } = joints[typeof joint === 'number' ? joint : this.model.findJoint(joint)];
      this.#block.numbers.set(vectorOf('target', target, nq));
    } else this.#block.numbers.set(expectTransform(target));
    this.#check(set(this.#handle.pointer, task, this.#block.pointer), task, 'this target');
  }

  /** 0 switches a task off. */
  setWeight(task, weight) {
    const status = this.#heap.call.body_set_weight(this.#handle.pointer, task, weight);
    this.#check(status, task, `the weight ${weight}`);
  }

  /** Narrower limits of a joint's value; of a ball 0 is the twist, 1 the swing. */
  setLimits(joint, lower, upper, value = 0) {
    const index = typeof joint === 'number' ? joint : this.model.findJoint(joint);
    const { call } = this.#heap;
    if (call.body_set_limits(this.#handle.pointer, index, value, lower, upper) !== 0)
      throw new LimberError(
        `value ${value} of joint ${joint} cannot have the limits ${lower} and ${upper}`,
        'invalid-argument',
      );
  }

  /** The target becomes where the tool is at q. */
  hold(task, q) {
    const { call } = this.#heap;
    this.#block.numbers.set(this.model.expect(q), this.#at.q);
    const at = this.#block.at(this.#at.q);
    this.#check(call.body_hold(this.#handle.pointer, task, at), task, 'a place to hold');
  }

  /** A configuration that achieves the tasks, from `start` and changed as little as they allow. */
  solve(start = this.model.neutral()) {
    const { q, result } = this.#at;
    this.#block.numbers.set(this.model.expect(start), q);
    const at = this.#block.at(q);
    const { length } = this.tasks;
    this.#heap.call.body_solve(this.#handle.pointer, length, at, at, this.#block.at(result));
    const n = this.#block.numbers;
    return {
      outcome: this.outcomes[n[result]],
      iterations: n[result + 1],
      reached: n[result + 2],
      tasks: Array.from({ length }, (_, i) => {
        const own = result + 3 + 3 * i;
        return { reached: n[own] !== 0, positionError: n[own + 1], rotationError: n[own + 2] };
      }),
      q: n.slice(q, q + this.model.nq),
    };
  }

  /** Why a task of the last solve is as it is: {reason, words}. */
  explain(task) {
    if (this.tasks[task] === undefined)
      throw new LimberError(`there is no task ${task} among ${this.tasks.length}`);
    const text = this.#block.at(this.#at.text);
    const { call } = this.#heap;
    const reason = call.body_explain(this.#handle.pointer, task, text, textSize);
    return { reason: this.reasons[reason], words: this.#heap.string(text) };
  }

  release() {
    this.#handle.release();
  }
}
