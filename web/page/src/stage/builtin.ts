// builtin.ts - the models that the library has built in, from the same files.

import type { Model } from 'limber';
import { plainTip, type TipState } from './document';

interface ModelFile {
  name: string;
  summary: string;
  source: string;
  joints?: { kind?: string }[];
}

const files = import.meta.glob<ModelFile>('../../../../models/*.json', {
  eager: true,
  import: 'default',
});

/** By name. */
export const builtin = new Map(
  Object.entries(files).map(([path, file]) => [/([^/]+)\.json$/.exec(path)![1]!, file]),
);

/** The tips that are worth a target, where the leaves of the tree are not what is meant. */
const tips: Record<string, string[]> = {
  'two arms': ['tip_1', 'tip_2'],
  panda: ['panda_hand'],
  human: ['left_hand', 'right_hand'],
};

/** Links that look like a tool by their names, best first. */
const toolNames = [
  /^tool0$/,
  /^tcp$/i,
  /^ee_?link$|^end_?effector/i,
  /flange/i,
  /^tool/i,
  /hand$|_hand_link$/i,
  /gripper.*base|gripper_link/i,
  /tip$/i,
  /wrist/i,
];

/** The links to give a target at first, and what of it counts. */
export function usualTips(model: Model): TipState[] {
  return tipNames(model).map((name) => ({ ...plainTip(name), ...whatCounts(model, name) }));
}

/** A whole pose where the joints on the way have the freedom for it, else the place alone. */
function whatCounts(model: Model, link: string): Pick<TipState, 'kind' | 'free'> {
  const freedom = { ball: 3, floating: 6, planar: 3, universal: 2, fixed: 0 } as Record<
    string,
    number
  >;
  let sum = 0;
  for (const kind of kindsTo(model, model.findLink(link))) sum += freedom[kind] ?? 1;
  return { kind: sum >= 5 ? 'pose' : 'position', free: sum === 5 };
}

function tipNames(model: Model): string[] {
  const known = tips[model.name]?.filter((name) => model.links.some((link) => link.name === name));
  if (known?.length) return known;
  for (const pattern of toolNames) {
    const found = model.links.filter(({ name }) => pattern.test(name));
    if (found.length > 0 && found.length <= 2) return found.map(({ name }) => name);
  }
  // what the most joints move, and the last of those
  const moved = (link: number): number =>
    kindsTo(model, link).filter((kind) => kind !== 'fixed').length;
  const best = model.tips.reduce((a, b) => (moved(b) >= moved(a) ? b : a));
  return [model.links[best]!.name];
}

/** The kinds of the joints between a link and the root. */
function kindsTo(model: Model, link: number): string[] {
  const kinds: string[] = [];
  // joint j moves link j + 1
  for (let at = link; at > 0; at = model.links[at]!.parent) kinds.push(model.joints[at - 1]!.kind);
  return kinds;
}
