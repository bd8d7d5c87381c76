// solutions.js - every configuration that reaches a target.

import { LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import {
  armClassTexts,
  outcomeTexts,
  reasonTexts,
  solution,
  solutionsOptions,
  solutionsSummary,
} from './layouts.js';
import { dataIn, optionsOf, readRecord, readRecords, withRecord, writeRecord } from './record.js';
import { withSettings, withTasks } from './solver.js';
import { expectTransform } from './transform.js';

function checkOptions(heap, options) {
  const defaults = heap.call.lb_solutions_options_default;
  const own = { capacity: 256, joints: [] };
  const all = optionsOf(heap, solutionsOptions, defaults, own, options);
  if (!Number.isInteger(all.capacity) || all.capacity < 1)
    throw new LimberError(`option 'capacity' is ${all.capacity} but must be at least 1`);
  return all;
}

function create(heap, model, task, o) {
  const make = (t, joints, jointCount) =>
    withRecord(heap, solutionsOptions, (at) => {
      heap.call.lb_solutions_options_default(at);
      const chosen = { ...dataIn(solutionsOptions, o), joints, jointCount };
      writeRecord(heap, solutionsOptions, at, chosen);
      return heap.made((place, error) =>
        heap.call.lb_solutions_create(model.pointer, t, at, 0, place, error),
      );
    });
  return withTasks(model, [task], (t) =>
    withSettings(model, o.joints, (joints, count) => make(t, joints, count)),
  );
}

/** Lists all solutions of one task, for arms that the library has them of. */
export class Solutions {
  #heap;
  #handle;
  #block; // target, start, summary, rows of q, solutions
  #at;

  /** @param {import('./model.js').Model} model */
  constructor(model, task, options = {}) {
    const heap = model.heap;
    this.model = model;
    this.task = task;
    this.options = checkOptions(heap, options);
    const pointer = create(heap, model, task, this.options);
    const { capacity } = this.options;
    const start = 12;
    const summary = start + model.nq;
    const q = summary + solutionsSummary.size / 8;
    const solutions = q + capacity * model.nq;
    const block = new Block(heap, solutions + (capacity * solution.size) / 8);
    this.#heap = heap;
    this.#block = block;
    this.#at = { start, summary, q, solutions };
    const release = () => {
      heap.call.lb_solutions_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = outcomeTexts;
    this.reasons = reasonTexts;
    this.armClass = armClassTexts[heap.call.lb_solutions_class(pointer)];
    /** Why the arm is of its class, in one sentence. */
    this.description = heap.textOf((text, size) =>
      heap.call.lb_solutions_describe(pointer, text, size),
    );
  }

  #readSummary() {
    const at = this.#block.at(this.#at.summary);
    const { listed: _, familyCount, ...all } = readRecord(this.#heap, solutionsSummary, at);
    return { ...all, family: all.family.slice(0, familyCount) };
  }

  #readSolutions(count) {
    const { nq } = this.model;
    const { q, solutions } = this.#at;
    const rows = this.#block.numbers.slice(q, q + count * nq);
    const found = readRecords(this.#heap, solution, this.#block.at(solutions), count);
    return found.map((one, i) => ({ q: rows.slice(i * nq, (i + 1) * nq), ...one }));
  }

  /** All configurations that bring the tool to a target, nearest to `start` first. */
  find(target, start = this.model.neutral()) {
    const at = this.#at;
    const block = this.#block;
    block.numbers.set(expectTransform(target));
    block.numbers.set(this.model.expect(start), at.start);
    const count = this.#heap.call.lb_solutions(
      ...[this.#handle.pointer, block.pointer, block.at(at.start), this.options.capacity],
      ...[block.at(at.q), block.at(at.solutions), block.at(at.summary)],
    );
    return { ...this.#readSummary(), solutions: this.#readSolutions(count) };
  }

  release() {
    this.#handle.release();
  }
}
