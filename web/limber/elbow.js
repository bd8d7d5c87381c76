// elbow.js - the free motion of an arm of seven joints: its elbow's circle.

import { lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { pick, readTexts } from './names.js';
import { numbersOfTask } from './solver.js';
import { expectTransform } from './transform.js';

const goals = ['nearest', 'margin', 'manipulability'];
// in the order of bindings/flat/binding.h
const arcNumbers = 3;
const mostArcs = 8 * 26;
const choiceNumbers = 6;

/** Arcs of the elbow angle, configurations on them, and the best of them. */
export class Elbow {
  #heap;
  #handle;
  #block; // target, q, choice, arcs
  #at;

  /** @param {import('./model.js').Model} model */
  constructor(model, task) {
    const heap = model.heap;
    this.model = model;
    this.task = task;
    const pointer = heap.withNumbers(numbersOfTask(model, task), (t) =>
      heap.call.elbow_create(model.pointer, t),
    );
    if (pointer === 0) throw lastError(heap);
    const q = 12;
    const choice = q + model.nq;
    const arcs = choice + choiceNumbers;
    const block = new Block(heap, arcs + arcNumbers * mostArcs);
    this.#heap = heap;
    this.#block = block;
    this.#at = { q, choice, arcs };
    const release = () => {
      heap.call.elbow_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.outcomes = readTexts(heap, 'outcome_text');
  }

  #put(target, start) {
    const n = this.#block.numbers;
    n.set(expectTransform(target));
    n.set(this.model.expect(start), this.#at.q);
  }

  #q() {
    return this.#block.numbers.slice(this.#at.q, this.#at.q + this.model.nq);
  }

  /** The angles of each branch that keep the limits, with locked joints as in `start`. */
  arcs(target, start = this.model.neutral()) {
    this.#put(target, start);
    const { call } = this.#heap;
    const count = call.elbow_arcs(
      this.#handle.pointer,
      this.#block.pointer,
      this.#block.at(this.#at.q),
      this.#block.at(this.#at.arcs),
    );
    const n = this.#block.numbers;
    return Array.from({ length: Math.max(count, 0) }, (_, i) => {
      const at = this.#at.arcs + arcNumbers * i;
      return { branch: n[at], begin: n[at + 1], end: n[at + 2] };
    });
  }

  /** The configuration of a branch at an elbow angle. */
  at(target, branch, angle, start = this.model.neutral()) {
    this.#put(target, start);
    const q = this.#block.at(this.#at.q);
    const outcome = this.#heap.call.elbow_at(
      this.#handle.pointer,
      this.#block.pointer,
      branch,
      angle,
      q,
      q,
    );
    return { outcome: this.outcomes[outcome], q: this.#q() };
  }

  /** The best elbow by a goal. */
  best(target, goal = 'nearest', start = this.model.neutral()) {
    this.#put(target, start);
    const q = this.#block.at(this.#at.q);
    this.#heap.call.elbow_best(
      this.#handle.pointer,
      this.#block.pointer,
      pick(this.#heap, 'goal', goal, goals),
      q,
      q,
      this.#block.at(this.#at.choice),
    );
    const at = this.#at.choice;
    const [outcome, branch, angle, value, positionError, rotationError] =
      this.#block.numbers.subarray(at, at + choiceNumbers);
    return {
      outcome: this.outcomes[outcome],
      q: this.#q(),
      branch,
      angle,
      value,
      positionError,
      rotationError,
    };
  }

  release() {
    this.#handle.release();
  }
}
