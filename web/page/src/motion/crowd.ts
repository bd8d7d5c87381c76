// crowd.ts - many of one figure, each at another time of the same clip.
//
// One call samples the clip at all their times, a second one computes the matrices of all links of
// all of them; all that is rigid in a link is one geometry, drawn for all at once.

import type { Clip, FkBatch } from 'limber';
import * as THREE from 'three';
import { bones, type Part, shapes } from '../stage/parts';
import { Ranks } from '../stage/ranks';

export interface CrowdFigures {
  count: number;
  /** Milliseconds of one picture: poses, matrices. */
  sampling: number;
  placing: number;
  /** Matrices a second, by the time that both take. */
  matrices: number;
  framesPerSecond: number;
}

/** Pictures whose times count, the last ones. */
const lately = 30;
/** After so many pictures with shapes their time is looked at: milliseconds each. */
const trial = 4;
const slow = 60;

/** Engines' clocks are coarse: a mean counts where a single picture would not. */
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The least and the largest x and y of where the figure is. */
function pathOf(clip: Clip): { low: THREE.Vector2; high: THREE.Vector2 } {
  const box = new THREE.Box2();
  const state = clip.model.state();
  const at = 12 * Math.min(1, clip.model.links.length - 1);
  const steps = 32;
  for (let i = 0; i <= steps; i++) {
    const time = clip.begin + ((clip.end - clip.begin) * i) / steps;
    const t = state.update(clip.at(time)).transforms;
    box.expandByPoint(new THREE.Vector2(t[at + 9], t[at + 10]));
  }
  state.release();
  return { low: box.min, high: box.max };
}

export class Crowd {
  readonly group = new THREE.Group();
  figures: CrowdFigures | null = null;
  /** Metres from the middle to the outermost. */
  readonly extent: number;
  readonly #clip: Clip;
  readonly #kinematics: FkBatch;
  readonly #size: number;
  #ranks: Ranks | null = null;
  #plain = false;
  readonly #places: Float64Array;
  readonly #offsets: Float64Array;
  readonly #times: Float64Array;
  #spent: { at: number; sampling: number; placing: number }[] = [];

  /** `size` is a figure's; they stand in rows around the first. */
  constructor(clip: Clip, count: number, size: number) {
    const { model } = clip;
    this.#clip = clip;
    this.#size = size;
    this.#kinematics = model.fkBatch();
    this.#places = new Float64Array(3 * count);
    this.#offsets = new Float64Array(count);
    this.#times = new Float64Array(count);
    this.extent = this.#spread(size);
    this.#dress(shapes(model));
  }

  // a renderer that is too slow for shapes is given bones
  #dress(parts: Part[] | null): void {
    this.#ranks?.dispose();
    this.#plain = parts === null;
    this.#spent = [];
    this.#ranks = new Ranks(parts ?? bones(this.#clip.model, this.#size), this.count, this.#plain);
    this.group.add(...this.#ranks.meshes);
  }

  // in a field that is about square, each with room for its own path; returns half of its breadth
  #spread(size: number): number {
    const { begin, end } = this.#clip;
    const { low, high } = pathOf(this.#clip);
    const room = high
      .clone()
      .sub(low)
      .addScalar(0.7 * size);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const columns = Math.max(1, Math.round(Math.sqrt((this.count * room.y) / room.x)));
    const rows = Math.ceil(this.count / columns);
    for (let i = 0; i < this.count; i++) {
      const x = room.x * ((i % columns) - (columns - 1) / 2) - middle.x;
      const y = room.y * (Math.floor(i / columns) - (rows - 1) / 2) - middle.y;
      this.#places.set([x, y, 0], 3 * i);
      // the golden section puts any number of offsets far apart
      this.#offsets[i] = (end - begin) * ((i * 0.6180339887) % 1);
    }
    return Math.max(columns * room.x, rows * room.y) / 2;
  }

  get count(): number {
    return this.#times.length;
  }

  /** All of them where they are at this time; what that takes is measured while they move. */
  show(time: number, moving: boolean): void {
    const { begin, end } = this.#clip;
    const length = end - begin;
    const { count } = this;
    const began = performance.now();
    for (let i = 0; i < count; i++)
      this.#times[i] = length > 0 ? begin + ((time - begin + this.#offsets[i]!) % length) : begin;
    const poses = this.#clip.poses(this.#times);
    const sampled = performance.now();
    const matrices = this.#kinematics.matrices(poses, this.#places);
    const placed = performance.now();
    this.#ranks?.place(matrices);
    if (moving) this.#measure(began, sampled - began, placed - sampled);
    else this.#spent = [];
  }

  #measure(at: number, sampling: number, placing: number): void {
    this.#spent.push({ at, sampling, placing });
    if (this.#spent.length > lately) this.#spent.shift();
    const span = at - this.#spent[0]!.at;
    const pictures = this.#spent.length - 1;
    const s = mean(this.#spent.map((each) => each.sampling));
    const p = mean(this.#spent.map((each) => each.placing));
    if (pictures === trial && !this.#plain && span > trial * slow) this.#dress(null);
    this.figures = {
      count: this.count,
      sampling: s,
      placing: p,
      matrices: s + p > 0 ? (1000 * this.count * this.#clip.model.links.length) / (s + p) : 0,
      framesPerSecond: span > 0 ? (1000 * pictures) / span : 0,
    };
  }

  dispose(): void {
    this.#kinematics.release();
    this.#ranks?.dispose();
    this.group.removeFromParent();
  }
}
