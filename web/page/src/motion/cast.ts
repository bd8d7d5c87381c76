// cast.ts - the figures of a motion: the one that it is of, and the one that it is retargeted onto.
//
// source file -> clip -> corrections -> retargeting -> corrections -> what is drawn and saved
//
// What was made is kept while what it was made for is the same.

import type {
  Clip,
  Collision,
  ContactPoint,
  LimberWithClips,
  Model,
  Retargeted,
  RetargetMap,
} from 'limber';
import type { Files as MeshFiles } from '../stage/meshes';
import { Actor } from './actor';
import { pointsOf } from './contacts';
import { corrected } from './correct';
import type { Correction, HeldPoint, MotionState } from './document';
import { Frames } from './frames';
import { type MeshPoints, meshPoints } from './mesh_points';
import type { Onto } from './onto';
import { retargetOptions } from './options';
import { asItIs, type Pace, paceOf } from './pace';
import { failure, noOutcome, type Outcome, outcomeOf } from './report';
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
  /** What figures are made of has come: they are made again. */
  again(): void;
  /** A new source, or other figures than before. */
  arrange(fresh: boolean): void;
}

export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const on = ({ corrections }: Wanted, which: Correction['on']): Correction[] =>
  corrections.filter((each) => each.on === which);

export class Cast {
  readonly #events: CastEvents;
  take: Take | null = null;
  part = 0;
  onto: Onto | null = null;
  source: Part | null = null;
  target: Part | null = null;
  outcome: Outcome = noOutcome;
  /** When the source's points rest. */
  points: readonly ContactPoint[] = [];
  #held: readonly ContactPoint[] = [];
  /** The map in use; null: none. */
  map: RetargetMap | null = null;
  /** When the source is shown: slowed down, or as it is. */
  pace: Pace = asItIs;
  #made: { source: string; contacts: string; onto: string | null; target: string } = {
    ...{ source: '', contacts: '', onto: null, target: '' },
  };
  /** The figure to retarget onto while there is one, and why it could not be opened. */
  #actor: Actor | null = null;
  #refusal = '';
  /** What was said of the motion that is here. */
  readonly #warned = new Set<string>();
  /** Of the figure to retarget onto; null: not looked for. */
  #meshes: MeshPoints | null = null;
  #collision: { margin: number; collision: Collision } | null = null;

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

  get frames(): Frames {
    return new Frames(this.source?.clip ?? null, this.pace);
  }

  /** The pose of a figure at a time that is shown. */
  poseAt({ actor, clip }: Part, time: number): Float64Array {
    return clip.at(actor === this.source?.actor ? this.pace.toSource(time) : time);
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
    this.#dropOnto();
    this.source?.actor.dispose();
    if (this.source && this.source.clip !== this.source.base) this.source.clip.release();
    this.source = null;
    this.points = [];
    this.#made = { source: '', contacts: '', onto: null, target: '' };
    this.#warned.clear();
    this.take?.release();
    this.take = take;
    this.part = 0;
  }

  /** The target is made anew: its figure is another one under the same name. */
  forgetTarget(): void {
    this.#made.onto = null;
  }

  // the figure may stay: it is shown again with another motion
  #dropTarget(): void {
    const { target } = this;
    if (target && target.clip !== target.base) target.clip.release();
    target?.base.release();
    this.target = this.map = null;
    this.#held = [];
    this.pace = asItIs;
    this.outcome = noOutcome;
  }

  #dropActor(): void {
    this.#actor?.dispose();
    this.#actor = null;
  }

  #dropCollision(): void {
    this.#collision?.collision.release();
    this.#collision = null;
  }

  #dropOnto(): void {
    this.#dropTarget();
    this.#dropActor();
    this.#dropCollision();
    this.#meshes = null;
    this.onto?.release();
    this.onto = null;
  }

  #newActor(model: Model, name: string, files: MeshFiles, skin: SkinSource | null): Actor {
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
    const { onto, options, map } = wanted.motion;
    const target = JSON.stringify([contacts, onto, options, map, on(wanted, 'target')]);
    const another = onto !== this.#made.onto;
    if (!another && target === this.#made.target) return;
    const before = this.target?.actor;
    if (another) this.#openOnto(library, onto);
    this.#makeTarget(library, take, wanted);
    this.#made.onto = onto;
    this.#made.target = target;
    if (this.target?.actor !== before) this.#events.arrange(false);
  }

  #makeSource(library: LimberWithClips, take: Take, wanted: Wanted, key: string): void {
    const base = take.clip(this.part);
    const clip = corrected(library, base, on(wanted, 'source'));
    const before = this.source;
    const actor = before?.actor ?? this.#newActor(take.model, take.name, new Map(), take.skin);
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
        library.clips.findContacts(this.source!.clip, {
          rest: take.rest,
          warn: this.#warnOf(take.name),
        });
    } catch {
      // what has no feet has no contacts
      this.points = [];
    }
  }

  #openOnto(library: LimberWithClips, choice: string): void {
    this.#dropOnto();
    this.#refusal = '';
    try {
      this.onto = this.#events.open(library, choice);
    } catch (error) {
      this.#refusal = wordsOf(error);
    }
  }

  // what the source does on another figure, which is kept while only its motion changes
  #makeTarget(library: LimberWithClips, take: Take, wanted: Wanted): void {
    this.#dropTarget();
    try {
      if (this.onto) this.#retarget(library, take, this.onto, wanted);
      else if (this.#refusal) this.outcome = failure(this.#refusal);
    } catch (error) {
      this.outcome = failure(wordsOf(error));
    }
    if (!this.target) this.#dropActor();
  }

  // the map that was edited for this figure, else the one that is found
  #findMap(library: LimberWithClips, take: Take, onto: Onto, { map }: MotionState): boolean {
    const { clips } = library;
    const edited = map.onto === onto.name && map.text !== '';
    this.map = edited
      ? clips.readMap(map.text, take.model, onto.model, { name: 'the map' })
      : clips.findMap(take.model, onto.model, { rest: take.rest, warn: this.#warnOf(onto.name) });
    return edited;
  }

  #warnOf(name: string): (warning: { message: string }) => void {
    return ({ message }) => {
      const words = `${name}: ${message}: its soles are assumed`;
      if (!this.#warned.has(words)) this.#events.warn(words);
      this.#warned.add(words);
    };
  }

  // what keeps the links of the target apart, made once for a distance, and again with meshes
  #apart({ clips }: LimberWithClips, onto: Onto, margin: number | null): Collision | null {
    if (margin === null) return null;
    const { model } = onto;
    if (this.#meshes === null) this.#readMeshes(onto);
    const meshes = this.#meshes ?? {};
    if (this.#collision?.margin !== margin) {
      this.#dropCollision();
      const collision = clips.collision(model, { distance: margin, meshes });
      this.#collision = { margin, collision };
    }
    return this.#collision.collision;
  }

  #readMeshes(onto: Onto): void {
    this.#meshes = {};
    if (onto.files.size === 0) return;
    void meshPoints(onto.model, onto.files).then((points) => {
      // another figure was opened meanwhile
      if (this.onto !== onto) return;
      this.#meshes = points;
      this.#dropCollision();
      this.#made.target = '';
      this.#events.again();
    });
  }

  #retarget(library: LimberWithClips, take: Take, onto: Onto, wanted: Wanted): void {
    const { options } = wanted.motion;
    const edited = this.#findMap(library, take, onto, wanted.motion);
    const known = wanted.contacts.length > 0 || take.contacts !== null;
    const source = this.source!.clip;
    const collision = this.#apart(library, onto, options.margin);
    const begin = performance.now();
    const made = library.clips.retarget(source, onto.model, {
      ...retargetOptions(options),
      rest: take.rest,
      collision: collision && collision.checked > 0 ? collision : null,
      map: edited ? this.map : null,
      contacts: known && this.points.length > 0 ? this.points : null,
    });
    const seconds = (performance.now() - begin) / 1000;
    this.#take(library, onto, made, wanted);
    const { report, clip } = made;
    this.outcome = outcomeOf({ report, clip, options, collision, seconds });
  }

  #take(library: LimberWithClips, onto: Onto, made: Retargeted, wanted: Wanted): void {
    const { clip: base, keyTimes } = made;
    if (keyTimes) this.pace = paceOf(this.source!.clip.times, keyTimes);
    const corrections = on(wanted, 'target').map((each) => ({
      ...each,
      time: this.pace.toShown(each.time),
    }));
    this.#actor ??= this.#newActor(onto.model, onto.name, onto.files, onto.skin);
    this.target = { actor: this.#actor, clip: corrected(library, base, corrections), base };
    this.#held = made.contacts;
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
