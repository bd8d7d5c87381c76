// record.js - the library's structs in the module's memory, by the names and places of layouts.js.

import { pick, vectorOf, withDefaults } from './names.js';

const least = { i32: -(2 ** 31), u32: 0 };
const most = { i32: 2 ** 31 - 1, u32: 2 ** 32 - 1 };
// bytes of the kinds that are data; pointers and how many they have are passed on by hand
const data = { f64: 8, i32: 4, u32: 4, enum: 4, u64: 8, bool: 1, not: 1 };
const sizes = { ...data, pointer: 4, count: 4 };

/** A whole number as C converts a double, which ends at what the type holds. */
function whole(kind, value) {
  const number = Math.trunc(Number(value)) || 0;
  return Math.min(most[kind], Math.max(least[kind], number));
}

const put = {
  f64: (view, at, value) => view.setFloat64(at, Number(value), true),
  i32: (view, at, value) => view.setInt32(at, whole('i32', value), true),
  u32: (view, at, value) => view.setUint32(at, whole('u32', value), true),
  enum: (view, at, value) => view.setInt32(at, value, true),
  u64: (view, at, value) => view.setBigUint64(at, BigInt(Math.trunc(Number(value)) || 0), true),
  pointer: (view, at, value) => view.setUint32(at, value, true),
  count: (view, at, value) => view.setInt32(at, value, true),
  bool: (view, at, value) => view.setUint8(at, value ? 1 : 0),
  not: (view, at, value) => view.setUint8(at, value ? 0 : 1),
};

const get = {
  f64: (view, at) => view.getFloat64(at, true),
  i32: (view, at) => view.getInt32(at, true),
  u32: (view, at) => view.getUint32(at, true),
  enum: (view, at) => view.getInt32(at, true),
  u64: (view, at) => Number(view.getBigUint64(at, true)),
  pointer: (view, at) => view.getUint32(at, true),
  count: (view, at) => view.getInt32(at, true),
  bool: (view, at) => view.getUint8(at) !== 0,
  not: (view, at) => view.getUint8(at) === 0,
};

/** Sets the fields that `values` names; what is undefined stays. */
export function writeRecord(heap, layout, pointer, values) {
  for (const [name, given] of Object.entries(values)) {
    if (given === undefined) continue;
    const [offset, kind, count, texts] = layout.fields[name];
    const value = texts ? pick(heap, name, given, texts) : given;
    const view = new DataView(heap.memory.buffer, pointer + offset);
    if (count === 1) put[kind](view, 0, value);
    else
      Array.from(vectorOf(name, value, count)).forEach((v, i) =>
        put[kind](view, sizes[kind] * i, v),
      );
  }
}

/** One field, whose enumeration is its text. */
export function readField(heap, layout, pointer, name) {
  const [offset, kind, count, texts] = layout.fields[name];
  const view = new DataView(heap.memory.buffer, pointer + offset);
  if (count > 1) return Array.from({ length: count }, (_, i) => get[kind](view, sizes[kind] * i));
  const value = get[kind](view, 0);
  return texts ? texts[value] : value;
}

/** What is data: no pointers, no counts of what they point to, no structs. */
const dataOf = (layout) =>
  Object.keys(layout.fields).filter((name) => layout.fields[name][1] in data);

/** All fields that are data. */
export function readRecord(heap, layout, pointer) {
  return Object.fromEntries(
    dataOf(layout).map((name) => [name, readField(heap, layout, pointer, name)]),
  );
}

/** So many structs in a row. */
export function readRecords(heap, layout, pointer, count) {
  return Array.from({ length: count }, (_, i) =>
    readRecord(heap, layout, pointer + layout.size * i),
  );
}

/** Calls `use` with a pointer to so many structs, all zeros. */
export function withRecord(heap, layout, use, count = 1) {
  const pointer = heap.take(layout.size * count);
  try {
    return use(pointer);
  } finally {
    heap.call.memory_give(pointer);
  }
}

/** The values that a function of the library, which returns such a struct, begins with. */
export function defaultsOf(heap, layout, make) {
  return withRecord(heap, layout, (pointer) => {
    make(pointer);
    return readRecord(heap, layout, pointer);
  });
}

/** Options over the library's defaults, and others over those here; one that is unknown is refused. */
export function optionsOf(heap, layout, make, own, given) {
  return withDefaults(heap, given, { ...defaultsOf(heap, layout, make), ...own });
}

/** Of options what is data: what writeRecord() takes. */
export function dataIn(layout, options) {
  return Object.fromEntries(dataOf(layout).map((name) => [name, options[name]]));
}
