// defaults.ts - what a model begins with: the way its root moves, its tips and their kinds of target.

import type { Model } from 'limber';
import { plainTip, type Root, type TipState } from './document';

/** How the root of a model moves as it is. */
export function rootOf({ joints, links }: Model): Exclude<Root, ''> {
  const [first] = joints;
  const only = links.filter(({ parent }) => parent === 0).length === 1;
  return only && (first?.kind === 'floating' || first?.kind === 'planar') ? first.kind : 'fixed';
}

/** The model with the root that is wanted; by default what stands on feet moves freely. */
export function rooted(model: Model, wanted: Root): Model {
  const root = wanted || (feetOf(model).length > 1 ? 'floating' : rootOf(model));
  if (root === rootOf(model)) return model;
  const made = model.withRoot(root);
  model.release();
  return made;
}

/** Of the height of a model, what is still the ground; and how high the body is above it at least. */
const ground = 0.12;
const standing = 0.3;

/** The default tips that the model stands on: low, and well below the body. */
export function feetOf(model: Model): number[] {
  const state = model.state(model.clamp(model.neutral()));
  const heights = model.links.map((_, i) => state.transforms[12 * i + 11]!);
  state.release();
  const low = Math.min(...heights);
  const height = Math.max(...heights) - low;
  // a root that moves has the body below it
  const body = rootOf(model) === 'fixed' ? 0 : 1;
  if (!(height > 0) || heights[body]! - low < standing * height) return [];
  return model.defaultTips.filter((link) => heights[link]! - low <= ground * height);
}

/** The links to give a target at first, hands before feet, and what of it counts. */
export function defaultTips(model: Model): TipState[] {
  const feet = feetOf(model);
  const stands = feet.length > 1 && rootOf(model) !== 'fixed';
  const names = model.defaultTips.map((link) => ({ link, foot: feet.includes(link) }));
  return names
    .sort((a, b) => Number(a.foot) - Number(b.foot))
    .map(({ link, foot }) => ({
      ...plainTip(model.links[link]!.name),
      ...whatCounts(model, link),
      // the hands of what stands on its feet are free to turn
      ...(stands && !foot ? { kind: 'position', free: false } : {}),
      planted: stands && foot,
    }));
}

/** Degrees of freedom of joints that have not one. */
const freedom: Record<string, number> = { ball: 3, floating: 6, planar: 3, universal: 2, fixed: 0 };

/** A whole pose where the joints on the way have the freedom for it, else the place alone. */
function whatCounts(model: Model, link: number): Pick<TipState, 'kind' | 'free'> {
  let sum = 0;
  // joint j moves link j + 1
  for (let at = link; at > 0; at = model.links[at]!.parent)
    sum += freedom[model.joints[at - 1]!.kind] ?? 1;
  return { kind: sum >= 5 ? 'pose' : 'position', free: sum === 5 };
}

/** A configuration of one model as one of another: joints of the same name keep their values. */
export function carried(q: readonly number[], from: Model, to: Model): number[] {
  const result = [...to.clamp(to.neutral())];
  for (const { name, kind, q: at, nq } of to.joints) {
    const old = from.joints.find((joint) => joint.name === name && joint.kind === kind);
    if (!old || at < 0 || old.q < 0) continue;
    for (let i = 0; i < nq; i++) result[at + i] = q[old.q + i]!;
  }
  return result;
}
