// link.ts - the whole state as the end of an address, and back.
//
// The state's JSON is deflated and written in the letters of base64url. What comes
// back is untrusted: only what has the shape of a state is taken from it.

import { link as boardLink, maxLinks, maxPanes, pane, plainSettings } from '../board/document';
import { exampleBoard } from '../board/examples';
import { mostOfCrowd, optionRanges, plainCorrection, plainHeld } from '../motion/document';
import { plainTip } from '../stage/document';
import { type AppState, plainState } from './state';

const prefix = '#s=';
/** An example of the board by its id, as the lesson names it. */
const boardPrefix = '#board=';

/** Whether an address ends with a state. */
export const isLink = (hash: string): boolean =>
  hash.startsWith(prefix) || hash.startsWith(boardPrefix);

/** Bytes that a state may have: a few of one in an address would become gigabytes. */
const largest = 2 ** 25;

async function squeeze(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>)
    .getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (let part; !(part = await reader.read()).done; parts.push(part.value as BlobPart)) {
    size += part.value.length;
    if (size <= largest) continue;
    void reader.cancel();
    throw new Error(`it holds more than ${largest / 2 ** 20} MiB`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The end of the address that restores this state. */
export async function linkOf(state: AppState): Promise<string> {
  const bytes = await squeeze(
    new TextEncoder().encode(JSON.stringify(state)),
    new CompressionStream('deflate-raw'),
  );
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return prefix + btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The state that an address ends with, null: none. Throws when it is damaged. */
export async function stateOf(hash: string): Promise<AppState | null> {
  if (hash.startsWith(boardPrefix)) {
    const id = decodeURIComponent(hash.slice(boardPrefix.length));
    return { ...plainState(), view: 'board', board: exampleBoard(id) };
  }
  if (!hash.startsWith(prefix)) return null;
  const letters = atob(hash.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(
    await squeeze(bytes, new DecompressionStream('deflate-raw')),
  );
  return revive(JSON.parse(text));
}

/** What is said of an address that stateOf refuses. */
export const damageOf = (hash: string): string =>
  hash.startsWith(boardPrefix)
    ? `The board has no example '${hash.slice(boardPrefix.length)}', so the page begins as usual.`
    : 'The link is damaged, so the page begins as usual.';

/** The parts of an untrusted value that have the shape of a state; the rest is as usual. */
export function revive(given: unknown): AppState {
  const usual = plainState();
  const state = shaped(usual, given, patterns) as AppState;
  const { board, stage } = state;
  board.links = board.links
    .slice(0, maxLinks)
    .map((spec) => ({ ...spec, length: Math.min(1e4, Math.max(1e-3, spec.length)) }));
  board.panes = board.panes.slice(0, maxPanes);
  board.own = board.own.slice(0, longestCode);
  board.frames = integer(board.frames, 1, 1000);
  board.perFrame = integer(board.perFrame, 1, 500);
  board.iterations = integer(board.iterations, 1, 1000);
  board.pace = integer(board.pace, 1, 100);
  const fits =
    board.links.length > 0 &&
    board.panes.length > 0 &&
    board.start.length === board.links.length &&
    board.target.length === 2;
  if (!fits) state.board = usual.board;
  if (stage.model.from === 'file') {
    const { text, parts = {} } = stage.model;
    const texts = isRecord(parts) ? [text, ...Object.values(parts)] : [null];
    if (texts.some((each) => typeof each !== 'string')) state.stage = usual.stage;
  }
  stage.selected = integer(stage.selected, 0, 1000);
  const { motion } = state;
  motion.pace = Math.min(10, Math.max(0.01, motion.pace));
  motion.width = Math.min(2, Math.max(0.05, motion.width));
  motion.corrections = motion.corrections.filter(
    ({ joint, point, by, width }) =>
      point.length === 3 && (joint === '' ? by.length === 3 : by.length <= 6) && width > 0,
  );
  motion.contacts = motion.contacts.filter(({ at }) => at.length === 3);
  for (const point of motion.contacts)
    point.spans = point.spans.filter(({ begin, end }) => begin <= end);
  for (const key of Object.keys(optionRanges) as (keyof typeof optionRanges)[]) {
    const [low, high] = optionRanges[key];
    const given = motion.options[key];
    if (given !== null) motion.options[key] = Math.min(high, Math.max(low, given));
  }
  for (const { curves } of [motion, stage]) curves.figure = integer(curves.figure, 0, 1);
  motion.crowd = integer(motion.crowd, 0, mostOfCrowd);
  for (const key of stage.keys) key.time = Math.min(longest, Math.max(0, key.time));
  return state;
}

/** Characters of a typed method. */
const longestCode = 20_000;

/** No number of a state is larger. */
const farthest = 1e9;

/** Seconds of a motion. */
const longest = 600;

const integer = (x: number, low: number, high: number): number =>
  Math.round(Math.min(high, Math.max(low, x)));

// what the elements of lists look like, by the key of the list; null: as they may
const patterns: Record<string, unknown> = {
  links: boardLink(1),
  panes: { ...pane('lm'), settings: null },
  start: 0,
  target: 0,
  poses: [0],
  q: 0,
  tips: plainTip(''),
  keys: { time: 0, q: [0] },
  camera: 0,
  gains: 0,
  corrections: plainCorrection,
  point: 0,
  by: 0,
  contacts: plainHeld,
  at: 0,
  spans: { begin: 0, end: 0 },
};
// values that may be missing, or of two kinds
const optional = new Set(['lower', 'upper', 'settings', 'gains', ...Object.keys(optionRanges)]);

// words that are one of some, by their keys
const choices: Record<string, readonly string[]> = {
  view: ['board', 'stage', 'motion'],
  on: ['source', 'target'],
  of: ['value', 'speed', 'error', 'height'],
  motion: ['follow', 'steps', 'path'],
  layout: ['side', 'over'],
  gizmo: ['translate', 'rotate'],
  root: ['', 'fixed', 'planar', 'floating'],
  kind: ['position', 'pose'],
  protocol: ['nearest', 'any', 'given'],
  interpolation: ['linear', 'cubic'],
  workspaceAs: ['slice', 'shell'],
};

function shaped(usual: unknown, given: unknown, lists: Record<string, unknown>, key = ''): unknown {
  if (optional.has(key) && given === null) return null;
  if (optional.has(key) && typeof given === 'number')
    return Math.abs(given) <= farthest ? given : null;
  if (key === 'settings' && usual === null) return some(plainSettings, given);
  if (key === 'gains' && Array.isArray(given)) return given.filter((x) => Number.isFinite(x));
  if (
    key === 'model' &&
    isRecord(given) &&
    typeof given['name'] === 'string' &&
    ['builtin', 'figure', 'file'].includes(String(given['from']))
  )
    return given;
  if (Array.isArray(usual)) {
    if (!Array.isArray(given)) return usual;
    const pattern = lists[key] ?? usual[0];
    return given.slice(0, 5000).map((element) => shaped(pattern, element, lists));
  }
  if (typeof usual === 'number')
    return typeof given === 'number' && Math.abs(given) <= farthest ? given : usual;
  if (usual === null) return null;
  if (typeof usual !== 'object') {
    const known = choices[key]?.includes(String(given)) ?? true;
    return typeof given === typeof usual && known ? given : usual;
  }
  if (!isRecord(given)) return usual;
  return Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [
      name,
      name in given ? shaped(value, given[name], lists, name) : value,
    ]),
  );
}

/** Those parts of a record that have the usual type. */
function some(usual: object, given: unknown): Record<string, unknown> | null {
  if (!isRecord(given)) return null;
  const known = usual as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => name in known && typeof value === typeof known[name],
    ),
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
