// frames.ts - the keys of the source by the time at which they are shown.

import type { Clip } from 'limber';
import type { Pace } from './pace';

/** The key that is nearest to a time. */
export function frameAt(clip: Clip, time: number): number {
  let [low, high] = [0, clip.count - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (clip.timeOf(middle) <= time) low = middle;
    else high = middle;
  }
  return clip.timeOf(high) - time < time - clip.timeOf(low) ? high : low;
}

export class Frames {
  readonly #clip: Clip | null;
  readonly #pace: Pace;

  /** Of nothing, where there is no motion. */
  constructor(clip: Clip | null, pace: Pace) {
    this.#clip = clip;
    this.#pace = pace;
  }

  /** The frame that is nearest to a time, and how many there are. */
  at(time: number): [number, number] {
    const clip = this.#clip;
    return clip ? [frameAt(clip, this.#pace.toSource(time)), clip.count] : [0, 0];
  }

  /** When a frame is shown; of numbers beyond, the first or the last one. */
  timeOf(frame: number): number {
    const clip = this.#clip;
    if (!clip) return 0;
    return this.#pace.toShown(clip.timeOf(Math.min(clip.count - 1, Math.max(0, frame))));
  }

  /** The time of the frame that is nearest to a time. */
  snap(time: number): number {
    return this.#clip ? this.timeOf(this.at(time)[0]) : time;
  }
}
