// output.js - files that the module has written in its memory.

import { lastError } from './error.js';

/** The bytes of the file that was just written, unless the writer's status says otherwise. */
export function written(heap, status) {
  const { call } = heap;
  const at = call.output_bytes();
  const bytes = heap.u8.slice(at, at + call.output_size());
  call.output_release();
  if (status !== 0) throw lastError(heap);
  return bytes;
}
