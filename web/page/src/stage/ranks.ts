// ranks.ts - the links of many of one model: one geometry a link, drawn for all of them at once.

import * as THREE from 'three';
import type { Part } from './parts';

/** A link of all of them. */
interface Rank {
  link: number;
  mesh: THREE.InstancedMesh;
}

/** A link's matrices out of the rows of all links: WebGL reads no rows as long as these. */
function hand({ link, mesh }: Rank, matrices: Float32Array): void {
  const { array } = mesh.instanceMatrix;
  const row = matrices.length / mesh.count;
  for (let i = 0, to = 0; i < mesh.count; i++)
    for (let k = 0, from = i * row + 16 * link; k < 16; k++) array[to++] = matrices[from++]!;
}

export class Ranks {
  readonly #ranks: Rank[];
  readonly #material: THREE.MeshLambertMaterial;

  /** Bones want flat shading. */
  constructor(parts: readonly Part[], count: number, flatShading: boolean) {
    this.#material = new THREE.MeshLambertMaterial({ vertexColors: true, flatShading });
    this.#ranks = parts.map(({ link, geometry }) => {
      const mesh = new THREE.InstancedMesh(geometry, this.#material, count);
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      mesh.frustumCulled = false;
      return { link, mesh };
    });
  }

  get meshes(): THREE.Object3D[] {
    return this.#ranks.map(({ mesh }) => mesh);
  }

  /** Rows of matrices as FkBatch.matrices() returns them. */
  place(matrices: Float32Array): void {
    for (const rank of this.#ranks) hand(rank, matrices);
    this.redraw();
  }

  redraw(): void {
    for (const { mesh } of this.#ranks) mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const { mesh } of this.#ranks) {
      mesh.geometry.dispose();
      mesh.dispose();
      mesh.removeFromParent();
    }
    this.#material.dispose();
  }
}
