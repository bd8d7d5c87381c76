// maker.ts - motions read, corrected, retargeted and written, in the worker.
//
// source file -> clip -> corrections -> retargeting -> corrections -> what is drawn and saved
//
// What was made is kept while what it was made for is the same.

import {
  type Clip,
  type Collision,
  type ContactPoint,
  LimberError,
  type LimberWithClips,
  type Model,
  type Retargeted,
  type RetargetMap,
} from 'limber';
import { corrected } from '../correct';
import { retargetOptions } from '../document';
import { formats } from '../formats';
import { asItIs, paceOf } from '../pace';
import type {
  Calls,
  Figure,
  FileWanted,
  Keys,
  Opened,
  Origin,
  SourceMade,
  SourceWanted,
  TargetResult,
  TargetMade,
  TargetWanted,
} from './messages';
import { type Take, takeOf } from './take';

/** Files that are kept open: the motion, a character that it goes onto, one that is tried. */
const mostTakes = 3;

/** A clip, and that without corrections. */
interface Corrected {
  key: string;
  base: Clip;
  clip: Clip;
}

/** A figure to retarget onto, of an open file or by itself. */
interface Body {
  serial: number;
  model: Model;
  take: Take | null;
}

interface Retargeting {
  key: string;
  made: Retargeted;
  collision: TargetMade['collision'];
  seconds: number;
}

const keysOf = (clip: Clip): Keys => ({
  times: clip.times as Keys['times'],
  keys: clip.keys as Keys['keys'],
  interpolation: clip.interpolation,
});

const sourceKey = ({ origin, part, corrections }: SourceWanted): string =>
  JSON.stringify([origin.serial, part, corrections]);

const emptyResult = (): TargetResult => ({
  ...{ map: null, warnings: [], made: null, refusal: '', unrecognised: '' as const },
});

export class Maker implements Calls {
  readonly #library: LimberWithClips;
  /** By their serial numbers, the one that was used last at the end. */
  readonly #takes = new Map<number, Take>();
  #source: Corrected | null = null;
  #body: Body | null = null;
  #apart: { margin: number; meshes: number; collision: Collision } | null = null;
  #retargeting: Retargeting | null = null;
  #target: Corrected | null = null;

  constructor(library: LimberWithClips) {
    this.#library = library;
  }

  // ---- what is wanted ----

  async open(origin: Origin): Promise<Opened> {
    const take = await this.#take(origin);
    const { name, id, model, parts, facts, skin, contacts, own, warnings } = take;
    return {
      ...{ name, id, contacts, warnings },
      ...{ parts: [...parts], facts: [...facts] },
      model: model.toJson(),
      skin: skin && skin(),
      own: own.map(({ id, hint }) => ({ id, hint })),
      first: parts.length > 0 ? await this.source({ origin, part: 0, corrections: [] }) : null,
    };
  }

  async source(wanted: SourceWanted): Promise<SourceMade> {
    const take = await this.#take(wanted.origin);
    const { clip } = this.#makeSource(take, wanted);
    const warnings: string[] = [];
    return {
      clip: keysOf(clip),
      contacts: take.contacts ?? this.#find(take, clip, warnings),
      warnings,
    };
  }

  async target(wanted: TargetWanted): Promise<TargetResult> {
    const result = emptyResult();
    try {
      await this.#fill(result, wanted);
    } catch (error) {
      if (!(error instanceof LimberError)) throw error;
      result.refusal = error.message;
      result.unrecognised = error.unrecognised ?? '';
    }
    return result;
  }

  // the map stays where nothing comes of it
  async #fill(result: TargetResult, wanted: TargetWanted): Promise<void> {
    const warnings: string[] = [];
    result.warnings = warnings;
    const take = await this.#take(wanted.source.origin);
    const { model } = await this.#figure(wanted.figure);
    result.map = this.#map(take, model, wanted, warnings);
    result.made = this.#makeTarget(take, model, wanted, result.map);
  }

  async write({ of, format }: FileWanted): Promise<Uint8Array<ArrayBuffer>> {
    const isTarget = 'figure' in of;
    // what is refused now is not written as it was before
    if (isTarget) await this.#fill(emptyResult(), of);
    else await this.source(of);
    const made = isTarget ? this.#target : this.#source;
    const take = isTarget ? this.#body!.take : await this.#take(of.origin);
    const writer =
      take?.own.find(({ id }) => id === format) ?? formats.find(({ id }) => id === format);
    if (!made || !writer) throw new Error('it is no longer there');
    return writer.write(made.clip, this.#library.clips);
  }

  // ---- files ----

  async #take(origin: Origin): Promise<Take> {
    const { serial } = origin;
    const take = this.#takes.get(serial) ?? (await takeOf(this.#library, origin));
    this.#takes.delete(serial);
    this.#takes.set(serial, take);
    for (const [old, { release }] of this.#takes) {
      if (this.#takes.size <= mostTakes) break;
      this.#forget(this.#takes.get(old)!);
      this.#takes.delete(old);
      release();
    }
    return take;
  }

  // what is over a figure goes before it
  #forget({ model }: Take): void {
    if (this.#body?.model === model) this.#dropBody();
    if (this.#source?.clip.model === model) this.#dropSource();
  }

  #dropSource(): void {
    const source = this.#source;
    if (source && source.clip !== source.base) source.clip.release();
    this.#source = null;
    this.#dropRetargeting();
  }

  #dropRetargeting(): void {
    this.#dropTarget();
    this.#retargeting?.made.clip.release();
    this.#retargeting = null;
  }

  #dropTarget(): void {
    const target = this.#target;
    if (target && target.clip !== target.base) target.clip.release();
    this.#target = null;
  }

  #dropBody(): void {
    this.#dropRetargeting();
    this.#apart?.collision.release();
    this.#apart = null;
    if (this.#body && !this.#body.take) this.#body.model.release();
    this.#body = null;
  }

  async #figure({ serial, model, origin }: Figure): Promise<Body> {
    if (this.#body?.serial === serial) return this.#body;
    this.#dropBody();
    const take = origin && (await this.#take(origin));
    this.#body = { serial, take, model: take?.model ?? this.#library.model(model) };
    return this.#body;
  }

  // ---- the source ----

  #makeSource(take: Take, wanted: SourceWanted): Corrected {
    const key = sourceKey(wanted);
    if (this.#source?.key === key) return this.#source;
    const base = take.clip(wanted.part);
    const clip = corrected(this.#library, base, wanted.corrections);
    this.#dropSource();
    this.#source = { key, base, clip };
    return this.#source;
  }

  #find({ rest }: Take, clip: Clip, warnings: string[]): ContactPoint[] {
    try {
      return this.#library.clips.findContacts(clip, {
        rest,
        warn: ({ message }) => warnings.push(message),
      });
    } catch {
      // what has no feet has no contacts
      return [];
    }
  }

  // ---- the target ----

  // the map that was edited for this figure, else the one that is found
  #map(take: Take, onto: Model, wanted: TargetWanted, warnings: string[]): RetargetMap {
    const { clips } = this.#library;
    const { model, rest } = take;
    if (wanted.map !== '') return clips.readMap(wanted.map, model, onto, { name: 'the map' });
    const { clip } = this.#makeSource(take, wanted.source);
    return clips.findMap(clip, onto, { rest, warn: ({ message }) => warnings.push(message) });
  }

  // what keeps the links of a figure apart, made once for a distance
  #collision(model: Model, { options: { margin }, meshes }: TargetWanted): Collision | null {
    if (margin === null) return null;
    const count = Object.keys(meshes).length;
    if (this.#apart?.margin !== margin || this.#apart.meshes !== count) {
      this.#apart?.collision.release();
      this.#apart = null;
      const collision = this.#library.clips.collision(model, { distance: margin, meshes });
      this.#apart = { margin, meshes: count, collision };
    }
    return this.#apart.collision;
  }

  #retarget(take: Take, model: Model, wanted: TargetWanted, map: RetargetMap): Retargeting {
    const { options, figure, contacts } = wanted;
    const source = this.#makeSource(take, wanted.source);
    const meshes = Object.keys(wanted.meshes).length;
    const key = JSON.stringify([source.key, figure.serial, contacts, options, wanted.map, meshes]);
    if (this.#retargeting?.key === key) return this.#retargeting;
    this.#dropRetargeting();
    const begin = performance.now();
    const collision = this.#collision(model, wanted);
    const made = this.#library.clips.retarget(source.clip, model, {
      ...retargetOptions(options),
      rest: take.rest,
      collision: collision && collision.checked > 0 ? collision : null,
      map: wanted.map !== '' ? map : null,
      contacts,
    });
    const seconds = (performance.now() - begin) / 1000;
    const { checked = 0, missing = 0 } = collision ?? {};
    this.#retargeting = { key, made, seconds, collision: collision && { checked, missing } };
    return this.#retargeting;
  }

  #makeTarget(take: Take, model: Model, wanted: TargetWanted, map: RetargetMap): TargetMade {
    const { key, made, collision, seconds } = this.#retarget(take, model, wanted, map);
    const { clip: base, keyTimes = null, contacts, report } = made;
    const pace = keyTimes ? paceOf(this.#source!.clip.times, keyTimes) : asItIs;
    const corrections = wanted.corrections.map((each) => ({
      ...each,
      time: pace.toShown(each.time),
    }));
    const whole = JSON.stringify([key, corrections]);
    if (this.#target?.key !== whole) {
      this.#dropTarget();
      this.#target = { key: whole, base, clip: corrected(this.#library, base, corrections) };
    }
    const { clip } = this.#target;
    // a copy moves to the page
    const times = keyTimes && keyTimes.slice();
    return { clip: keysOf(clip), contacts, report, keyTimes: times, collision, seconds };
  }
}
