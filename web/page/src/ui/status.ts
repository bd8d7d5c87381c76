// status.ts - the state of a solve, in the same few words on board and stage.

import type { Reason } from 'limber';

export type StatusKind =
  | 'arrived'
  | 'moving'
  | 'out of reach'
  | 'local minimum'
  | 'at limits'
  | 'stalled'
  | 'contact'
  | 'refused';

export interface Status {
  kind: StatusKind;
  /** A sign, for where there is no room for words. */
  sign: string;
  words: string;
  /** Why, for whoever asks; '': the words say all. */
  detail: string;
}

const signs: Record<StatusKind, string> = {
  arrived: '✓',
  moving: '…',
  'out of reach': '✕',
  'local minimum': '✕',
  'at limits': '✕',
  stalled: '✕',
  contact: '✕',
  refused: '–',
};

export function status(kind: StatusKind, words: string = kind, detail = ''): Status {
  return { kind, sign: signs[kind], words, detail };
}

/**
 * The status of a descent that has stopped short of its target. `beyond` says how far out
 * of reach the target is, `limits` which joints are at theirs.
 */
export function stopped(reason: Reason, beyond: string, limits: readonly string[]): Status {
  switch (reason) {
    case 'out of reach':
      return status('out of reach', `out of reach by ${beyond}`);
    case 'at limits':
      return status(
        'at limits',
        limits.length > 0 ? `at limits: ${limits.join(', ')}` : 'at limits',
      );
    case 'singular':
      return status('stalled', 'singular', 'Here no joint moves the tip towards the target.');
    case 'minimum':
      return status('local minimum');
    // its steps do too little
    default:
      return status('stalled', 'stands still');
  }
}

/** A length in the unit that a person would say. */
export function lengthWords(metres: number): string {
  if (metres >= 1) return `${Number(metres.toPrecision(3))} m`;
  if (metres >= 0.01) return `${Number((100 * metres).toPrecision(2))} cm`;
  return `${Number((1000 * metres).toPrecision(2))} mm`;
}
