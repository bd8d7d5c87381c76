// pace.ts - the times of a source that is slowed down for the figure that it goes onto.
//
// What belongs to a motion (corrections, contacts) has the times of its file. What is seen and played
// has those of the result, which are later where that is slower; between keys both go on evenly.

export interface Pace {
  /** When a time of the source is shown, and which one of it a shown time is; seconds. */
  toShown(time: number): number;
  toSource(time: number): number;
}

/** Nothing is slowed down. */
export const asItIs: Pace = { toShown: (time) => time, toSource: (time) => time };

/** Where a time of one row is in another one, in order both, evenly between neighbours. */
function across(from: ArrayLike<number>, to: ArrayLike<number>, time: number): number {
  let [low, high] = [0, from.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle]! <= time) low = middle;
    else high = middle;
  }
  const gap = from[high]! - from[low]!;
  const share = gap > 0 ? (time - from[low]!) / gap : 0;
  return to[low]! + share * (to[high]! - to[low]!);
}

/** By when each key of the source is shown. */
export const paceOf = (keys: Float64Array, shown: Float64Array): Pace => ({
  toShown: (time) => across(keys, shown, time),
  toSource: (time) => across(shown, keys, time),
});
