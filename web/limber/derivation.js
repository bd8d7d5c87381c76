// derivation.js - a step of inverse kinematics, equation by equation.

import { written } from './output.js';
import { withProblem } from './solver.js';
import { expectTransform } from './transform.js';

/** Texts and numbers, one after the other, as bindings/flat/clips/derivation.c writes them. */
class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get more() {
    return this.#at < this.#bytes.length;
  }

  text() {
    const begin = this.#at;
    if (this.#bytes[begin] === 1) {
      this.#at++;
      return null;
    }
    const end = this.#bytes.indexOf(0, begin);
    this.#at = end + 1;
    return new TextDecoder().decode(this.#bytes.subarray(begin, end));
  }

  number() {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at);
    this.#at += 8;
    return view.getFloat64(0, true);
  }

  part() {
    const sign = this.text();
    if (sign !== null) return { sign };
    const [name, rows, columns] = [this.text(), this.number(), this.number()];
    return {
      name,
      rows,
      columns,
      numbers: Array.from({ length: rows * columns }, () => this.number()),
    };
  }

  line() {
    const [number, text, count] = [this.text(), this.text(), this.number()];
    if (text !== null) return number === null ? { text } : { number, text };
    return { parts: Array.from({ length: count }, () => this.part()) };
  }
}

/** The first step from q towards a target: headings, sentences and formulas. */
export function derive(heap, model, task, options, target, q) {
  const run = (tasks, at) =>
    heap.withNumbers(expectTransform(target), (goal) =>
      heap.withNumbers(model.expect(q), (start) =>
        heap.call.derive(model.pointer, tasks, at, goal, start),
      ),
    );
  const reader = new Reader(written(heap, withProblem(model, [task], options, run)));
  const lines = [];
  while (reader.more) lines.push(reader.line());
  return lines;
}
