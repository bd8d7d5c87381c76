// report.ts - what came of retargeting, in sentences: as limber retarget says it and its report has it.

import type { Clip, Model, Retargeted } from 'limber';
import type { Options } from './document';
import type { TargetResult } from './maker/messages';

/** What came of retargeting. */
export interface Outcome {
  kind: 'good' | 'bad' | '';
  words: string;
  /** What should be known besides, a sentence each. */
  remarks: readonly string[];
}

export const noOutcome: Outcome = { kind: '', words: '', remarks: [] };

/** What the library says of it, as a sentence. */
export const failure = (words: string): Outcome => ({
  kind: 'bad',
  words: words.replace(/^the /, 'The ') + '.',
  remarks: [],
});

/** Why nothing came of it. What is not recognised needs a map, of which there is a table here. */
export function refusalOf(
  { refusal, unrecognised }: TargetResult,
  figures: { source: Model; target: Model },
): Outcome {
  if (unrecognised === '') return failure(refusal);
  return failure(
    `the ${unrecognised} '${figures[unrecognised].name}' has no pelvis and legs that are found ` +
      'by name or by shape; give a map in the table “Bone map”',
  );
}

/** What the sentences are made of. */
export interface Made {
  report: Retargeted['report'];
  clip: Clip;
  options: Options;
  /** What keeps links apart; null: nothing does. */
  collision: { checked: number; missing: number } | null;
  /** How long it took. */
  seconds: number;
}

const times = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
const mm = (metres: number): string => `${(1000 * metres).toFixed(metres < 1e-3 ? 2 : 0)} mm`;
const cm = (metres: number): string => `${(100 * metres).toFixed(metres < 0.01 ? 1 : 0)} cm`;
const degrees = (radians: number): string => `${((180 / Math.PI) * radians).toFixed(1)} degrees`;

/** Metres from which on slides and feet below the ground are said, as by the program. */
const seen = 1e-3;

/** A sentence each, '': there is nothing to say. */
const remarks: readonly ((made: Made) => string)[] = [
  ({ report: { secondsBeforeRetiming: was }, clip }) => {
    if (was === undefined) return '';
    const is = clip.end - clip.begin;
    return is > was + 1e-9
      ? `${was.toFixed(2)} s became ${is.toFixed(2)} s: legs would be too fast.`
      : 'No leg is too fast: nothing is slowed down.';
  },
  ({ report: { fastestLeg, worstSlide, worstPenetration }, options }) => {
    if (!(fastestLeg > 1) || !(Math.max(worstSlide, worstPenetration) > seen)) return '';
    const slides = `held feet slide by up to ${mm(worstSlide)} and are up to ${mm(worstPenetration)} below the ground`;
    if (!Number.isFinite(fastestLeg))
      return `A joint of a leg would have to move and has a speed limit of 0: ${slides}; without speed limits of joints the motion is shown as it is.`;
    const remedy = options.retime
      ? 'without speed limits of joints the motion is shown as it is'
      : '“Slow down for the legs” makes the motion as long as they need';
    return `Legs would have to be ${fastestLeg.toFixed(1)} times as fast as their limits: ${slides}; ${remedy}.`;
  },
  ({ report: { moved, worstMoved } }) =>
    moved > 0
      ? `${times(moved, 'place', 'places')} of contacts moved by up to ${cm(worstMoved)}, where limbs do not reach.`
      : '',
  ({ report: { shortened } }) =>
    shortened > 0 ? `${times(shortened, 'contact')} shortened, as legs do not reach in time.` : '',
  ({ report: { touches, handsHeld, released, worstReleased }, options }) => {
    if (!options.hands && handsHeld + released === 0) return '';
    if (touches + handsHeld + released === 0) return 'Hands touch nothing.';
    const lost = released > 0 ? `, ${released} released, missed by up to ${cm(worstReleased)}` : '';
    return `Hands: ${times(touches, 'touch', 'touches')}, ${times(handsHeld, 'contact')} held${lost}.`;
  },
  ({ report: { near, worstNear }, collision, options }) => {
    if (!collision) return '';
    if (collision.checked === 0) return 'No two links have shapes that could touch.';
    const apart = mm(options.margin ?? 0);
    const missing = collision.missing;
    const left =
      missing > 0
        ? ` ${times(missing, 'shape is', 'shapes are')} left out because meshes are missing.`
        : '';
    return near > 0
      ? `Links are nearer than ${apart} in ${times(near, 'frame')}, by up to ${mm(worstNear)}.${left}`
      : `Links stay ${apart} apart.${left}`;
  },
  ({ report: { sourceGroundNormal, unseenSlope } }) => {
    const [x = 0, y = 0, z = 1] = sourceGroundNormal;
    return x !== 0 || y !== 0
      ? `The motion is on a slope of ${degrees(Math.atan2(Math.hypot(x, y), z))}; across the path ` +
          `slopes below ${degrees(Math.atan(unseenSlope))} cannot be recognised.`
      : '';
  },
];

/** How many frames in which time, how well feet stay, and what else there is to say. */
export function outcomeOf(made: Made): Outcome {
  const { report, seconds } = made;
  const slowed = report.slowed > 0 ? `; a speed limit holds back ${report.slowed} of them` : '';
  const slide = `feet that rest slide ${(1000 * report.worstSlide).toFixed(2)} mm at most`;
  return {
    kind: 'good',
    words:
      `${report.frames} frames in ${seconds.toFixed(2)} s, at ${report.rootScale.toFixed(2)} of the size; ` +
      `${report.held > 0 ? slide : 'no foot is held'}${slowed}.`,
    remarks: remarks.map((say) => say(made)).filter(Boolean),
  };
}
