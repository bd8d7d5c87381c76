// frames.ts - the keys of a clip by time.

import type { Clip } from 'limber';

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
