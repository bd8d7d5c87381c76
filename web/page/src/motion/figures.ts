// figures.ts - the figures of a motion: its own, and the one that it is retargeted onto.
//
// The worker makes their clips (maker/maker.ts); here they are drawn. The old figure stays on screen
// until the new one has loaded.

import type { Clip, ContactPoint, LimberWithClips, Model, RetargetMap } from 'limber';
import type { Moving } from '../curves/dock';
import type { Files as MeshFiles } from '../stage/meshes';
import { Actor } from './actor';
import { pointsOf } from './contacts';
import type { Correction, HeldPoint, MotionState } from './document';
import { Frames } from './frames';
import type {
  SourceMade,
  SourceWanted,
  TargetMade,
  TargetWanted,
  Warnings,
} from './maker/messages';
import { type MeshPoints, meshPoints } from './mesh_points';
import type { TargetFigure } from './target_figures';
import { asItIs, type Pace, paceOf } from './pace';
import { wordsOf } from './place';
import { type Remote, Superseded } from './remote';
import { failure, noOutcome, type Outcome, outcomeOf, refusalOf } from './report';
import type { Played } from './savings';
import type { SkinSource } from './skin';
import { clipOf, type Take } from './take';

/** Seconds to either side of a time, to see how fast a source is shown. */
const beside = 1e-4;

/** One figure with its motion. */
export interface Part {
  actor: Actor;
  clip: Clip;
}

/** What is to be made, as the state has it. */
export interface Wanted {
  motion: MotionState;
  corrections: readonly Correction[];
  /** Empty: as they are found. */
  contacts: readonly HeldPoint[];
}

export interface FigureEvents {
  open(library: LimberWithClips, choice: string): TargetFigure | null;
  redraw(): void;
  /** The mesh of a character is on its figure. */
  meshLoaded(): void;
  warn(words: string): void;
  /** Corrections could not be made. */
  refuse(error: unknown): void;
  /** A clip that was waited for is there. */
  loaded(): void;
  /** Nothing may be played of this any more: it is released now. */
  leaving(clip: Clip): void;
  /** A new source, or other figures than before. */
  arrange(fresh: boolean): void;
}

/** What of the target is compared with the source: angles between their trunks and limbs. */
const compared = ['trunk', 'left arm', 'right arm', 'left leg', 'right leg'] as const;

const on = ({ corrections }: Wanted, which: Correction['on']): Correction[] =>
  corrections.filter((each) => each.on === which);

export class Figures {
  readonly #events: FigureEvents;
  readonly #remote: Remote;
  take: Take | null = null;
  part = 0;
  /** What the motion goes onto; the target may be on another figure until its own clip has come. */
  onto: TargetFigure | null = null;
  source: Part | null = null;
  target: (Part & { onto: TargetFigure }) | null = null;
  outcome: Outcome = noOutcome;
  /** What is waited for, in words; '': nothing. */
  working = '';
  /** When the source's points rest. */
  points: readonly ContactPoint[] = [];
  /** The same, without what was edited. */
  #found: readonly ContactPoint[] = [];
  #held: readonly ContactPoint[] = [];
  /** The map in use; null: none. */
  map: RetargetMap | null = null;
  /** When the source is shown: slowed down, or as it is. */
  pace: Pace = asItIs;
  #choice: string | null = null;
  /** Why there is no figure of this choice. */
  #refusal = '';
  /** What the source and everything was requested, and what the source was made for. */
  #requested = '';
  #made = '';
  /** The part that is shown. */
  #shown = 0;
  #turn = 0;
  #settled: Promise<void> = Promise.resolve();
  /** What the target is made of, for saving. */
  #wantedTarget: TargetWanted | null = null;
  /** Whether targets can be compared with their sources. */
  readonly #compared = new WeakMap<Clip, boolean>();
  /** What was said of the motion that is here. */
  readonly #warned = new Set<string>();

  constructor(remote: Remote, events: FigureEvents) {
    this.#remote = remote;
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

  /** The velocity of a figure at a time that is shown, as fast as it is shown. */
  ratesAt({ actor, clip }: Part, time: number): Float64Array {
    if (actor !== this.source?.actor) return clip.rates(time).velocity;
    const { toSource } = this.pace;
    const slope = (toSource(time + beside) - toSource(time - beside)) / (2 * beside);
    return clip.rates(toSource(time)).velocity.map((x) => x * slope);
  }

  /** How far the target is from the source; undefined: there is no target, or one without these limbs. */
  get errors(): Moving['errors'] {
    const { source, target } = this;
    if (!source || !target) return undefined;
    if (!this.#compared.has(target.clip))
      try {
        this.#errorsAt([target.clip.begin, target.clip.end]);
        this.#compared.set(target.clip, true);
      } catch {
        this.#compared.set(target.clip, false);
      }
    return this.#compared.get(target.clip) ? (times) => this.#errorsAt(times) : undefined;
  }

  // as limber measures it, at the times that are shown
  #errorsAt(times: readonly number[]): ReturnType<NonNullable<Moving['errors']>> {
    const made: Clip[] = [];
    try {
      for (const part of [this.source!, this.target!])
        made.push(
          part.clip.model.clip(times.map((time) => ({ time, q: this.poseAt(part, time) }))),
        );
      const [source, target] = made as [Clip, Clip];
      const { clips } = source.model.limber as LimberWithClips;
      const report = clips.fidelity(target, source, { frames: true });
      const columns = report.columns!;
      const curves = compared
        .filter((name) => report[name] !== null)
        .map((name) => ({
          name,
          values: times.map(
            (_, i) => report.eachFrame![columns.length * i + columns.indexOf(name)]!,
          ),
        }));
      return { curves, turns: true };
    } finally {
      for (const clip of made) clip.release();
    }
  }

  /** What is played now, for saving. */
  get played(): Played[] {
    const { take, source, target } = this;
    const played: Played[] = [];
    if (take && source)
      played.push({
        ...{ who: 'source', name: take.name, clip: source.clip, contacts: this.points },
        ...{ saves: take.saves, others: take.others },
      });
    if (target)
      played.push({
        ...{ who: 'target', name: target.onto.name, clip: target.clip, contacts: this.#held },
        ...{ saves: target.onto.saves, others: target.onto.others },
      });
    return played;
  }

  /** A file of what is played, when all that was requested has come. */
  async write(
    who: Played['who'],
    format: string,
    wanted: () => Wanted,
  ): Promise<Uint8Array<ArrayBuffer>> {
    await this.settle();
    const of = who === 'target' ? this.#wantedTarget : this.#sourceWanted(wanted());
    if (!of || (who === 'target' && !this.target))
      throw new Error('there is no such motion any more');
    return this.#remote.write({ of, format });
  }

  /** Waits until nothing is waited for. */
  async settle(): Promise<void> {
    while (this.working !== '') await this.#settled;
  }

  /** Another motion in the place of the one that is here. */
  open(take: Take): void {
    this.#dropTarget();
    this.#dropOnto();
    this.#choice = null;
    this.#dropSource();
    this.#warned.clear();
    this.take?.release();
    this.take = take;
    this.part = this.#shown = 0;
    this.#cancel();
    const actor = this.#newActor(take.model, take.name, new Map(), take.skin);
    this.#takeSource(take, actor, take.first!, sourceKey(take, 0, []));
    this.points = this.#found;
    this.#events.arrange(true);
  }

  /** The target is made anew: its figure is another one under the same name. */
  forgetTarget(): void {
    this.#choice = null;
  }

  // nothing is waited for any more
  #cancel(): void {
    this.#turn++;
    this.#requested = this.working = '';
  }

  #dropSource(): void {
    this.source?.actor.dispose();
    this.#release(this.source);
    this.source = null;
    this.#made = '';
  }

  #dropTarget(): void {
    const { target } = this;
    target?.actor.dispose();
    this.#release(target);
    if (target && target.onto !== this.onto) target.onto.release();
    this.target = this.map = null;
    this.#wantedTarget = null;
    this.#held = [];
    this.pace = asItIs;
    this.outcome = noOutcome;
  }

  #release(part: Part | null): void {
    if (!part) return;
    this.#events.leaving(part.clip);
    part.clip.release();
  }

  // the target may still be on it
  #dropOnto(): void {
    if (this.onto && this.onto !== this.target?.onto) this.onto.release();
    this.onto = null;
  }

  #newActor(model: Model, name: string, files: MeshFiles, skin: SkinSource | null): Actor {
    const actor = new Actor(model, name, files, () => this.#events.redraw());
    if (skin)
      actor.wear(skin).then(
        () => this.#events.meshLoaded(),
        (error: unknown) => this.#events.warn(`${name}: its mesh: ${wordsOf(error)}`),
      );
    return actor;
  }

  // ---- making ----

  /**
   * Makes what is wanted and is not there yet; events.loaded() says when it is. `reading`: what there
   * is may be replaced soon, so that nothing is requested.
   */
  prepare(library: LimberWithClips, wanted: Wanted, reading: boolean): void {
    const { take } = this;
    if (!take) return;
    this.#showContacts(take, wanted);
    if (reading) return;
    if (wanted.motion.onto !== this.#choice) this.#openOnto(library, wanted.motion.onto);
    const { options, map } = wanted.motion;
    const { part, corrections, contacts } = { ...wanted, part: this.part };
    const requested = JSON.stringify([
      part,
      corrections,
      contacts,
      this.onto?.serial,
      options,
      map,
    ]);
    if (requested === this.#requested) return;
    this.#requested = requested;
    // without a figure there is nothing to wait for
    if (!this.onto) this.#clearTarget(this.#refusal ? failure(this.#refusal) : noOutcome);
    this.#settled = this.#make(take, wanted, ++this.#turn);
  }

  // what was edited is seen at once
  #showContacts(take: Take, { contacts }: Wanted): void {
    const edited = contacts.length > 0 ? pointsOf(contacts, take.model) : null;
    this.points = edited ?? this.#found;
  }

  #openOnto(library: LimberWithClips, choice: string): void {
    this.#dropOnto();
    this.#refusal = '';
    this.#requested = '';
    this.#choice = choice;
    try {
      this.onto = this.#events.open(library, choice);
    } catch (error) {
      this.#refusal = wordsOf(error);
    }
  }

  get #retargeting(): string {
    return this.onto ? `Retargeting onto ${this.onto.name}` : '';
  }

  // what is waited for is known as soon as this is called
  async #make(take: Take, wanted: Wanted, turn: number): Promise<void> {
    const isLast = (): boolean => turn === this.#turn;
    this.working = this.#retargeting;
    try {
      await this.#makeSource(take, wanted, isLast);
      if (isLast()) await this.#makeTarget(take, wanted, isLast);
    } catch (error) {
      if (!isLast()) return;
      // another motion is read; this one is requested again if nothing comes of that
      if (error instanceof Superseded) this.#requested = '';
      else this.#events.refuse(error);
    }
    if (!isLast() || this.working === '') return;
    this.working = '';
    this.#events.loaded();
  }

  #sourceWanted(wanted: Wanted): SourceWanted {
    return { origin: this.take!.origin, part: this.part, corrections: on(wanted, 'source') };
  }

  async #makeSource(take: Take, wanted: Wanted, isLast: () => boolean): Promise<void> {
    const source = this.#sourceWanted(wanted);
    const key = sourceKey(take, source.part, source.corrections);
    if (key === this.#made) return;
    this.working = source.part === this.#shown ? 'Correcting' : `Reading ${take.name}`;
    const made = await this.#remote.source(source);
    if (!isLast()) return;
    // of another animation nothing stays
    const fresh = source.part !== this.#shown;
    if (fresh) this.#clearTarget(noOutcome);
    this.#shown = source.part;
    this.#release(this.source);
    this.#takeSource(take, this.source!.actor, made, key);
    this.#showContacts(take, wanted);
    if (fresh) this.#events.arrange(true);
    this.working = this.#retargeting;
    this.#events.loaded();
  }

  #takeSource(take: Take, actor: Actor, made: SourceMade, key: string): void {
    this.source = { actor, clip: clipOf(take.model, made.clip) };
    this.#found = made.contacts;
    this.#made = key;
    this.#warn(take.name, made.warnings);
  }

  // what the source does on another figure
  async #makeTarget(take: Take, wanted: Wanted, isLast: () => boolean): Promise<void> {
    const { onto } = this;
    if (!onto) return;
    try {
      const request = await this.#targetWanted(take, onto, wanted);
      if (!isLast()) return;
      const result = await this.#remote.target(request);
      if (!isLast()) return;
      const { map, warnings, made } = result;
      if (made) this.#takeTarget(onto, made, request);
      else this.#clearTarget(refusalOf(result, { source: take.model, target: onto.model }));
      this.map = map;
      this.#warn(onto.name, warnings);
    } catch (error) {
      if (error instanceof Superseded || !isLast()) throw error;
      this.#clearTarget(failure(wordsOf(error)));
    }
  }

  async #targetWanted(take: Take, onto: TargetFigure, wanted: Wanted): Promise<TargetWanted> {
    const { options, map } = wanted.motion;
    const { points } = this;
    const isKnown = wanted.contacts.length > 0 || take.contacts !== null;
    const source = this.#sourceWanted(wanted);
    const meshes = options.margin === null ? {} : await meshesOf(onto);
    return {
      ...{ source, options, meshes, figure: onto.figure },
      contacts: isKnown && points.length > 0 ? points : null,
      map: map.onto === onto.name ? map.text : '',
      corrections: on(wanted, 'target'),
    };
  }

  #clearTarget(outcome: Outcome): void {
    const before = this.target;
    this.#dropTarget();
    this.outcome = outcome;
    if (before) this.#events.arrange(false);
  }

  // a figure that is there stays while its motion changes
  #takeTarget(onto: TargetFigure, made: TargetMade, request: TargetWanted): void {
    const before = this.target;
    const kept = before?.onto === onto ? before.actor : null;
    if (kept) this.#release(before);
    else this.#dropTarget();
    const { keyTimes, contacts, report, collision, seconds } = made;
    const clip = clipOf(onto.model, made.clip);
    this.pace = keyTimes ? paceOf(this.source!.clip.times, keyTimes) : asItIs;
    const actor = kept ?? this.#newActor(onto.model, onto.name, onto.files, onto.skin);
    this.target = { actor, clip, onto };
    this.#held = contacts;
    this.#wantedTarget = request;
    const { options } = request;
    this.outcome = outcomeOf({ report, clip, options, collision, seconds });
    if (!kept) this.#events.arrange(false);
  }

  #warn(name: string, warnings: Warnings): void {
    for (const message of warnings) {
      const words = `${name}: ${message}: its soles are assumed`;
      if (!this.#warned.has(words)) this.#events.warn(words);
      this.#warned.add(words);
    }
  }
}

/** What a source is made of. */
const sourceKey = ({ origin }: Take, part: number, corrections: readonly Correction[]): string =>
  JSON.stringify([origin.serial, part, corrections]);

/** The points of a figure's meshes, read once. */
const known = new WeakMap<TargetFigure, Promise<MeshPoints>>();
function meshesOf(onto: TargetFigure): Promise<MeshPoints> {
  if (!known.has(onto)) known.set(onto, meshPoints(onto.model, onto.files));
  return known.get(onto)!;
}

/** The height of the ground: where feet rest, else the lowest link of the first frame. */
export function groundOf(points: readonly ContactPoint[], { actor, clip }: Part): number {
  if (points.some(({ spans }) => spans.length > 0))
    return Math.min(...points.map(({ height }) => height));
  const t = actor.state.update(clip.at(clip.begin)).transforms;
  let low = Infinity;
  for (let i = 12; i < t.length; i += 12) low = Math.min(low, t[i + 11]!);
  return Number.isFinite(low) ? Math.min(low, 0) : 0;
}
