// spare.ts - how links move while, to first order, the selected tip stays: a null vector of its Jacobian, as the
// velocities of the links on the way to it.

import * as THREE from 'three';
import { h } from '../../ui/dom';
import { Arrows } from './arrow';
import type { TipState } from '../document';
import type { Layer, Scene } from './layer';

const color = 0x1b7f9c;

/** Pivots below this share of the largest entry are none. */
const tolerance = 1e-9;

/** How many rows of the Jacobian along the tip's own axes a target holds still. */
const heldRows = ({ kind, free }: TipState): number => (kind === 'position' ? 3 : free ? 5 : 6);

/**
 * A unit vector that a matrix of rows takes to zero, undefined: there is none; and how many are
 * independent. By elimination, with the largest entry that is left as each pivot.
 */
export function nullVector(rows: number[][]): { vector?: number[]; freedom: number } {
  const n = rows[0]?.length ?? 0;
  const columns = Array.from({ length: n }, (_, i) => i);
  const largest = Math.max(...rows.flat().map(Math.abs));
  let rank = 0;
  for (; rank < Math.min(rows.length, n); rank++) {
    let [row, at, most] = [rank, rank, 0];
    for (let i = rank; i < rows.length; i++)
      for (let k = rank; k < n; k++) {
        const size = Math.abs(rows[i]![columns[k]!]!);
        if (size > most) [row, at, most] = [i, k, size];
      }
    if (!(most > tolerance * largest)) break;
    [rows[rank], rows[row]] = [rows[row]!, rows[rank]!];
    [columns[rank], columns[at]] = [columns[at]!, columns[rank]!];
    const [pivot, by] = [rows[rank]!, columns[rank]!];
    for (const other of rows) {
      const share = other === pivot ? 0 : other[by]! / pivot[by]!;
      if (share !== 0) for (let k = 0; k < n; k++) other[k]! -= share * pivot[k]!;
    }
  }
  if (rank === n) return { freedom: 0 };
  const vector = Array<number>(n).fill(0);
  const free = columns[rank]!;
  vector[free] = 1;
  for (let i = 0; i < rank; i++) vector[columns[i]!] = -rows[i]![free]! / rows[i]![columns[i]!]!;
  const length = Math.hypot(...vector);
  return { vector: vector.map((x) => x / length), freedom: n - rank };
}

export class Spare implements Layer {
  readonly #arrows = new Arrows();
  readonly group = this.#arrows.group;
  readonly #legend = h('p');

  update({ session, stage, size }: Scene): void {
    const tip = stage.tips[stage.selected];
    const { nv, joints, links } = session.model;
    const arrows = this.#arrows.of(links.length);
    for (const { group } of arrows) group.visible = false;
    if (!tip) return;
    const still = new Set(joints.filter(({ locked }) => locked).map(({ v }) => v));
    const jacobian = session.state.jacobian(tip.link, [0, 0, 0], 'link');
    const moving = Array.from({ length: nv }, (_, v) => v).filter(
      (v) => !still.has(v) && [0, 1, 2, 3, 4, 5].some((row) => jacobian[row * nv + v] !== 0),
    );
    // a radian counts as a third of the model
    const rows = Array.from({ length: heldRows(tip) }, (_, row) =>
      moving.map((v) => jacobian[row * nv + v]! * (row < 3 ? 1 : 0.33 * size)),
    );
    const { vector, freedom } = nullVector(rows);
    this.#legend.textContent = vector
      ? `To first order ${tip.link} stays while links move along the arrows` +
        (freedom > 1 ? `: one of ${freedom} independent ways` : '')
      : `No joint to spare: ${tip.link} moves however its joints do`;
    if (!vector) return;
    const ways = links.map(({ index }) => {
      const own = session.state.jacobian(index);
      return new THREE.Vector3(
        ...[0, 1, 2].map((row) =>
          moving.reduce((sum, v, k) => sum + own[row * nv + v]! * vector[k]!, 0),
        ),
      );
    });
    const fastest = Math.max(...ways.map((way) => way.length()));
    arrows.forEach((arrow, i) => {
      const way = ways[i]!;
      const length = (0.25 * size * way.length()) / (fastest || 1);
      arrow.group.visible = length > 0.02 * size;
      const from = new THREE.Vector3().fromArray(session.pose(links[i]!.name), 9);
      if (arrow.group.visible) arrow.point(from, way.normalize(), length, 0.006 * size, color);
    });
  }

  legend(): Node {
    return this.#legend;
  }

  reset(): void {
    this.#arrows.reset();
  }
}
