// builtin.ts - the models that the library has built in, from the same files.

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

/** The links to give a target at first. */
export function usualTips(model: {
  name: string;
  links: readonly { name: string }[];
  tips: number[];
}): string[] {
  const known = tips[model.name]?.filter((name) => model.links.some((link) => link.name === name));
  if (known?.length) return known;
  for (const pattern of toolNames) {
    const found = model.links.filter(({ name }) => pattern.test(name));
    if (found.length > 0 && found.length <= 2) return found.map(({ name }) => name);
  }
  // the last leaf is as good as any
  return [model.links[model.tips.at(-1)!]!.name];
}
