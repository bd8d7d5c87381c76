// error.js - the one kind of error the package throws on purpose.

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

/** The error that the module's last call left behind. */
export function lastError(heap) {
  const code = codes[heap.call.error_status()] ?? 'invalid-argument';
  return new LimberError(heap.string(heap.call.error_message()), code, heap.call.error_line());
}
