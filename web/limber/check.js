// check.js - what is wrong with a motion; include/limber/check.h.

import { LimberError, lastError } from './error.js';
import { Block } from './heap.js';
import { readTexts, vectorOf, withDefaults } from './names.js';

export const checkDefaults = {
  contacts: null,
  rest: null,
  ground: 0,
  groundNormal: [0, 0, 0],
  accelerations: null,
  collision: null,
  margin: 0,
  frames: false,
  warn: undefined,
};

// as in bindings/flat/clips/check.c
const itemNumbers = 5;
const pairNumbers = 3; // a double, and three integers in the room of two

/** Calls `use` with a block of so many numbers of the module's. */
function withBlock(heap, count, use) {
  const block = new Block(heap, Math.max(1, count));
  try {
    return use(block);
  } finally {
    block.release();
  }
}

/** The options, refused where they do not fit the clip. */
export function checkOptions(heap, clip, options) {
  const o = withDefaults(heap, options, checkDefaults);
  const { joints, name } = clip.model;
  if (o.collision && o.collision.model !== clip.model)
    throw new LimberError(`the collision is of another model than the clip of '${name}'`);
  if (o.accelerations && o.accelerations.length !== joints.length)
    throw new LimberError(
      `accelerations: model '${name}' has ${joints.length} joints, not ${o.accelerations.length}`,
    );
  return o;
}

/** The worst of an item with the name of what it is of. */
function itemOf(clip, points, which, [worst, key, where, rms, beyond]) {
  const item = { worst, rms, framesBeyond: beyond };
  if (where < 0) return item;
  const { links, joints } = clip.model;
  const names = { overlap: () => links[where].name };
  for (const name of ['slide', 'floating', 'penetration'])
    names[name] = () => links[points[where].link].name;
  const of = (names[which] ?? (() => joints[where].name))();
  return { ...item, frame: key, time: clip.timeOf(key), of };
}

/** How near pairs come, the nearest first. */
function nearPairs(heap, clip, collision, margin) {
  const { pairs, model } = collision;
  return withBlock(heap, pairNumbers * pairs.length, (block) => {
    if (heap.call.check_pairs(clip.pointer, collision.pointer, margin, block.pointer) !== 0)
      throw lastError(heap);
    const near = [];
    pairs.forEach(({ a, b }, i) => {
      const at = block.at(pairNumbers * i);
      const [key, count, touching] = new Int32Array(heap.memory.buffer, at + 8, 3);
      if (count === 0) return;
      const distance = heap.f64[at / 8];
      near.push({
        ...{ a: model.links[a].name, b: model.links[b].name },
        ...{ distance, overlap: Math.max(0, -distance), frame: key, time: clip.timeOf(key) },
        ...{ framesTouching: touching, framesNear: count },
      });
    });
    return near.sort((x, y) => x.distance - y.distance);
  });
}

/** Why nothing is known of an item, in the order in which the program says it. */
function isKnown(which, clip, { points, assumed, collision }) {
  if (which === 'speed')
    return clip.model.joints.some(({ velocity }) => Number.isFinite(velocity));
  if (which === 'overlap') return (collision?.checked ?? 0) > 0;
  if (!['slide', 'floating', 'penetration'].includes(which)) return true;
  if (points === null || (which !== 'slide' && assumed)) return false;
  return which === 'penetration' || points.some(({ spans }) => spans.length > 0);
}

/**
 * All items; `contacts` is a pointer to those whose points are given, 0 and null where there are
 * none. `o` has been through checkOptions().
 */
export function checkClip(heap, clip, { contacts, points, assumed, o }) {
  const items = readTexts(heap, 'check_text');
  const { collision } = o;
  const keyed = o.frames ? clip.count * items.length : 0;
  return withBlock(heap, keyed, (values) =>
    withBlock(heap, itemNumbers * items.length, (out) => {
      const ground = [o.ground, ...vectorOf('groundNormal', o.groundNormal)];
      const status = heap.withNumbers(ground, (g) =>
        heap.withNumbers(o.accelerations ?? [], (a) =>
          heap.call.check_clip(
            ...[clip.pointer, contacts, g, o.accelerations ? a : 0],
            ...[collision ? collision.pointer : 0, o.frames ? values.pointer : 0, out.pointer],
          ),
        ),
      );
      if (status !== 0) throw lastError(heap);
      const report = { frames: clip.count };
      items.forEach((which, i) => {
        const row = out.numbers.slice(itemNumbers * i, itemNumbers * (i + 1));
        const known = isKnown(which, clip, { points, assumed, collision });
        report[which] = known ? itemOf(clip, points, which, row) : null;
      });
      if (o.frames) {
        report.columns = items;
        report.eachFrame = values.numbers.slice(0, keyed);
      }
      report.links = collision && {
        ...{ shapes: collision.shapes, missing: collision.missing, pairs: collision.checked },
        ...{ margin: o.margin, near: nearPairs(heap, clip, collision, o.margin) },
      };
      return report;
    }),
  );
}
