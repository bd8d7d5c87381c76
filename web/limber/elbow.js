// elbow.js - the free motion of an arm of seven joints, along its elbow's circle or by a joint.

import { Block, Handle } from './heap.js';
import { elbowArc, elbowChoice, elbowGoalTexts, outcomeTexts } from './layouts.js';
import { pick } from './names.js';
import { readRecord, readRecords } from './record.js';
import { withTasks } from './solver.js';
import { expectTransform } from './transform.js';

// LB_ELBOW_ARCS_MAX
const mostArcs = 8 * 26;

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
    const pointer = withTasks(model, [task], (t) =>
      heap.made((place, error) => heap.call.lb_elbow_create(model.pointer, t, 0, place, error)),
    );
    const q = 12;
    const choice = q + model.nq;
    const arcs = choice + elbowChoice.size / 8;
    const block = new Block(heap, arcs + (mostArcs * elbowArc.size) / 8);
    this.#heap = heap;
    this.#block = block;
    this.#at = { q, choice, arcs };
    this.joint = heap.call.lb_elbow_joint(pointer);
    const release = () => {
      heap.call.lb_elbow_release(pointer);
      block.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
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
    const arcs = this.#block.at(this.#at.arcs);
    const count = this.#heap.call.lb_elbow_arcs(
      ...[this.#handle.pointer, this.#block.pointer, this.#block.at(this.#at.q), mostArcs, arcs],
    );
    return readRecords(this.#heap, elbowArc, arcs, Math.max(count, 0));
  }

  /** The configuration of a branch at an elbow angle. */
  at(target, branch, angle, start = this.model.neutral()) {
    this.#put(target, start);
    const q = this.#block.at(this.#at.q);
    const outcome = this.#heap.call.lb_elbow_at(
      this.#handle.pointer,
      this.#block.pointer,
      branch,
      angle,
      q,
      q,
    );
    return { outcome: outcomeTexts[outcome], q: this.#q() };
  }

  /** The best elbow by a goal. */
  best(target, goal = 'nearest', start = this.model.neutral()) {
    this.#put(target, start);
    const q = this.#block.at(this.#at.q);
    this.#heap.call.lb_elbow_best(
      this.#handle.pointer,
      this.#block.pointer,
      pick(this.#heap, 'goal', goal, elbowGoalTexts),
      q,
      q,
      this.#block.at(this.#at.choice),
    );
    const choice = readRecord(this.#heap, elbowChoice, this.#block.at(this.#at.choice));
    return { ...choice, q: this.#q() };
  }

  release() {
    this.#handle.release();
  }
}
