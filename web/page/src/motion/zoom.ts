// zoom.ts - which part of a motion the timeline shows: all of it, or down to some frames.
//
// What lies on the line has its place as a share of the whole motion, in strips that are as many times
// wider than the line as it is enlarged; so a change of the part moves strips and nothing in them.

import { clamp } from '../ui/controls';

export interface ZoomSource {
  readonly begin: number;
  readonly length: number;
}

/** Frames that are seen at least. */
const fewest = 8;
/** Pixels of a strip at most: what engines lay out exactly. */
const widest = 8e6;

export class Zoom {
  readonly #source: ZoomSource;
  /** How many times it is enlarged, and the share of the motion at the left end. */
  scale = 1;
  from = 0;

  constructor(source: ZoomSource) {
    this.#source = source;
  }

  get whole(): boolean {
    return this.scale === 1;
  }

  /** How much it may be enlarged, with so many frames on a line of so many pixels. */
  static most(frames: number, pixels: number): number {
    return Math.max(1, Math.min(frames / fewest, widest / Math.max(1, pixels)));
  }

  /** The share of the whole that a time is at. */
  share(time: number): number {
    const { begin, length } = this.#source;
    return length > 0 ? clamp((time - begin) / length, 0, 1) : 0;
  }

  /** The time at a share of what is seen. */
  timeAt(share: number): number {
    const { begin, length } = this.#source;
    return begin + length * clamp(this.from + share / this.scale, 0, 1);
  }

  /** Enlarges by a factor; what is at a share of the line stays there. */
  by(factor: number, at: number, most: number): void {
    const held = this.from + at / this.scale;
    this.scale = clamp(this.scale * factor, 1, most);
    this.#place(held - at / this.scale);
  }

  /** Moves on by a share of what is seen. */
  pan(share: number): void {
    this.#place(this.from + share / this.scale);
  }

  /** Brings a time into what is seen; returns whether that took a change. */
  reveal(time: number): boolean {
    const at = (this.share(time) - this.from) * this.scale;
    if (at >= 0 && at <= 1) return false;
    this.#place(this.share(time) - (at < 0 ? 0.9 : 0.1) / this.scale);
    return true;
  }

  reset(): void {
    this.scale = 1;
    this.from = 0;
  }

  #place(from: number): void {
    this.from = clamp(from, 0, 1 - 1 / this.scale);
  }
}
