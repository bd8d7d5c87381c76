// document.js - a file's tree of nodes on its way into the module.
//
// A parser adds the nodes; what they mean is the C library's affair, so that models,
// warnings and refusals are the same as natively.

import { LimberError, lastError } from './error.js';

/** As lb_node_kind. */
export const nodeKind = {
  element: 0,
  attribute: 1,
  object: 2,
  array: 3,
  string: 4,
  number: 5,
  true: 6,
  false: 7,
  null: 8,
};

/** Hands the warnings of the last load to `warn`, which may be undefined. */
export function reportWarnings(heap, warn) {
  if (!warn) return;
  for (let i = 0; i < heap.call.warning_count(); i++)
    warn({ line: heap.call.warning_line(i), message: heap.string(heap.call.warning_message(i)) });
}

export class Document {
  #numbers = [];
  #strings;

  /** @param {string} path names the file in messages */
  constructor(path) {
    this.#strings = [path];
  }

  /** Adds a node to the innermost open one; `name` and `text` may be null. */
  add(kind, name, text, number, line) {
    for (const string of [name, text]) {
      if (string === null) continue;
      if (string.includes('\0'))
        throw new LimberError(`${JSON.stringify(string)} has a zero in it`, 'bad-value', line);
      this.#strings.push(string);
    }
    this.#numbers.push(kind, name === null ? 0 : 1, text === null ? 0 : 1, number, line);
  }

  /** Closes the innermost open element, object or array. */
  close() {
    this.#numbers.push(-1, 0, 0, 0, 0);
  }

  /** Calls `use` with pointers to the strings and the rows, and the number of rows. */
  withRows(heap, use) {
    return heap.withStrings(this.#strings, (strings) =>
      heap.withNumbers(this.#numbers, (rows) => use(strings, rows, this.#numbers.length / 5)),
    );
  }

  /** A pointer to the model; what looks like a mistake goes to `warn`. */
  build(heap, { strict = false, warn } = {}) {
    const pointer = this.withRows(heap, (strings, rows, count) =>
      heap.call.model_load(strings, rows, count, strict ? 1 : 0),
    );
    reportWarnings(heap, warn);
    if (pointer === 0) throw lastError(heap);
    return pointer;
  }
}
