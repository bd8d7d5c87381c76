// cast.ts - the figures of a motion: the one that it is of, and the one that it is retargeted onto.
//
// source file -> clip -> corrections -> retargeting -> corrections -> what is drawn and saved
//
// What was made is kept while what it was made for is the same.

import type { Clip, ContactPoint, LimberWithClips, Model, RetargetMap } from 'limber';
import type { Files as MeshFiles } from '../stage/meshes';
import { Actor } from './actor';
import { pointsOf } from './contacts';
import { corrected } from './correct';
import type { Correction, HeldPoint, MotionState } from './document';
import type { Onto } from './onto';
import type { Played } from './savings';
import type { SkinSource } from './skin';
import type { Take } from './take';

/** One figure with its motion. */
export interface Part {
  actor: Actor;
  clip: Clip;
  /** Before corrections. */
  base: Clip;
}

/** What came of retargeting. */
export interface Outcome {
  kind: 'good' | 'bad' | '';
  words: string;
}

/** What is to be made, as the state has it. */
export interface Wanted {
  motion: MotionState;
  corrections: readonly Correction[];
  /** Empty: as they are found. */
  contacts: readonly HeldPoint[];
}

export interface CastEvents {
  open(library: LimberWithClips, choice: string): Onto | null;
  redraw(): void;
  /** A mesh has come; or why not. */
  worn(actor: Actor): void;
  warn(words: string): void;
  /** A new source, or other figures than before. */
  arrange(fresh: boolean): void;
}

export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const noOutcome: Outcome = { kind: '', words: '' };

const on = ({ corrections }: Wanted, which: Correction['on']): Correction[] =>
  corrections.filter((each) => each.on === which);

export class Cast {
  readonly #events: CastEvents;
  take: Take | null = null;
  part = 0;
  onto: Onto | null = null;
  source: Part | null = null;
  target: Part | null = null;
  outcome = noOutcome;
  /** When the source's points rest. */
  points: readonly ContactPoint[] = [];
  #held: readonly ContactPoint[] = [];
  /** The map in use; null: none. */
  map: RetargetMap | null = null;
  #made = { source: '', contacts: '', target: '' };

  constructor(events: CastEvents) {
    this.#events = events;
  }

  get id(): string {
    return this.take ? `${this.take.id}, ${this.part}` : '';
  }

  get parts(): Part[] {
    return [this.source, this.target].filter((part) => part !== null);
  }

  partOf(actor: Actor): Part | null {
    return this.parts.find((part) => part.actor === actor) ?? null;
  }

  /** What is played now, for saving. */
  get played(): Played[] {
    const { take, source, onto, target } = this;
    const played: Played[] = [];
    if (take && source)
      played.push({
        ...{ who: 'source', name: take.name, clip: source.clip, contacts: this.points },
        ...{ saves: take.saves, others: take.others },
      });
    if (onto && target)
      played.push({
        ...{ who: 'target', name: onto.name, clip: target.clip, contacts: this.#held },
        ...{ saves: onto.saves, others: onto.others },
      });
    return played;
  }

  /** Another motion in the place of the one that is here. */
  open(take: Take): void {
    for (const part of this.parts) this.#drop(part);
    this.target?.base.release();
    this.onto?.release();
    this.source = this.target = this.onto = this.map = null;
    this.points = this.#held = [];
    this.#made = { source: '', contacts: '', target: '' };
    this.outcome = noOutcome;
    this.take?.release();
    this.take = take;
    this.part = 0;
  }

  /** The target is made anew: its figure is another one under the same name. */
  forgetTarget(): void {
    this.#made.target = '';
  }

  #drop(part: Part | null): void {
    if (!part) return;
    part.actor.dispose();
    if (part.clip !== part.base) part.clip.release();
  }

  #actor(model: Model, name: string, files: MeshFiles, skin: SkinSource | null): Actor {
    const actor = new Actor(model, name, files, () => this.#events.redraw());
    if (skin)
      actor.wear(skin).then(
        () => this.#events.worn(actor),
        (error: unknown) => this.#events.warn(`${name}: its mesh: ${wordsOf(error)}`),
      );
    return actor;
  }

  // ---- making ----

  prepare(library: LimberWithClips, wanted: Wanted): void {
    const { take } = this;
    if (!take) return;
    const source = JSON.stringify([this.part, on(wanted, 'source')]);
    if (source !== this.#made.source) this.#makeSource(library, take, wanted, source);
    const contacts = JSON.stringify([source, wanted.contacts]);
    if (contacts !== this.#made.contacts) this.#findContacts(library, take, wanted, contacts);
    const { onto, held, speedLimits, map } = wanted.motion;
    const target = JSON.stringify([contacts, onto, held, speedLimits, map, on(wanted, 'target')]);
    if (target !== this.#made.target) this.#makeTarget(library, take, wanted, target);
  }

  #makeSource(library: LimberWithClips, take: Take, wanted: Wanted, key: string): void {
    const base = take.clip(this.part);
    const clip = corrected(library, base, on(wanted, 'source'));
    const before = this.source;
    const actor = before?.actor ?? this.#actor(take.model, take.name, new Map(), take.skin);
    if (before && before.clip !== before.base) before.clip.release();
    this.source = { actor, clip, base };
    this.#made.source = key;
    if (!before) this.#findContacts(library, take, wanted, '');
    if (!before) this.#events.arrange(true);
  }

  #findContacts(library: LimberWithClips, take: Take, wanted: Wanted, key: string): void {
    this.#made.contacts = key;
    const edited = wanted.contacts.length > 0 ? pointsOf(wanted.contacts, take.model) : null;
    try {
      this.points =
        edited ??
        take.contacts ??
        library.clips.findContacts(this.source!.clip, { rest: take.rest });
    } catch {
      // what has no feet has no contacts
      this.points = [];
    }
  }

  // what the source does on another figure, which is kept while only its motion changes
  #makeTarget(library: LimberWithClips, take: Take, wanted: Wanted, key: string): void {
    const had = this.target !== null;
    this.#made.target = key;
    this.#drop(this.target);
    this.target?.base.release();
    this.onto?.release();
    this.target = this.onto = this.map = null;
    this.#held = [];
    this.outcome = noOutcome;
    try {
      this.onto = this.#events.open(library, wanted.motion.onto);
      if (this.onto) this.#retarget(library, take, this.onto, wanted);
    } catch (error) {
      this.outcome = { kind: 'bad', words: wordsOf(error) };
    }
    if (had || this.target) this.#events.arrange(false);
  }

  // the map that was edited for this figure, else the one that is found
  #findMap(library: LimberWithClips, take: Take, onto: Onto, { map }: MotionState): boolean {
    const { clips } = library;
    const edited = map.onto === onto.name && map.text !== '';
    this.map = edited
      ? clips.readMap(map.text, take.model, onto.model, { name: 'the map' })
      : clips.findMap(take.model, onto.model, { rest: take.rest });
    return edited;
  }

  #retarget(library: LimberWithClips, take: Take, onto: Onto, wanted: Wanted): void {
    const { held, speedLimits } = wanted.motion;
    const edited = this.#findMap(library, take, onto, wanted.motion);
    const known = wanted.contacts.length > 0 || take.contacts !== null;
    const begin = performance.now();
    const made = library.clips.retarget(this.source!.clip, onto.model, {
      rest: take.rest,
      unlocked: !held,
      anySpeed: !speedLimits,
      map: edited ? this.map : null,
      contacts: known && this.points.length > 0 ? this.points : null,
    });
    const seconds = (performance.now() - begin) / 1000;
    const { clip: base, report } = made;
    const clip = corrected(library, base, on(wanted, 'target'));
    this.target = { actor: this.#actor(onto.model, onto.name, onto.files, onto.skin), clip, base };
    this.#held = made.contacts;
    const slowed = report.slowed > 0 ? `; a speed limit holds back ${report.slowed} of them` : '';
    const slide = `feet that rest slide ${(1000 * report.worstSlide).toFixed(2)} mm at most`;
    this.outcome = {
      kind: 'good',
      words:
        `${report.frames} frames in ${seconds.toFixed(2)} s, at ${report.rootScale.toFixed(2)} of the size; ` +
        `${report.held > 0 ? slide : 'no foot is held'}${slowed}.`,
    };
  }
}

/** The height of the ground: where feet rest, else the lowest link of the first frame. */
export function groundOf(points: readonly ContactPoint[], { actor, base }: Part): number {
  if (points.some(({ spans }) => spans.length > 0))
    return Math.min(...points.map(({ height }) => height));
  const t = actor.state.update(base.at(base.begin)).transforms;
  let low = Infinity;
  for (let i = 12; i < t.length; i += 12) low = Math.min(low, t[i + 11]!);
  return Number.isFinite(low) ? Math.min(low, 0) : 0;
}
