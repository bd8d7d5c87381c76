// check.js - what is wrong with a motion; include/limber/check.h.

import { LimberError, lastError } from './error.js';
import { Block } from './heap.js';
import {
  checkItemTexts,
  checkOptions as layout,
  checkPair,
  checkReport,
  checkWorst,
  fidelityItemTexts,
  fidelityOptions,
  fidelityReport,
  fidelityWorst,
} from './layouts.js';
import { pick, withDefaults } from './names.js';
import { readField, readRecord, readRecords, withRecord, writeRecord } from './record.js';

export const checkDefaults = {
  contacts: null,
  rest: null,
  ground: 0,
  groundNormal: [0, 0, 0],
  accelerations: null,
  collision: null,
  margin: 0,
  thresholds: {},
  frames: false,
  warn: undefined,
};

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
  for (const item of Object.keys(o.thresholds)) pick(heap, 'threshold', item, checkItemTexts);
  return o;
}

/** The worst of an item with the name of what it is of. */
function itemOf(clip, points, which, { frame, where, ...item }) {
  if (frame < 0) return item;
  if (where < 0) return { ...item, frame, time: clip.timeOf(frame) };
  const { links, joints } = clip.model;
  const names = { overlap: () => links[where].name };
  for (const name of ['slide', 'floating', 'penetration'])
    names[name] = () => links[points[where].link].name;
  const of = (names[which] ?? (() => joints[where].name))();
  return { ...item, frame, time: clip.timeOf(frame), of };
}

/** How near pairs come, the nearest first. */
function nearPairs(heap, clip, collision, margin) {
  const { pairs, model } = collision;
  const nameOf = (link) => model.links[link].name;
  const read = (at) => {
    const given = [clip.pointer, collision.pointer, margin, 0, at, heap.error];
    if (heap.call.lb_clip_check_pairs(...given) !== 0) throw lastError(heap);
    return readRecords(heap, checkPair, at, pairs.length);
  };
  return withRecord(heap, checkPair, read, pairs.length)
    .map(({ distance, key, near, touching }, i) => ({
      ...{ a: nameOf(pairs[i].a), b: nameOf(pairs[i].b), distance },
      ...{ overlap: Math.max(0, -distance), frame: key, time: key < 0 ? NaN : clip.timeOf(key) },
      ...{ framesTouching: touching, framesNear: near },
    }))
    .filter(({ framesNear }) => framesNear > 0)
    .sort((x, y) => x.distance - y.distance);
}

/** Why nothing is known of an item, in the order in which the program says it. */
function isKnown(which, clip, { points, assumed, collision }) {
  if (which === 'speed') return clip.model.joints.some(({ velocity }) => Number.isFinite(velocity));
  if (which === 'overlap') return (collision?.checked ?? 0) > 0;
  if (which === 'open') return clip.model.loopCount > 0;
  if (!['slide', 'floating', 'penetration'].includes(which)) return true;
  if (points === null || (which !== 'slide' && assumed)) return false;
  return which === 'penetration' || points.some(({ spans }) => spans.length > 0);
}

/** Calls `use` with a pointer to what a clip is measured with. */
function withOptions(heap, o, use) {
  const { ground, groundNormal, accelerations, collision } = o;
  const pointers = { collision: collision ? collision.pointer : 0 };
  return heap.withNumbers(accelerations ?? [], (numbers) =>
    withRecord(heap, layout, (at) => {
      heap.call.lb_check_options_default(at);
      const thresholds = readField(heap, layout, at, 'thresholds');
      checkItemTexts.forEach((item, i) => (thresholds[i] = o.thresholds[item] ?? thresholds[i]));
      writeRecord(heap, layout, at, { ground, groundNormal, thresholds, ...pointers });
      if (accelerations) writeRecord(heap, layout, at, { accelerations: numbers });
      return use(at);
    }),
  );
}

/**
 * All items; `contacts` is a pointer to those whose points are given, 0 and null where there are
 * none. `o` has been through checkOptions().
 */
export function checkClip(heap, clip, { contacts, points, assumed, o }) {
  const { collision } = o;
  const keyed = o.frames ? clip.count * checkItemTexts.length : 0;
  const measure = (values, at, out) => {
    const given = [clip.pointer, contacts, at, 0, o.frames ? values.pointer : 0, out, heap.error];
    if (heap.call.lb_clip_check(...given) !== 0) throw lastError(heap);
    const report = { frames: clip.count };
    checkItemTexts.forEach((which, i) => {
      const item = readRecord(
        heap,
        checkWorst,
        out + checkReport.fields.items[0] + checkWorst.size * i,
      );
      const known = isKnown(which, clip, { points, assumed, collision });
      report[which] = known ? itemOf(clip, points, which, item) : null;
    });
    if (o.frames) {
      report.columns = checkItemTexts;
      report.eachFrame = values.numbers.slice(0, keyed);
    }
    report.links = collision && {
      ...{ shapes: collision.shapes, missing: collision.missing, pairs: collision.checked },
      ...{ margin: o.margin, near: nearPairs(heap, clip, collision, o.margin) },
    };
    return report;
  };
  return withBlock(heap, keyed, (values) =>
    withOptions(heap, o, (at) => withRecord(heap, checkReport, (out) => measure(values, at, out))),
  );
}

/** How like its source a clip is: include/limber/fidelity.h. */
export function compareClips(heap, clip, source, options = {}) {
  const level = { groundNormal: [0, 0, 0], sourceGroundNormal: [0, 0, 0] };
  const defaults = { thresholds: {}, frames: false, ...level };
  const { thresholds, frames, ...grounds } = withDefaults(heap, options, defaults);
  const each = frames ? clip.count * fidelityItemTexts.length : 0;
  for (const item of Object.keys(thresholds)) pick(heap, 'threshold', item, fidelityItemTexts);
  const measure = (values, at, out) => {
    heap.call.lb_fidelity_options_default(at);
    const bounds = readField(heap, fidelityOptions, at, 'thresholds');
    fidelityItemTexts.forEach((item, i) => (bounds[i] = thresholds[item] ?? bounds[i]));
    writeRecord(heap, fidelityOptions, at, { ...grounds, thresholds: bounds });
    const into = frames ? values.pointer : 0;
    const given = [clip.pointer, source.pointer, at, 0, into, out, heap.error];
    if (heap.call.lb_clip_fidelity(...given) !== 0) throw lastError(heap);
    const report = readRecord(heap, fidelityReport, out);
    fidelityItemTexts.forEach((which, i) => {
      const place = out + fidelityReport.fields.items[0] + fidelityWorst.size * i;
      const { known, ...item } = readRecord(heap, fidelityWorst, place);
      report[which] = known ? { ...item, time: clip.timeOf(item.frame) } : null;
    });
    if (frames) {
      report.columns = fidelityItemTexts;
      report.eachFrame = values.numbers.slice(0, report.frames * fidelityItemTexts.length);
    }
    return report;
  };
  return withBlock(heap, each, (values) =>
    withRecord(heap, fidelityOptions, (at) =>
      withRecord(heap, fidelityReport, (out) => measure(values, at, out)),
    ),
  );
}
