// arrow.ts - arrows in the stage.

import * as THREE from 'three';

/** An arrow along y that is seen through everything. */
class Arrow {
  readonly group = new THREE.Group();
  readonly #material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
  readonly #shaft = new THREE.Mesh(
    new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0),
    this.#material,
  );
  readonly #head = new THREE.Mesh(
    new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0),
    this.#material,
  );

  constructor() {
    this.group.add(this.#shaft, this.#head);
    for (const part of this.group.children) part.renderOrder = 3;
  }

  point(
    from: THREE.Vector3,
    way: THREE.Vector3,
    length: number,
    thick: number,
    color: number,
  ): void {
    const head = Math.min(6 * thick, 0.5 * length);
    this.#material.color.set(color);
    this.group.position.copy(from);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way);
    this.#shaft.scale.set(thick, length - head, thick);
    this.#head.position.y = length - head;
    this.#head.scale.set(2.4 * thick, head, 2.4 * thick);
  }

  dispose(): void {
    this.#shaft.geometry.dispose();
    this.#head.geometry.dispose();
    this.#material.dispose();
  }
}

/** As many as are asked for, in a group. */
export class Arrows {
  readonly group = new THREE.Group();
  #all: Arrow[] = [];

  of(count: number): readonly Arrow[] {
    if (this.#all.length !== count) {
      this.reset();
      this.#all = Array.from({ length: count }, () => new Arrow());
      this.group.add(...this.#all.map(({ group }) => group));
    }
    return this.#all;
  }

  reset(): void {
    for (const arrow of this.#all) arrow.dispose();
    this.#all = [];
    this.group.clear();
  }
}
