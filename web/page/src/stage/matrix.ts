// matrix.ts - the library's transforms, twelve numbers in columns x, y, z, p, as three's matrices.

import type { Matrix4, Object3D } from 'three';

export function setMatrix(matrix: Matrix4, t: ArrayLike<number>, at = 0): Matrix4 {
  const n = (i: number): number => t[at + i]!;
  // prettier-ignore
  return matrix.set(
    n(0), n(3), n(6), n(9),
    n(1), n(4), n(7), n(10),
    n(2), n(5), n(8), n(11),
    0, 0, 0, 1,
  );
}

/** Puts an object where a transform is. */
export function placeAt(object: Object3D, t: ArrayLike<number>, at = 0): void {
  object.matrixAutoUpdate = false;
  setMatrix(object.matrix, t, at);
  object.matrixWorldNeedsUpdate = true;
}
