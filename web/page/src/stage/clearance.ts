// clearance.ts - how near the links of the model on the stage come to each other.
//
// What measures it is made when the model moves for the first time, since its meshes are read for it.
// Until then nothing is measured, and nothing stops.

import type { Collision, LimberWithClips, Model, Proximity } from 'limber';
import { meshPoints } from '../motion/mesh_points';
import type { Files } from './meshes';

/** Metres by which a pair may get deeper without a stop: rounding of what touches already. */
const slack = 1e-6;

export interface Kept {
  q: number[];
  /** What would have got deeper; null: q is where it was to be. */
  pair: Proximity | null;
}

const nameOf = ({ bodyA, bodyB }: Proximity): string => `${bodyA} ${bodyB}`;

export class Clearance {
  readonly #limber: LimberWithClips;
  readonly #model: Model;
  readonly #disabled: readonly (readonly [number, number])[];
  /** The pose in which the model was seen first. */
  #first = '';
  #making = false;
  #released = false;
  #collision: Collision | null = null;

  /** `disabled`: pairs of links that may touch. */
  constructor(
    limber: LimberWithClips,
    model: Model,
    disabled: readonly (readonly [number, number])[],
  ) {
    this.#limber = limber;
    this.#model = model;
    this.#disabled = disabled;
  }

  /** Begins to measure once the model has moved; `made` is called when that is possible. */
  watch(q: readonly number[], files: Files, made: () => void): void {
    if (this.#making) return;
    const pose = JSON.stringify(q);
    this.#first ||= pose;
    if (pose !== this.#first) void this.#make(files, made);
  }

  async #make(files: Files, made: () => void): Promise<void> {
    this.#making = true;
    try {
      const meshes = await meshPoints(this.#model, files);
      if (this.#released) return;
      this.#collision = this.#limber.clips.collision(this.#model, {
        ...{ meshes, fit: 'hull' },
        disabled: this.#disabled,
      });
      made();
    } catch {
      // a model without shapes is not measured
    }
  }

  /** The pairs that are in each other. */
  touching(q: readonly number[]): Proximity[] {
    return this.#collision?.near(q).filter(({ distance }) => distance < 0) ?? [];
  }

  /**
   * From one configuration towards another, as far as nothing gets deeper than it is at the first.
   * `held` brings what lies between the two to where it may be; null: there is no such place.
   */
  keep(
    from: readonly number[],
    to: number[],
    held: (q: number[]) => readonly number[] | null,
  ): Kept {
    if (!this.#collision) return { q: to, pair: null };
    const depths = new Map(this.touching(from).map((pair) => [nameOf(pair), pair.distance]));
    const deeper = (q: readonly number[]): Proximity | undefined =>
      this.touching(q).find((pair) => pair.distance < (depths.get(nameOf(pair)) ?? 0) - slack);
    const pair = deeper(to);
    if (!pair) return { q: to, pair: null };
    let q = [...from];
    let [good, bad] = [0, 1];
    for (let i = 0; i < 10; i++) {
      const t = (good + bad) / 2;
      const at = held([...this.#model.interpolate(from, to, t)]);
      if (!at || deeper(at)) bad = t;
      else [good, q] = [t, [...at]];
    }
    return { q, pair };
  }

  /** What stopped it, in words. */
  words({ bodyA, bodyB }: Proximity): string {
    const { links } = this.#model;
    return `${links[bodyB]!.name} would go into ${links[bodyA]!.name}`;
  }

  release(): void {
    this.#released = true;
    this.#collision?.release();
    this.#collision = null;
  }
}
