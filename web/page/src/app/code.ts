// code.ts - the present problem as a program: C, JavaScript, a command line.

import type { Model } from 'limber';
import { type BoardState, ownName } from '../board/document';
import type { StageState } from '../stage/document';
import { type Saving, text } from './saving';

/** One tip, its target and a start: what the three programs have in common. */
export interface Problem {
  /** What lb_load is given, and whether a file of that name has to be saved first. */
  model: string;
  tip: string;
  kind: 'position' | 'pose';
  method: string;
  /** x, y, z and, of a pose, the quaternion w x y z. */
  position: readonly number[];
  quaternion: readonly number[] | null;
  start: readonly { name: string; values: readonly number[] }[];
  /** All of it. */
  q: readonly number[];
  /** How the root is made to move, null: as the file has it. */
  root: 'fixed' | 'planar' | 'floating' | null;
}

const digits = (x: number): string => String(Number(x.toPrecision(9)));
const list = (numbers: readonly number[], between: string): string =>
  numbers.map(digits).join(between);

export function boardProblem(board: BoardState): Problem {
  return {
    model: 'arm.json',
    tip: 'tip',
    kind: 'position',
    method: board.panes.find(({ method }) => method !== ownName)?.method ?? 'lm',
    position: [...board.target, 0],
    quaternion: null,
    start: board.start.map((value, i) => ({ name: `joint_${i + 1}`, values: [value] })),
    q: board.start,
    root: null,
  };
}

/** The selected tip of the stage; null without tips. */
export function stageProblem(stage: StageState, model: Model): Problem | null {
  const tip = stage.tips[stage.selected] ?? stage.tips[0];
  if (!tip || tip.target.length !== 12) return null;
  return {
    model: stage.model.from === 'figure' ? `${model.name}.json` : stage.model.name,
    tip: tip.link,
    kind: tip.kind,
    method: stage.method,
    position: tip.target.slice(9),
    quaternion: tip.kind === 'pose' ? quaternionOf(tip.target) : null,
    start: model.joints
      .filter(({ nq, mimic }) => nq > 0 && mimic < 0)
      .map(({ name, q, nq }) => ({ name, values: stage.q.slice(q, q + nq) })),
    q: stage.q,
    // a figure is saved as it is on the stage
    root: stage.model.from === 'figure' || !stage.root ? null : stage.root,
  };
}

// of a rotation by its columns (Shepperd 1978): the largest component first
function quaternionOf(t: readonly number[]): number[] {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = t as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const i = squares.indexOf(Math.max(...squares));
  const rows = [
    [squares[0]!, yz - zy, zx - xz, xy - yx],
    [yz - zy, squares[1]!, xy + yx, zx + xz],
    [zx - xz, xy + yx, squares[2]!, yz + zy],
    [xy - yx, zx + xz, yz + zy, squares[3]!],
  ][i]!;
  const norm = Math.hypot(...rows);
  return rows.map((x) => x / norm);
}

function commandLine(p: Problem): string {
  const start = p.start.map(({ name, values }) => `${name}=${list(values, ',')}`).join(' ');
  return (
    `limber ik ${p.model}${p.root ? ` --root ${p.root}` : ''} --base world --tip ${p.tip} --method ${p.method} --position "${list(p.position, ' ')}"` +
    (p.quaternion ? ` --quaternion "${list(p.quaternion, ' ')}"` : '') +
    ` --start "${start}" --report\n`
  );
}

function javaScript(p: Problem): string {
  const target = p.quaternion
    ? `{ xyz: [${list(p.position, ', ')}], quaternion: [${list(p.quaternion, ', ')}] }`
    : `{ xyz: [${list(p.position, ', ')}] }`;
  const text = p.model.endsWith('.json') ? `await (await fetch('./${p.model}')).text()` : `'…'`;
  return `import { load } from 'limber';

const limber = await load();
const model = limber.model(${text})${p.root ? `.withRoot('${p.root}')` : ''}; // ${p.model}
const solver = model.solver({ tip: '${p.tip}', kind: '${p.kind}' }, { method: '${p.method}' });
const target = limber.transforms.from(${target});
const result = solver.solve(target, [${list(p.q, ', ')}]);
console.log(result.outcome, [...result.q]);
`;
}

const rootInC = (root: string): string => `    lb_model *moving;
    if (lb_model_with_root(model, LB_JOINT_${root.toUpperCase()}, NULL, &moving, &error) != LB_OK)
        return fprintf(stderr, "%s\\n", error.message), 1;
    lb_model_release(model);
    model = moving;
`;

function inC(p: Problem): string {
  const rotation = p.quaternion ? `(lb_quat){${list(p.quaternion, ', ')}}` : 'LB_QUAT_IDENTITY';
  return `#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    lb_error error;
    lb_model *model;
    if (lb_load("${p.model}", NULL, &model, &error) != LB_OK)
        return fprintf(stderr, "%s\\n", error.message), 1;
${p.root ? rootInC(p.root) : ''}    lb_task task = lb_task_make(lb_model_find_link(model, "${p.tip}"), LB_WORLD, LB_TASK_${p.kind.toUpperCase()});
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("${p.method}");
    lb_ik *ik;
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, &error) != LB_OK)
        return fprintf(stderr, "%s\\n", error.message), 1;
    lb_transform target = lb_transform_from_quat(${rotation}, lb_vec3_make(${list(p.position, ', ')}));
    double q[${p.q.length}] = {${list(p.q, ', ')}};
    lb_ik_result result;
    puts(lb_outcome_text(lb_ik_solve(ik, &target, q, q, &result)));
    for (int i = 0; i < ${p.q.length}; i++)
        printf("%.9g\\n", q[i]);
    lb_ik_release(ik);
    lb_model_release(model);
    return 0;
}
`;
}

/** The problem as programs, for the menu of what can be saved. */
export function codeSavings(problem: Problem | null): Saving[] {
  if (!problem) return [];
  const rows: [string, string, string, (p: Problem) => string][] = [
    ['code-shell', 'Command line', 'solve.sh', commandLine],
    ['code-js', 'JavaScript', 'solve.mjs', javaScript],
    ['code-c', 'C program', 'solve.c', inC],
  ];
  return rows.map(([id, label, name, make]) => ({
    id,
    label,
    hint: 'This problem as code: saved, and copied',
    save: () => {
      const code = make(problem);
      void navigator.clipboard?.writeText(code).catch(() => undefined);
      return text(name, code, 'text/plain');
    },
  }));
}
