// correct.ts - poses corrected by hand: a point of a link is put elsewhere, and less so around it.
//
// One body task moves the point while the pelvis stays, or the feet if it is the pelvis; the chest
// stays as long as arms and head reach the point without it. The poses around get the same task with
// a displacement that fades out, so that what was smooth stays smooth.

import type { Body, BodyTask, Clip, LimberWithClips, Model, State } from 'limber';
import type { Correction } from './document';

/** From 1 at the corrected time to 0 at the width, without a corner at either: C1. */
export function falloff(seconds: number, width: number): number {
  const s = Math.abs(seconds) / width;
  return s < 1 ? (1 - s * s) ** 2 : 0;
}

const near = { positionTolerance: 1e-5, rotationTolerance: 1e-4, restarts: 0 };

/** Whether a link hangs from another one. */
function isBelow({ links }: Model, link: number, above: number): boolean {
  for (let i = links[link]!.parent; i >= 0; i = links[i]!.parent) if (i === above) return true;
  return false;
}

/** The links that stay while this one is moved, and those that do so while it is in reach. */
function pinned(
  { clips }: LimberWithClips,
  model: Model,
  link: number,
): { pins: number[]; kept: number[] } {
  const root = Math.min(1, model.links.length - 1);
  try {
    const rig = clips.findRig(model);
    const { pelvis, chest } = rig;
    if (link === pelvis) return { pins: [rig['left foot']!, rig['right foot']!], kept: [] };
    const fromChest = chest !== undefined && chest !== pelvis && isBelow(model, link, chest);
    return { pins: [pelvis!], kept: fromChest ? [chest] : [] };
  } catch {
    // what is no figure is held by its root
    return { pins: link === root ? [] : [root], kept: [] };
  }
}

/** Moves one point of one link. */
export class Pull {
  readonly #library: LimberWithClips;
  readonly #body: Body;
  readonly #state: State;
  readonly #link: number;
  readonly #point: readonly number[];
  /** Which tasks hold links, and which one moves the point. */
  readonly #held: readonly number[];
  readonly #moved: number;

  constructor(library: LimberWithClips, model: Model, link: number, point: readonly number[]) {
    const { pins, kept } = pinned(library, model, link);
    const held = [
      ...pins.filter((pin) => pin !== link).map((pin) => ({ link: pin, level: 0 })),
      ...kept.map((each) => ({ link: each, level: 2 })),
    ];
    const tasks: BodyTask[] = [
      ...held.map((each): BodyTask => ({ kind: 'pose', ...each })),
      { kind: 'position', link, tool: { xyz: [...point] }, level: 1 },
    ];
    this.#library = library;
    this.#body = model.body(tasks, near);
    this.#state = model.state();
    this.#link = link;
    this.#point = point;
    this.#held = held.map((_, i) => i);
    this.#moved = held.length;
  }

  /** Where the point is in a pose. */
  at(q: ArrayLike<number>): number[] {
    const t = this.#state.update(q).transform(this.#link);
    const [x, y, z] = this.#point as [number, number, number];
    return [0, 1, 2].map((i) => t[i]! * x + t[3 + i]! * y + t[6 + i]! * z + t[9 + i]!);
  }

  /** The pose with the point as near to a place as it comes. */
  to(q: ArrayLike<number>, place: readonly number[]): Float64Array {
    for (const task of this.#held) this.#body.hold(task, q);
    this.#body.setTarget(this.#moved, this.#library.transforms.from({ xyz: [...place] }));
    return this.#body.solve(q).q;
  }

  release(): void {
    this.#body.release();
    this.#state.release();
  }
}

/** The pose with what a joint moved by, a share of it; within its limits. */
function moved(model: Model, q: Float64Array, { joint, by }: Correction, share: number) {
  const velocity = new Float64Array(model.nv);
  const at = model.joints[model.findJoint(joint)]!.v;
  by.forEach((x, i) => (velocity[at + i] = share * x));
  return model.clamp(model.integrate(q, velocity));
}

const isOf = (model: Model, { joint, link, by }: Correction): boolean =>
  joint === ''
    ? model.links.some(({ name }) => name === link)
    : model.joints.some(({ name, v }) => name === joint && v >= 0 && v + by.length <= model.nv);

/** The clip with corrections, one after the other; the clip itself where there are none. */
export function corrected(
  library: LimberWithClips,
  clip: Clip,
  corrections: readonly Correction[],
): Clip {
  const { model } = clip;
  const known = corrections.filter((each) => isOf(model, each));
  if (known.length === 0) return clip;
  const keys = [...clip.times].map((time, i) => ({ time, q: clip.key(i) }));
  for (const correction of known) {
    const { link, joint, point, time, by, width } = correction;
    const pull = joint === '' ? new Pull(library, model, model.findLink(link), point) : null;
    for (const key of keys) {
      const share = falloff(key.time - time, width);
      if (share === 0) continue;
      key.q = pull
        ? pull.to(
            key.q,
            pull.at(key.q).map((x, i) => x + share * by[i]!),
          )
        : moved(model, key.q, correction, share);
    }
    pull?.release();
  }
  const { interpolation } = clip;
  return model.clip(keys, { interpolation });
}
