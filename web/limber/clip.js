// clip.js - motion sampled in time; include/limber/clip.h.

import { LimberError, lastError } from './error.js';
import { Block, Handle } from './heap.js';
import { interpolationTexts } from './layouts.js';
import { pick } from './names.js';

/** Whether a module has more of clips than their making and sampling. */
export const hasClips = (heap) => 'lb_clip_key' in heap.call;

/** What the module with clips alone has. */
function callsOf(heap) {
  if (hasClips(heap)) return heap.call;
  throw new LimberError('this needs the module with clips: load({ clips: true })', 'unsupported');
}

/** Key poses as times and rows of numbers. */
function rowsOf(model, poses) {
  const keys = new Float64Array(poses.length * model.nq);
  poses.forEach(({ q }, i) => keys.set(model.expect(q), i * model.nq));
  return { times: poses.map(({ time }) => time), keys };
}

/** A clip of key poses: a list of them, or their times and all numbers in rows. */
export function clipOf(model, poses, { interpolation = 'cubic' } = {}) {
  const kind = pick(model.heap, 'interpolation', interpolation, interpolationTexts);
  const { times, keys } = Array.isArray(poses) ? rowsOf(model, poses) : poses;
  if (times.length === 0) throw new LimberError('a clip needs at least one key');
  if (keys.length !== times.length * model.nq)
    throw new LimberError(
      `${keys.length} numbers given where ${times.length} keys of ${model.nq} belong`,
    );
  const heap = model.heap;
  const pointer = heap.withNumbers(times, (t) =>
    heap.withNumbers(keys, (r) =>
      heap.made((place, error) =>
        heap.call.lb_clip_create(model.pointer, t, r, times.length, kind, 0, place, error),
      ),
    ),
  );
  return new Clip(model, pointer);
}

/** Key poses and what lies between them. */
export class Clip {
  #heap;
  #handle;
  #q;

  /** Of a clip that the module has made, 0 where it failed; one with an `owner` goes with that. */
  constructor(model, pointer, owner = null) {
    const heap = model.heap;
    if (pointer === 0) throw lastError(heap);
    const q = new Block(heap, Math.max(1, model.nq));
    this.model = model;
    this.owner = owner;
    this.#heap = heap;
    this.#q = q;
    const release = () => {
      if (!owner) heap.call.lb_clip_release(pointer);
      q.release();
    };
    this.#handle = new Handle(this, pointer, release, model);
    this.count = heap.call.lb_clip_count(pointer);
    this.begin = this.timeOf(0);
    this.end = this.timeOf(this.count - 1);
  }

  get pointer() {
    return this.#handle.pointer;
  }

  /** The time of a key. */
  timeOf(key) {
    return this.#heap.f64[this.#heap.call.lb_clip_times(this.pointer) / 8 + key];
  }

  get times() {
    const at = this.#heap.call.lb_clip_times(this.pointer) / 8;
    return this.#heap.f64.slice(at, at + this.count);
  }

  /** The pose at a time; held before the first key and after the last. */
  at(time) {
    this.#heap.call.lb_clip_at(this.pointer, time, this.#q.pointer);
    return this.#q.numbers.slice(0, this.model.nq);
  }

  // ---- in the module with clips ----

  get #clips() {
    return callsOf(this.#heap);
  }

  get interpolation() {
    return interpolationTexts[this.#clips.lb_clip_interpolation(this.pointer)];
  }

  /** The pose of a key. */
  key(index) {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count))
      throw new LimberError(`there is no key ${index} among ${this.count}`);
    const at = this.#clips.lb_clip_key(this.pointer, index) / 8;
    return this.#heap.f64.slice(at, at + this.model.nq);
  }

  /** The poses of all keys, one row after the other. */
  get keys() {
    const at = this.#clips.lb_clip_key(this.pointer, 0) / 8;
    return this.#heap.f64.slice(at, at + this.count * this.model.nq);
  }

  /** Velocity and acceleration at a time: { velocity, acceleration }. */
  rates(time) {
    const { nv } = this.model;
    const out = new Block(this.#heap, Math.max(1, 2 * nv));
    try {
      this.#clips.lb_clip_rates(this.pointer, time, out.pointer, out.at(nv));
      const numbers = out.numbers.slice(0, 2 * nv);
      return { velocity: numbers.slice(0, nv), acceleration: numbers.slice(nv) };
    } finally {
      out.release();
    }
  }

  /** The poses at many times, rows of single precision, as FkBatch.matrices() takes them. */
  poses(times) {
    const heap = this.#heap;
    const { clip_poses: call } = callsOf(heap);
    const length = times.length * this.model.nq;
    const rows = new Block(heap, Math.max(1, Math.ceil(length / 2)));
    try {
      heap.withNumbers(times, (at) =>
        call(this.pointer, at, times.length, this.#q.pointer, rows.pointer),
      );
      return new Float32Array(heap.memory.buffer, rows.pointer, length).slice();
    } finally {
      rows.release();
    }
  }

  /**
   * Keys per second where they are evenly spaced, else 0. Times of files are rounded: they may be
   * off by this share of a gap, as even() and the library's writers allow.
   */
  rate(tolerance = 1e-3) {
    return this.#clips.lb_clip_rate(this.pointer, tolerance);
  }

  // a clip of this one: `make` gets the calls, this clip and the arguments that all of them end with
  #made(make) {
    const calls = this.#clips;
    const pointer = this.#heap.made((place, error) => make(calls, this.pointer, 0, place, error));
    return new Clip(this.model, pointer);
  }

  resample(rate) {
    return this.#made((clips, clip, ...end) => clips.lb_clip_resample(clip, rate, ...end));
  }

  even(tolerance = 1e-3) {
    return this.#made((clips, clip, ...end) => clips.lb_clip_even(clip, tolerance, ...end));
  }

  slice(from, to) {
    return this.#made((clips, clip, ...end) => clips.lb_clip_slice(clip, from, to, ...end));
  }

  retime({ begin = this.begin, speed = 1 } = {}) {
    return this.#made((clips, clip, ...end) => clips.lb_clip_retime(clip, begin, speed, ...end));
  }

  blend(other, from, to) {
    if (other.model.heap !== this.#heap)
      throw new LimberError('clips are blended with clips of the same module');
    const { pointer } = other;
    return this.#made((clips, clip, ...end) =>
      clips.lb_clip_blend(clip, pointer, from, to, ...end),
    );
  }

  mirror() {
    return this.#made((clips, clip, ...end) => clips.lb_clip_mirror(clip, ...end));
  }

  loop(count, fade) {
    return this.#made((clips, clip, ...end) => clips.lb_clip_loop(clip, count, fade, ...end));
  }

  release() {
    this.#handle.release();
  }
}
