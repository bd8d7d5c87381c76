// error.js - the one kind of error the package throws on purpose.

import { error } from './layouts.js';

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

/** The error that the module's last call left behind; where it left none there was no memory. */
export function lastError(heap) {
  const { status, line, message } = error.fields;
  const view = new DataView(heap.memory.buffer, heap.error, error.size);
  if (view.getInt32(status[0], true) === 0)
    return new LimberError('out of memory', 'out-of-memory');
  const code = codes[view.getInt32(status[0], true)] ?? 'invalid-argument';
  return new LimberError(heap.string(heap.error + message[0]), code, view.getInt32(line[0], true));
}
