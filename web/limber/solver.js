// solver.js - inverse kinematics: methods, tasks, solving, single steps and batches.

import { LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import {
  batch,
  ikOptions,
  ikResult,
  jointSetting,
  outcomeTexts,
  progressTexts,
  reasonTexts,
  task as taskLayout,
  taskKindTexts,
} from './layouts.js';
import { linkIndex, pick, vectorOf } from './names.js';
import { dataIn, optionsOf, readField, readRecord, withRecord, writeRecord } from './record.js';
import { expectTransform } from './transform.js';

// in the order of the set of LB_FREE_X, LB_FREE_Y and LB_FREE_Z that each is
const freePositions = ['', 'x', 'y', 'xy', 'z', 'xz', 'yz'];
const textSize = 600;

/** The table of methods: name, summary, source. */
export function readMethods(heap) {
  const { call } = heap;
  return Array.from({ length: call.lb_method_count() }, (_, index) => {
    const method = call.lb_method_at(index);
    return {
      index,
      name: heap.string(call.lb_method_name(method)),
      summary: heap.string(call.lb_method_summary(method)),
      source: heap.string(call.lb_method_source(method)),
    };
  });
}

function writeTask(model, at, { tip, base = 'world', kind = 'pose', freePosition = '', ...rest }) {
  const { heap } = model;
  const { tool, freeAxis, weight } = rest;
  const which = pick(heap, 'kind of task', kind, taskKindTexts);
  heap.call.lb_task_make(at, linkIndex(model, tip), linkIndex(model, base), which);
  writeRecord(heap, taskLayout, at, {
    tool: tool && model.limber.transforms.from(tool),
    freeAxis,
    freePosition: pick(heap, 'free position', freePosition, freePositions),
    weight,
  });
}

/** Calls `use` with a pointer to these tasks. */
export function withTasks(model, tasks, use) {
  const write = (pointer) => {
    tasks.forEach((task, i) => writeTask(model, pointer + taskLayout.size * i, task));
    return use(pointer);
  };
  return withRecord(model.heap, taskLayout, write, tasks.length);
}

// of a joint with fewer than three values the others are not read
const three = (given, none) =>
  given === undefined ? undefined : [...[given].flat(), none, none].slice(0, 3);

function writeSetting(model, at, { joint, lower, upper, ...rest }) {
  const { heap } = model;
  for (const key of Object.keys(rest))
    if (!(key in jointSetting.fields))
      pick(heap, 'setting of a joint', key, Object.keys(jointSetting.fields));
  const index = typeof joint === 'number' ? joint : model.findJoint(joint);
  heap.call.lb_joint_setting_make(at, index);
  const limits = { lower: three(lower, -Infinity), upper: three(upper, Infinity) };
  writeRecord(heap, jointSetting, at, { ...rest, ...limits });
}

/** Calls `use` with a pointer to what a solver changes of joints, and how many there are. */
export function withSettings(model, settings, use) {
  const { size } = jointSetting;
  const write = (pointer) => {
    settings.forEach((setting, i) => writeSetting(model, pointer + size * i, setting));
    return use(pointer, settings.length);
  };
  return withRecord(model.heap, jointSetting, write, settings.length);
}

/** Gains or desired values, as many as there must be; none is a null pointer. */
function withVector(heap, what, numbers, count, use) {
  if (numbers === null) return use(0);
  return heap.withNumbers(vectorOf(what, numbers, count), use);
}

const ownOptions = { method: 'lm', gains: null, desired: null, joints: [] };

/** All options of a solver. */
const allOptions = (heap, given) =>
  optionsOf(heap, ikOptions, heap.call.lb_ik_options_default, ownOptions, given);

/** Calls `use` with pointers to tasks and to options. */
export function withProblem(model, tasks, given, use) {
  const { heap } = model;
  const o = allOptions(heap, given);
  const names = model.limber.methods.map(({ name }) => name);
  const method = heap.call.lb_method_at(pick(heap, 'method', o.method, names));
  const write = (pointers) =>
    withRecord(heap, ikOptions, (at) => {
      heap.call.lb_ik_options_default(at);
      writeRecord(heap, ikOptions, at, { ...dataIn(ikOptions, o), method, ...pointers });
      return withTasks(model, tasks, (list) => use(list, at));
    });
  return withSettings(model, o.joints, (joints, jointCount) =>
    withVector(heap, 'gains', o.gains, model.nv, (gains) =>
      withVector(heap, 'desired', o.desired, model.nq, (desired) =>
        write({ gains, desired, joints, jointCount }),
      ),
    ),
  );
}

export class Solver {
  #heap;
  #handle;
  #block; // targets, q, result, text
  #offsets;

  /** @param {import('./model.js').Model} model */
  constructor(model, tasks, options = {}) {
    const heap = model.heap;
    this.model = model;
    this.tasks = tasks;
    this.options = allOptions(heap, options);
    const pointer = withProblem(model, tasks, options, (list, at) =>
      heap.made((place, error) =>
        heap.call.lb_ik_create(model.pointer, list, tasks.length, at, 0, place, error),
      ),
    );
    const q = 12 * tasks.length;
    const result = q + model.nq;
    const text = result + ikResult.size / 8;
    const block = new Block(heap, text + textSize / 8);
    this.#heap = heap;
    this.#block = block;
    this.#offsets = { q, result, text };
    const release = () => {
      heap.call.lb_ik_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = outcomeTexts;
    this.reasons = reasonTexts;
  }

  // one target alone, or an array of them
  #setTargets(targets) {
    const list = typeof targets[0] === 'number' ? [targets] : targets;
    if (list.length !== this.tasks.length)
      throw new LimberError(`${this.tasks.length} targets are wanted, not ${list.length}`);
    list.forEach((target, i) => this.#block.numbers.set(expectTransform(target), 12 * i));
  }

  // what is achieved, and the configuration
  #readResult() {
    const { q, result } = this.#offsets;
    const achieved = readRecord(this.#heap, ikResult, this.#block.at(result));
    return { ...achieved, q: this.#block.numbers.slice(q, q + this.model.nq) };
  }

  /** A configuration that brings every tool to its target, or the closest one found. */
  solve(targets, start = this.model.neutral()) {
    const at = this.#offsets;
    this.#setTargets(targets);
    this.#block.numbers.set(this.model.expect(start), at.q);
    const q = this.#block.at(at.q);
    this.#heap.call.lb_ik_solve(
      this.#handle.pointer,
      this.#block.pointer,
      q,
      q,
      this.#block.at(at.result),
    );
    return this.#readResult();
  }

  /** One iteration from q: success, processing (call again) or failure (nothing moved). */
  step(targets, q) {
    const at = this.#offsets;
    this.#setTargets(targets);
    this.#block.numbers.set(this.model.expect(q), at.q);
    const progress = this.#heap.call.lb_ik_step(
      this.#handle.pointer,
      this.#block.pointer,
      this.#block.at(at.q),
      this.#block.at(at.result),
    );
    const { outcome: _, ...achieved } = this.#readResult();
    return { progress: progressTexts[progress], ...achieved };
  }

  /** Why the result of solve() is what it is, in one or two sentences. */
  explain(targets, result) {
    const at = this.#offsets;
    this.#setTargets(targets);
    const n = this.#block.numbers;
    n.set(this.model.expect(result.q), at.q);
    const { q: _, ...achieved } = result;
    writeRecord(this.#heap, ikResult, this.#block.at(at.result), achieved);
    const text = this.#block.at(at.text);
    this.#heap.call.lb_ik_explain(
      this.#handle.pointer,
      this.#block.pointer,
      this.#block.at(at.q),
      this.#block.at(at.result),
      text,
      textSize,
    );
    return this.#heap.string(text);
  }

  /**
   * n problems at once: targets 12 numbers for each task of each problem, starts and
   * results nq numbers each, in flat arrays.
   */
  solveMany(targets, starts) {
    const { nq } = this.model;
    const n = starts.length / nq;
    if (!Number.isInteger(n) || targets.length !== 12 * n * this.tasks.length)
      throw new LimberError(
        `${starts.length} numbers of starts and ${targets.length} of targets do not belong together`,
      );
    const { size } = ikResult;
    const q = targets.length;
    const results = q + starts.length;
    const heap = this.#heap;
    const block = new Block(heap, results + (n * size) / 8);
    try {
      block.numbers.set(targets);
      block.numbers.set(starts, q);
      const places = { targets: block.pointer, starts: block.at(q), q: block.at(q) };
      const reached = withRecord(heap, batch, (at) => {
        writeRecord(heap, batch, at, { ...places, results: block.at(results) });
        return heap.call.lb_batch_solve(this.#handle.pointer, at, 0, n);
      });
      return {
        reached,
        q: block.numbers.slice(q, results),
        outcomes: Array.from({ length: n }, (_, i) =>
          readField(heap, ikResult, block.at(results) + size * i, 'outcome'),
        ),
      };
    } finally {
      block.release();
    }
  }

  release() {
    this.#handle.release();
  }
}
