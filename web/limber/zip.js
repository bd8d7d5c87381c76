// zip.js - the container of .npz and of folders: files in and out of a ZIP archive. What they mean is the C library's.
//
// Source: PKWARE's APPNOTE, versions 2.0 and 4.5. Read are files that are stored or deflated, which
// engines inflate by themselves; written are stored ones, with the same date every time.

import { LimberError } from './error.js';

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
const sizes = { local: 30, central: 46, end: 22 };
/** In the place of a size: it is in a field of ZIP64. */
const elsewhere = 0xffffffff;
/** What an archive may inflate to; as many bytes as a module's memory has at most. */
const most = 2 ** 32;

const table = Uint32Array.from({ length: 256 }, (_, i) => {
  let c = i;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function checksum(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function refuse(message) {
  throw new LimberError(message, 'syntax-error');
}

// ---- reading ----

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where the directory is, and how many files it has. */
function findDirectory(view) {
  // a comment of at most 65535 bytes may follow
  const least = Math.max(0, view.byteLength - sizes.end - 0xffff);
  for (let at = view.byteLength - sizes.end; at >= least; at--)
    if (view.getUint32(at, true) === signatures.end)
      return { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
  return refuse('it is no ZIP archive');
}

/** The sizes of an entry, which ZIP64 has in an extra field where they are large. */
function sizesOf(view, at, extra, end) {
  const found = [view.getUint32(at + 24, true), view.getUint32(at + 20, true)];
  for (let field = extra; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let place = field + 4;
    for (let i = 0; i < 2; i++) {
      if (found[i] !== elsewhere || place + 8 > end) continue;
      found[i] = Number(view.getBigUint64(place, true));
      place += 8;
    }
  }
  return { size: found[0], packed: found[1] };
}

/** The entry at a place of the directory, and where the next one is. */
function readEntry(bytes, view, at) {
  if (at + sizes.central > bytes.length || view.getUint32(at, true) !== signatures.central)
    refuse("the archive's directory is damaged");
  const nameEnd = at + sizes.central + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const next = extraEnd + view.getUint16(at + 32, true);
  if (next > bytes.length) refuse("the archive's directory is damaged");
  return {
    name: new TextDecoder().decode(bytes.subarray(at + sizes.central, nameEnd)),
    encrypted: (view.getUint16(at + 8, true) & 1) !== 0,
    method: view.getUint16(at + 10, true),
    sum: view.getUint32(at + 16, true),
    ...sizesOf(view, at, nameEnd, extraEnd),
    local: view.getUint32(at + 42, true),
    next,
  };
}

/** What is deflated, inflated to `size` bytes and never to more. */
async function inflate(packed, { name, size }) {
  const whole = new Uint8Array(size);
  let at = 0;
  const reader = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  try {
    for (let part; !(part = await reader.read()).done; at += part.value.length) {
      if (at + part.value.length > size) break;
      whole.set(part.value, at);
    }
  } catch {
    at = -1;
  }
  void reader.cancel().catch(() => {});
  return at === size ? whole : refuse(`'${name}' is damaged`);
}

async function contentOf(bytes, view, entry) {
  const { name, method, packed, size, local } = entry;
  if (entry.encrypted || (method !== 0 && method !== 8))
    throw new LimberError(`'${name}' is encrypted, or packed by what is not read`, 'unsupported');
  if (local + sizes.local > bytes.length || view.getUint32(local, true) !== signatures.local)
    refuse(`'${name}' is not where the archive's directory says`);
  const names = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const at = local + sizes.local + names;
  // deflate packs a thousand bytes in one, and no more
  if (at + packed > bytes.length || size > 1100 * (packed + 16) || size > most)
    refuse(`'${name}' is damaged`);
  const content = bytes.slice(at, at + packed);
  const whole = method === 0 ? content : await inflate(content, entry);
  if (whole.length !== size || checksum(whole) !== entry.sum) refuse(`'${name}' is damaged`);
  return whole;
}

/** The files of an archive: { name: bytes }. */
export async function unzip(bytes) {
  const view = viewOf(bytes);
  const { count, at } = findDirectory(view);
  const files = {};
  let packed = 0;
  let size = 0;
  for (let i = 0, next = at; i < count; i++) {
    const entry = readEntry(bytes, view, next);
    next = entry.next;
    packed += entry.packed;
    size += entry.size;
    // files that lie over each other would inflate to any size
    if (packed > bytes.length || size > most)
      refuse(`the archive's files are larger than ${packed > bytes.length ? 'it is' : '4 GiB'}`);
    files[entry.name] = await contentOf(bytes, view, entry);
  }
  return files;
}

// ---- writing ----

/** 1 January 1980, the first date that the format has. */
const date = 0x21;

/** What a local header and an entry of the directory have in common. */
function putCommon(view, at, { name, bytes, sum }) {
  view.setUint16(at, 20, true);
  view.setUint16(at + 8, date, true);
  view.setUint32(at + 10, sum, true);
  view.setUint32(at + 14, bytes.length, true);
  view.setUint32(at + 18, bytes.length, true);
  view.setUint16(at + 22, name.length, true);
}

/** An archive of files: [[name, bytes], ...]. */
export function zip(files) {
  const rows = files.map(([text, bytes]) => {
    const name = new TextEncoder().encode(text);
    return { name, bytes, sum: checksum(bytes) };
  });
  const names = rows.reduce((sum, { name }) => sum + name.length, 0);
  const contents = rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const heads = rows.length * (sizes.local + sizes.central) + sizes.end;
  const out = new Uint8Array(heads + 2 * names + contents);
  const view = viewOf(out);
  let at = 0;
  const places = rows.map((row) => {
    const place = at;
    view.setUint32(at, signatures.local, true);
    putCommon(view, at + 4, row);
    out.set(row.name, at + sizes.local);
    at += sizes.local + row.name.length;
    out.set(row.bytes, at);
    at += row.bytes.length;
    return place;
  });
  const directory = at;
  rows.forEach((row, i) => {
    view.setUint32(at, signatures.central, true);
    view.setUint16(at + 4, 20, true);
    putCommon(view, at + 6, row);
    view.setUint32(at + 42, places[i], true);
    out.set(row.name, at + sizes.central);
    at += sizes.central + row.name.length;
  });
  view.setUint32(at, signatures.end, true);
  view.setUint16(at + 8, rows.length, true);
  view.setUint16(at + 10, rows.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return out;
}
