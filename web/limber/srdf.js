// srdf.js - SRDF, what MoveIt adds to a robot: named states, and pairs of links that may touch.

import { Document, reportWarnings } from './document.js';
import { lastError } from './error.js';
import { Block } from './heap.js';
import { srdfGroup, srdfPair, srdfState } from './layouts.js';
import { readField, readRecord } from './record.js';
import { readXml } from './xml.js';

const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** The text of a file as values, of a model that has been loaded. */
export function readSrdf(heap, text, model, { name = '', strict = false, warn } = {}) {
  const { call } = heap;
  const document = new Document(name);
  readXml(text, document);
  const pointer = document.withRows(heap, (strings, rows, count) =>
    call.srdf_load(strings, rows, count, model.pointer, strict ? 1 : 0),
  );
  reportWarnings(heap, warn);
  if (pointer === 0) throw lastError(heap);
  const nameOf = (layout, at) => heap.string(readField(heap, layout, at, 'name'));
  const numbers = new Block(heap, model.nq);
  const stateOf = (i) => {
    const at = call.lb_srdf_state_at(pointer, i);
    const group = call.lb_srdf_group_at(pointer, readField(heap, srdfState, at, 'group'));
    // what the state says nothing of stays
    numbers.numbers.fill(NaN);
    call.lb_srdf_apply_state(pointer, i, numbers.pointer);
    const values = numbers.numbers.slice(0, model.nq);
    const apply = (q) => Float64Array.from(q, (x, k) => (Number.isNaN(values[k]) ? x : values[k]));
    return { name: nameOf(srdfState, at), group: nameOf(srdfGroup, group), apply };
  };
  try {
    return {
      states: list(call.lb_srdf_state_count(pointer), stateOf),
      disabled: list(call.lb_srdf_pair_count(pointer), (i) => {
        const pair = readRecord(heap, srdfPair, call.lb_srdf_pair_at(pointer, i));
        return [pair.link1, pair.link2];
      }),
    };
  } finally {
    numbers.release();
    call.lb_srdf_release(pointer);
  }
}
