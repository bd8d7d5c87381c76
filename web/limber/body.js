// body.js - whole bodies: many tasks on one tree, with strict levels; include/limber/body.h.

import { LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import {
  bodyKindTexts,
  bodyOptions,
  bodyOutcome,
  bodyReasonTexts,
  bodyResult,
  bodyTask,
} from './layouts.js';
import { linkIndex, pick, vectorOf } from './names.js';
import { dataIn, optionsOf, readRecord, readRecords, withRecord, writeRecord } from './record.js';
import { withSettings } from './solver.js';
import { expectTransform } from './transform.js';

const mostVertices = 16;

const indexOf = (link, model) => (link === undefined ? undefined : linkIndex(model, link));

// `corners` is where the vertices of a polygon are
function writeTask(model, at, task, corners) {
  const { heap } = model;
  const { kind = 'pose', link = 0, base, tool, first, last, joint, vertices = [], ...rest } = task;
  const which = pick(heap, 'kind of task', kind, bodyKindTexts);
  heap.call.lb_body_task_make(at, which, linkIndex(model, link));
  writeRecord(heap, bodyTask, at, {
    ...dataIn(bodyTask, rest),
    base: indexOf(base, model),
    tool: tool && model.limber.transforms.from(tool),
    first: indexOf(first, model),
    last: indexOf(last, model),
    joint: typeof joint === 'string' ? model.findJoint(joint) : joint,
    vertices: vertices.length && corners,
    vertexCount: vertices.length,
  });
}

/** The corners of a polygon in a row. */
function cornersOf({ vertices = [] }) {
  if (vertices.length > mostVertices)
    throw new LimberError(`a polygon has at most ${mostVertices} vertices, not ${vertices.length}`);
  return vertices.flatMap((vertex) => [...vectorOf('vertices', vertex, 2)]);
}

/** Calls `use` with a pointer to these tasks. */
function withTasks(model, tasks, use) {
  const { heap } = model;
  const corners = tasks.map(cornersOf);
  const write = (list, numbers) => {
    let at = numbers;
    tasks.forEach((task, i) => {
      writeTask(model, list + bodyTask.size * i, task, at);
      at += 8 * corners[i].length;
    });
    return use(list);
  };
  return heap.withNumbers(corners.flat(), (numbers) =>
    withRecord(heap, bodyTask, (list) => write(list, numbers), tasks.length),
  );
}

function create(heap, model, tasks, given) {
  const defaults = heap.call.lb_body_options_default;
  const o = optionsOf(heap, bodyOptions, defaults, { joints: [] }, given);
  const make = (list, joints, jointCount) =>
    withRecord(heap, bodyOptions, (at) => {
      heap.call.lb_body_options_default(at);
      writeRecord(heap, bodyOptions, at, { ...dataIn(bodyOptions, o), joints, jointCount });
      return heap.made((place, error) =>
        heap.call.lb_body_create(model.pointer, list, tasks.length, at, 0, place, error),
      );
    });
  return withTasks(model, tasks, (list) =>
    withSettings(model, o.joints, (joints, count) => make(list, joints, count)),
  );
}

export class Body {
  #heap;
  #handle;
  #block; // target, q, result
  #at;

  /** @param {import('./model.js').Model} model */
  constructor(model, tasks, options = {}) {
    const heap = model.heap;
    const pointer = create(heap, model, tasks, options);
    const result = 12 + model.nq;
    const block = new Block(heap, result + bodyResult.size / 8);
    this.model = model;
    this.tasks = tasks;
    this.#heap = heap;
    this.#block = block;
    this.#at = { q: 12, result };
    const release = () => {
      heap.call.lb_body_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
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
    const set = kind === 'joint' ? call.lb_body_set_value : call.lb_body_set_target;
    if (kind === 'joint') {
      const { joints } = this.model;
      const { nq } = joints[typeof joint === 'number' ? joint : this.model.findJoint(joint)];
      this.#block.numbers.set(vectorOf('target', target, nq));
    } else this.#block.numbers.set(expectTransform(target));
    this.#check(set(this.#handle.pointer, task, this.#block.pointer), task, 'this target');
  }

  /** 0 switches a task off. */
  setWeight(task, weight) {
    const status = this.#heap.call.lb_body_set_weight(this.#handle.pointer, task, weight);
    this.#check(status, task, `the weight ${weight}`);
  }

  /** Narrower limits of a joint's value; of a ball 0 is the twist, 1 the swing. */
  setLimits(joint, lower, upper, value = 0) {
    const index = typeof joint === 'number' ? joint : this.model.findJoint(joint);
    const { call } = this.#heap;
    if (call.lb_body_set_limits(this.#handle.pointer, index, value, lower, upper) !== 0)
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
    this.#check(call.lb_body_hold(this.#handle.pointer, task, at), task, 'a place to hold');
  }

  /** A configuration that achieves the tasks, from `start` and changed as little as they allow. */
  solve(start = this.model.neutral()) {
    const { q, result } = this.#at;
    this.#block.numbers.set(this.model.expect(start), q);
    const at = this.#block.at(q);
    const out = this.#block.at(result);
    const heap = this.#heap;
    heap.call.lb_body_solve(this.#handle.pointer, at, at, out);
    const outcomes = heap.call.lb_body_outcomes(this.#handle.pointer);
    return {
      ...readRecord(heap, bodyResult, out),
      tasks: readRecords(heap, bodyOutcome, outcomes, this.tasks.length),
      q: this.#block.numbers.slice(q, q + this.model.nq),
    };
  }

  /** Why a task of the last solve is as it is: {reason, words}. */
  explain(task) {
    if (this.tasks[task] === undefined)
      throw new LimberError(`there is no task ${task} among ${this.tasks.length}`);
    let reason;
    const words = this.#heap.textOf((text, size) => {
      reason = this.#heap.call.lb_body_explain(this.#handle.pointer, task, text, size);
    });
    return { reason: bodyReasonTexts[reason], words };
  }

  release() {
    this.#handle.release();
  }
}
