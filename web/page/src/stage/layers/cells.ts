// cells.ts - the cells of a tip's workspace and their dexterity, the share of orientations that the
// tip reaches at a cell's centre. The library decides each by inverse kinematics, once.

import type { Workspace } from 'limber';
import type { Vector } from '../session';

export class SolvedCells {
  readonly grid: Workspace;
  // NaN: not decided yet, -1: the centre is not reached
  readonly #shares: Float32Array;

  constructor(grid: Workspace) {
    this.grid = grid;
    const [x, y, z] = grid.count;
    this.#shares = new Float32Array(x * y * z).fill(NaN);
  }

  get planar(): boolean {
    return this.grid.count[2] === 1;
  }

  /** The cell that a point of the world is in, -1: none. */
  at(point: Readonly<Vector>): number {
    const { frame, corner, cell, count } = this.grid;
    const index = [0, 1, 2].map((axis) => {
      let along = -corner[axis]!;
      for (let k = 0; k < 3; k++) along += frame[3 * axis + k]! * (point[k]! - frame[9 + k]!);
      return this.planar && axis === 2 ? 0 : Math.floor(along / cell);
    });
    const inside = index.every((i, axis) => i >= 0 && i < count[axis]!);
    return inside ? (index[2]! * count[1] + index[1]!) * count[0] + index[0]! : -1;
  }

  /** A cell's share, -1 where the tip cannot be. */
  solve(cell: number): number {
    if (cell < 0) return -1;
    if (Number.isNaN(this.#shares[cell]!)) {
      const [x, y] = this.grid.count;
      const [i, j, k] = [cell % x, Math.floor(cell / x) % y, Math.floor(cell / x / y)];
      this.#shares[cell] = this.grid.solve(i, j, k);
    }
    return this.#shares[cell]!;
  }

  release(): void {
    this.grid.release();
  }
}
