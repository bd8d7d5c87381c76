// solver.js - inverse kinematics: methods, tasks, solving, single steps and batches.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { linkIndex, pick, readTexts, vectorOf, withDefaults } from './names.js';
import { expectTransform } from './transform.js';

const taskKinds = ['position', 'rotation', 'pose'];
// in the order of the set of LB_FREE_X, LB_FREE_Y and LB_FREE_Z that each is
const freePositions = ['', 'x', 'y', 'xy', 'z', 'xz', 'yz'];
const protocols = ['nearest', 'any', 'given'];
const progresses = ['success', 'processing', 'failure'];
const controls = ['gradient', 'square'];
const ranks = ['gain', 'recency', 'room'];
const resultNumbers = 7;
const textSize = 600;

/** The table of methods: name, summary, source. */
export function readMethods(heap) {
  const { call } = heap;
  return Array.from({ length: call.method_count() }, (_, index) => ({
    index,
    name: heap.string(call.method_name(index)),
    summary: heap.string(call.method_summary(index)),
    source: heap.string(call.method_source(index)),
  }));
}

/** What a task is, in the order of bindings/flat/binding.h. */
export function numbersOfTask(model, task) {
  const { tip, base = 'world', kind = 'pose', tool = {}, weight = 1 } = task;
  const { freeAxis = [0, 0, 0], freePosition = '' } = task;
  return [
    linkIndex(model, tip),
    linkIndex(model, base),
    pick(model.heap, 'kind of task', kind, taskKinds),
    ...model.limber.transforms.from(tool),
    ...vectorOf('freeAxis', freeAxis),
    pick(model.heap, 'free position', freePosition, freePositions),
    weight,
  ];
}

export const defaultOptions = {
  method: 'lm',
  positionTolerance: 1e-6,
  rotationTolerance: 1e-6,
  iterations: 0,
  protocol: 'nearest',
  seed: 0,
  length: 0,
  damping: 0,
  adaptive: false,
  alpha: 0,
  stepLimit: 0,
  seeds: 512,
  width: 0,
  nudge: true,
  gains: null,
  desired: null,
  control: 'gradient',
  rank: 'gain',
  bend: 0,
  pole: [0, 0, 0],
};

function numbersOfOptions(heap, o) {
  return [
    o.positionTolerance,
    o.rotationTolerance,
    o.iterations,
    pick(heap, 'protocol', o.protocol, protocols),
    o.seed,
    o.length,
    o.damping,
    o.adaptive ? 1 : 0,
    o.alpha,
    o.stepLimit,
    o.seeds,
    o.width,
    o.nudge ? 0 : 1,
    pick(heap, 'control', o.control, controls),
    pick(heap, 'rank', o.rank, ranks),
    o.bend,
    ...vectorOf('pole', o.pole),
  ];
}

/** Gains or desired values, as many as there must be; none is a null pointer. */
function withVector(heap, what, numbers, count, use) {
  if (numbers === null) return use(0);
  return heap.withNumbers(vectorOf(what, numbers, count), use);
}

function create(heap, model, tasks, options, method) {
  return heap.withNumbers(
    tasks.flatMap((task) => numbersOfTask(model, task)),
    (numbers) =>
      heap.withNumbers(numbersOfOptions(heap, options), (o) =>
        withVector(heap, 'gains', options.gains, model.nv, (gains) =>
          withVector(heap, 'desired', options.desired, model.nq, (desired) =>
            heap.call.ik_create(model.pointer, numbers, tasks.length, method, o, gains, desired),
          ),
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
    this.options = withDefaults(heap, options, defaultOptions);
    const method = pick(
      heap,
      'method',
      this.options.method,
      model.limber.methods.map((m) => m.name),
    );
    const pointer = create(heap, model, tasks, this.options, method);
    if (pointer === 0) throw lastError(heap);
    const q = 12 * tasks.length;
    const result = q + model.nq;
    const text = result + resultNumbers;
    const block = new Block(heap, text + textSize / 8);
    this.#heap = heap;
    this.#block = block;
    this.#offsets = { q, result, text };
    const release = () => {
      heap.call.ik_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = readTexts(heap, 'outcome_text');
    this.reasons = readTexts(heap, 'reason_text');
  }

  // one target alone, or an array of them
  #setTargets(targets) {
    const list = typeof targets[0] === 'number' ? [targets] : targets;
    if (list.length !== this.tasks.length)
      throw new LimberError(`${this.tasks.length} targets are wanted, not ${list.length}`);
    list.forEach((target, i) => this.#block.numbers.set(expectTransform(target), 12 * i));
  }

  #readResult(verdict) {
    const { q, result } = this.#offsets;
    const n = this.#block.numbers;
    return {
      ...verdict(n[result]),
      reason: this.reasons[n[result + 1]],
      iterations: n[result + 2],
      tries: n[result + 3],
      positionError: n[result + 4],
      rotationError: n[result + 5],
      beyondReach: n[result + 6],
      q: n.slice(q, q + this.model.nq),
    };
  }

  /** A configuration that brings every tool to its target, or the closest one found. */
  solve(targets, start = this.model.neutral()) {
    const at = this.#offsets;
    this.#setTargets(targets);
    this.#block.numbers.set(this.model.expect(start), at.q);
    const q = this.#block.at(at.q);
    this.#heap.call.ik_solve(
      this.#handle.pointer,
      this.#block.pointer,
      q,
      q,
      this.#block.at(at.result),
    );
    return this.#readResult((verdict) => ({ outcome: this.outcomes[verdict] }));
  }

  /** One iteration from q: success, processing (call again) or failure (nothing moved). */
  step(targets, q) {
    const at = this.#offsets;
    this.#setTargets(targets);
    this.#block.numbers.set(this.model.expect(q), at.q);
    this.#heap.call.ik_step(
      this.#handle.pointer,
      this.#block.pointer,
      this.#block.at(at.q),
      this.#block.at(at.result),
    );
    return this.#readResult((verdict) => ({ progress: progresses[verdict] }));
  }

  /** Why the result of solve() is what it is, in one or two sentences. */
  explain(targets, result) {
    const at = this.#offsets;
    this.#setTargets(targets);
    const n = this.#block.numbers;
    n.set(this.model.expect(result.q), at.q);
    n.set(
      [
        this.outcomes.indexOf(result.outcome),
        this.reasons.indexOf(result.reason),
        result.iterations,
        result.tries,
        result.positionError,
        result.rotationError,
        result.beyondReach,
      ],
      at.result,
    );
    const text = this.#block.at(at.text);
    this.#heap.call.ik_explain(
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
    const size = this.#heap.call.result_size();
    const block = new Block(this.#heap, targets.length + starts.length + Math.ceil((n * size) / 8));
    try {
      block.numbers.set(targets);
      block.numbers.set(starts, targets.length);
      const q = block.at(targets.length);
      const results = block.at(targets.length + starts.length);
      const { call } = this.#heap;
      const reached = call.ik_solve_many(this.#handle.pointer, n, block.pointer, q, q, results);
      return {
        reached,
        q: block.numbers.slice(targets.length, targets.length + starts.length),
        outcomes: Array.from(
          { length: n },
          (_, i) => this.outcomes[call.result_outcome(results, i)],
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
