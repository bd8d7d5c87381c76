// error.js - the one kind of error the package throws on purpose.

import { error, statusTexts } from './layouts.js';

/** What could not be built, read or done; the message names the thing and the remedy. */
export class LimberError extends Error {
  /**
   * @param {string} message
   * @param {string} [code] 'bad-model', 'bad-value', 'invalid-argument', ...
   * @param {number} [line] of the file that is read, counted from 1; 0: unknown
   */
  constructor(message, code = 'invalid-argument', line = 0) {
    super(message);
    this.name = 'LimberError';
    this.code = code;
    this.line = line;
  }
}

// by lb_status
const codes = [
  'ok',
  'out-of-memory',
  'invalid-argument',
  'not-found',
  'file-error',
  'syntax-error',
  'bad-model',
  'bad-value',
  'unsupported',
];

/**
 * The error that the module's last call left behind; where it left none, as calls without an lb_error,
 * `what` failed with this status.
 */
export function lastError(heap, status = 1, what = 'limber') {
  const { fields, size } = error;
  const view = new DataView(heap.memory.buffer, heap.error, size);
  const found = view.getInt32(fields.status[0], true);
  if (found === 0) return new LimberError(`${what}: ${statusTexts[status]}`, codes[status]);
  const text = heap.string(heap.error + fields.message[0]);
  return new LimberError(text, codes[found], view.getInt32(fields.line[0], true));
}
