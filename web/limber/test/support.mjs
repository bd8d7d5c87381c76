// support.mjs - what the package's tests share.

import { readFileSync } from 'node:fs';

/** A built-in model's text. */
export function modelText(name) {
  return readFileSync(new URL(`../../../models/${name}.json`, import.meta.url), 'utf8');
}

/** The rows of bench/golden_table.h: what is asked of each robot, and the hash of the results. */
export function goldenTable() {
  const text = readFileSync(new URL('../../../bench/golden_table.h', import.meta.url), 'utf8');
  const row = /^GOLDEN\("(\w+)", "(\w*)", "(\w+)", LB_TASK_(\w+), 0x([0-9a-f]{16})\)$/gm;
  const table = [...text.matchAll(row)].map(([, model, base, tip, kind, hash]) => ({
    model,
    base: base || 'world',
    tip,
    kind: kind.toLowerCase(),
    hash,
  }));
  if (table.length !== text.split('GOLDEN(').length - 1 || table.length === 0)
    throw new Error('bench/golden_table.h has rows that are not understood');
  return table;
}

export function near(actual, expected, tolerance, what = '') {
  const ok =
    actual.length === expected.length &&
    Array.from(actual).every((x, i) => Math.abs(x - expected[i]) <= tolerance);
  if (!ok) throw new Error(`${what}: [${actual}] is not [${expected}] to ${tolerance}`);
}

/** A planar arm of two metres with its tip. */
export const arm = {
  name: 'arm',
  links: [{ name: 'base' }, { name: 'upper' }, { name: 'fore' }, { name: 'tip' }],
  joints: [
    { name: 'shoulder', kind: 'revolute', parent: 'base', child: 'upper', limits: [-2, 2] },
    {
      name: 'elbow',
      kind: 'revolute',
      parent: 'upper',
      child: 'fore',
      limits: [-2.5, 2.5],
      placement: { xyz: [1, 0, 0] },
    },
    { name: 'wrist', parent: 'fore', child: 'tip', placement: { xyz: [1, 0, 0] } },
  ],
};

/** A leg that walks along z, y up, as a BVH file of so many frames. */
export function capture(frames) {
  const rows = Array.from({ length: frames }, (_, i) => `0 90 ${10 * i} 0 0 0 0 ${5 * i} 0`);
  return `HIERARCHY
ROOT hip
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -45 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT foot
    {
      OFFSET 0 -45 0
      CHANNELS 0
      End Site
      {
        OFFSET 0 0 15
      }
    }
  }
}
MOTION
Frames: ${frames}
Frame Time: 0.05
${rows.join('\n')}
`;
}
