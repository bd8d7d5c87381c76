// bvh.js - captures of Biovision's format; include/limber/formats/bvh.h.

import { Clip } from './clip.js';
import { reportWarnings } from './document.js';
import { LimberError, lastError } from './error.js';
import { Handle } from './heap.js';
import { bvhInfo } from './layouts.js';
import { Model } from './model.js';
import { axes, pick } from './names.js';
import { written } from './output.js';
import { readField, readRecord, withRecord } from './record.js';

/** In the order of lb_bvh_rest. */
const rests = ['recognise', true, false];

/** The bytes of a file of any motion, whose keys are even but for rounding. */
export function bvhMade(heap, clip, { unit = 0, up = 'y' } = {}) {
  const axis = pick(heap, 'axis', up, axes);
  const even = clip.even();
  const bvh = heap.call.bvh_make(even.pointer, unit, axis);
  even.release();
  if (bvh === 0) throw lastError(heap);
  const status = heap.call.bvh_write(bvh, 0);
  heap.call.lb_bvh_release(bvh);
  return written(heap, status);
}

/** Which frame is a rest pose, as lb_bvh_options has it: whether there is one, and its index. */
function restOf(frame) {
  if (Number.isInteger(frame) && frame >= 0) return [1, frame];
  const index = rests.indexOf(frame);
  if (index < 0)
    throw new LimberError(`restFrame: '${frame}' is not 'recognise', true, false or a frame`);
  return [index, 0];
}

export class Bvh {
  #heap;
  #handle;

  constructor(limber, heap, file, { name = '', unit = 0, up = 'recognise', ...given } = {}) {
    const axis = pick(heap, 'axis', up, axes);
    const { restFrame = 'recognise', strict = false, warn } = given;
    const rest = restOf(restFrame);
    const pointer = heap.withStrings([name], (path) =>
      heap.withBytes(file, (text, size) =>
        heap.call.bvh_load(path, text, size, unit, axis, ...rest, strict ? 1 : 0),
      ),
    );
    reportWarnings(heap, warn);
    if (pointer === 0) throw lastError(heap);
    this.#heap = heap;
    this.#handle = new Handle(this, pointer, () => heap.call.lb_bvh_release(pointer));
    this.model = new Model(heap, heap.call.lb_bvh_model(pointer), limber, this);
    this.info = this.#readInfo();
    const clip = heap.call.lb_bvh_clip(pointer);
    this.clip = clip === 0 ? null : new Clip(this.model, clip, this);
    // the frames without a rest pose before them, from 0 on then; null: there are none
    const motion = heap.call.lb_bvh_motion(pointer);
    this.motion = motion === clip ? this.clip : new Clip(this.model, motion, this);
    const at = heap.call.lb_bvh_rest_pose(pointer) / 8;
    this.rest = at === 0 ? null : heap.f64.slice(at, at + this.model.nq);
  }

  get pointer() {
    return this.#handle.pointer;
  }

  #readInfo() {
    const heap = this.#heap;
    return withRecord(heap, bvhInfo, (at) => {
      heap.call.lb_bvh_describe(at, this.pointer);
      const unitName = heap.string(readField(heap, bvhInfo, at, 'unitName'));
      return { ...readRecord(heap, bvhInfo, at), unitName };
    });
  }

  /** The bytes of the file, with the poses of a clip over its model in place of its own. */
  write(clip = null) {
    return written(this.#heap, this.#heap.call.bvh_write(this.pointer, clip ? clip.pointer : 0));
  }

  release() {
    if (this.motion !== this.clip) this.motion.release();
    this.clip?.release();
    this.#handle.release();
  }
}
