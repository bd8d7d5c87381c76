// ghosts.ts - all solutions of the target at once, seen through: every other pose of the arm that has
// its tool in the same place.

import type { FkBatch, Model } from 'limber';
import * as THREE from 'three';
import { bones, type Part, shapes } from '../parts';
import type { Layer, Scene } from './layer';

interface Rank {
  link: number;
  mesh: THREE.InstancedMesh;
}

export class Ghosts implements Layer {
  readonly group = new THREE.Group();
  /** How many are drawn. */
  count = 0;
  readonly #material = new THREE.MeshLambertMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.16,
    depthWrite: false,
    // behind what is in the same place
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  #model: Model | null = null;
  #parts: Part[] = [];
  #ranks: Rank[] = [];
  #kinematics: FkBatch | null = null;

  update({ session, stage, q, size }: Scene): void {
    const { model } = session;
    if (this.#model !== model) this.#begin(model, size);
    const poses = session.solutions.ghosts(stage, q);
    if (poses.length !== this.count) this.#make(poses.length);
    if (poses.length === 0) return;
    const matrices = this.#kinematics!.matrices(poses.flatMap((pose) => [...pose]));
    const row = 16 * model.links.length;
    for (const { link, mesh } of this.#ranks) {
      const { array } = mesh.instanceMatrix;
      for (let i = 0; i < poses.length; i++)
        array.set(matrices.subarray(i * row + 16 * link, i * row + 16 * link + 16), 16 * i);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  #begin(model: Model, size: number): void {
    this.reset();
    this.#model = model;
    this.#kinematics = model.fkBatch();
    this.#parts = shapes(model) ?? bones(model, size);
  }

  // instances are as many as there are solutions
  #make(count: number): void {
    this.#clear();
    this.count = count;
    if (count === 0) return;
    this.#ranks = this.#parts.map(({ link, geometry }) => {
      const mesh = new THREE.InstancedMesh(geometry, this.#material, count);
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      return { link, mesh };
    });
    this.group.add(...this.#ranks.map(({ mesh }) => mesh));
  }

  #clear(): void {
    for (const { mesh } of this.#ranks) mesh.dispose();
    this.#ranks = [];
    this.count = 0;
    this.group.clear();
  }

  reset(): void {
    this.#clear();
    for (const { geometry } of this.#parts) geometry.dispose();
    this.#parts = [];
    this.#kinematics?.release();
    this.#kinematics = null;
    this.#model = null;
  }
}
