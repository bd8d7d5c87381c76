// solutions.js - every configuration that reaches a target.

import { lastError, LimberError } from './error.js';
import { Block, Handle } from './heap.js';
import { pick, readTexts } from './names.js';
import { numbersOfTask } from './solver.js';
import { expectTransform } from './transform.js';

const solutionNumbers = 10;
const familyJoints = 7;
const summaryNumbers = 8 + familyJoints;
const textSize = 600;

export const defaultSolutionsOptions = {
  copies: false,
  outOfLimits: false,
  redundancy: 16,
  condition: false,
  length: 0,
  width: 0,
  capacity: 256,
};

function checkOptions(heap, options) {
  const known = Object.keys(defaultSolutionsOptions);
  for (const key of Object.keys(options))
    if (!known.includes(key)) pick(heap, 'option', key, known);
  const all = { ...defaultSolutionsOptions, ...options };
  if (!Number.isInteger(all.capacity) || all.capacity < 1)
    throw new LimberError(`option 'capacity' is ${all.capacity} but must be at least 1`);
  return all;
}

function create(heap, model, task, o) {
  const numbers = [o.copies ? 1 : 0, o.outOfLimits ? 1 : 0, o.redundancy, o.condition ? 1 : 0];
  return heap.withNumbers(numbersOfTask(model, task), (t) =>
    heap.withNumbers([...numbers, o.length, o.width], (n) =>
      heap.call.solutions_create(model.pointer, t, n),
    ),
  );
}

/** Lists all solutions of one task, for arms that the library has them of. */
export class Solutions {
  #heap;
  #handle;
  #block; // target, start, summary, rows of q, rows of numbers, working memory
  #at;

  /** @param {import('./model.js').Model} model */
  constructor(model, task, options = {}) {
    const heap = model.heap;
    this.model = model;
    this.task = task;
    this.options = checkOptions(heap, options);
    const pointer = create(heap, model, task, this.options);
    if (pointer === 0) throw lastError(heap);
    const { capacity } = this.options;
    const start = 12;
    const summary = start + model.nq;
    const q = summary + summaryNumbers;
    const infos = q + capacity * model.nq;
    const work = infos + capacity * solutionNumbers;
    const room = Math.max(Math.ceil(heap.call.solutions_size(capacity) / 8), textSize / 8);
    const block = new Block(heap, work + room);
    this.#heap = heap;
    this.#block = block;
    this.#at = { start, summary, q, infos, work };
    const release = () => {
      heap.call.solutions_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = readTexts(heap, 'outcome_text');
    this.reasons = readTexts(heap, 'reason_text');
    this.armClass = readTexts(heap, 'arm_class_text')[heap.call.solutions_class(pointer)];
    const text = block.at(work);
    heap.call.solutions_describe(pointer, text, textSize);
    /** Why the arm is of its class, in one sentence. */
    this.description = heap.string(text);
  }

  #readSolution(i) {
    const n = this.#block.numbers;
    const { nq } = this.model;
    const q = this.#at.q + i * nq;
    const at = this.#at.infos + i * solutionNumbers;
    return {
      q: n.slice(q, q + nq),
      branch: n[at],
      inLimits: n[at + 1] !== 0,
      joint: n[at + 2],
      beyond: n[at + 3],
      positionError: n[at + 4],
      rotationError: n[at + 5],
      condition: n[at + 6],
      multiplicity: n[at + 7],
      family: n[at + 8] !== 0,
      distance: n[at + 9],
    };
  }

  #readSummary() {
    const n = this.#block.numbers;
    const at = this.#at.summary;
    return {
      outcome: this.outcomes[n[at]],
      reason: this.reasons[n[at + 1]],
      count: n[at + 2],
      inLimits: n[at + 3],
      complete: n[at + 4] !== 0,
      certified: n[at + 5] !== 0,
      truncated: n[at + 6] !== 0,
      family: Array.from(n.slice(at + 8, at + 8 + n[at + 7])),
    };
  }

  /** All configurations that bring the tool to a target, nearest to `start` first. */
  find(target, start = this.model.neutral()) {
    const at = this.#at;
    const block = this.#block;
    block.numbers.set(expectTransform(target));
    block.numbers.set(this.model.expect(start), at.start);
    const count = this.#heap.call.solutions_find(
      this.#handle.pointer,
      block.pointer,
      block.at(at.start),
      this.options.capacity,
      block.at(at.q),
      block.at(at.work),
      block.at(at.infos),
      block.at(at.summary),
    );
    return {
      ...this.#readSummary(),
      solutions: Array.from({ length: count }, (_, i) => this.#readSolution(i)),
    };
  }

  release() {
    this.#handle.release();
  }
}
