// npz.js - robot motion as NumPy's .npz; include/limber/formats/robot_npz.h.
//
// The archive is taken apart and put together here; what its arrays mean is the C library's.

import { Clip } from './clip.js';
import { reportWarnings } from './document.js';
import { written } from './output.js';
import { unzip, zip } from './zip.js';

/** The motion of an archive over a model with a root that moves. */
export async function readNpz(heap, file, model, { name = '', strict = false, warn } = {}) {
  const files = await unzip(file);
  const all = Object.values(files);
  const bytes = new Uint8Array(await new Blob(all).arrayBuffer());
  const sizes = new Uint8Array(Int32Array.from(all, (each) => each.length).buffer);
  const pointer = heap.withStrings([name], (path) =>
    heap.withStrings(Object.keys(files), (names) =>
      heap.withBytes(bytes, (b) =>
        heap.withBytes(sizes, (s) =>
          heap.call.robot_npz_load(path, names, b, s, all.length, model.pointer, strict ? 1 : 0),
        ),
      ),
    ),
  );
  reportWarnings(heap, warn);
  return new Clip(model, pointer);
}

/** The bytes of an archive of a clip, whose keys are even but for rounding. */
export function npzOf(heap, clip, order = 'depth-first') {
  const even = clip.even();
  const status = heap.withStrings([[order].flat().join(',')], (text) =>
    heap.call.robot_npz_write(even.pointer, text),
  );
  even.release();
  const bytes = written(heap, status);
  const view = new DataView(bytes.buffer);
  const files = [];
  // as in bindings/flat/clips/robot_npz.c: a name with its zero, a length, so many bytes
  for (let at = 0; at < bytes.length;) {
    const zero = bytes.indexOf(0, at);
    const begin = zero + 5;
    const end = begin + view.getInt32(zero + 1, true);
    files.push([new TextDecoder().decode(bytes.subarray(at, zero)), bytes.subarray(begin, end)]);
    at = end;
  }
  return zip(files);
}
