// changes.ts - how each joint moves the selected tip: the columns of its Jacobian, as arrows.

import * as THREE from 'three';
import type { Layer, Scene } from './layer';

const turning = 0xd0732a;
const sliding = 0x2a9d6f;

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

export class Changes implements Layer {
  readonly group = new THREE.Group();
  #arrows: Arrow[] = [];

  update({ session, stage, size }: Scene): void {
    const link = stage.tips[stage.selected]?.link;
    const { nv } = session.model;
    if (this.#arrows.length !== nv) this.#make(nv);
    this.group.visible = link !== undefined;
    if (link === undefined) return;
    const jacobian = session.state.jacobian(link);
    const column = (v: number, row: number): THREE.Vector3 =>
      new THREE.Vector3(
        jacobian[row * nv + v],
        jacobian[(row + 1) * nv + v],
        jacobian[(row + 2) * nv + v],
      );
    const tip = new THREE.Vector3().fromArray(session.pose(link), 9);
    this.#arrows.forEach((arrow, v) => {
      const way = column(v, 0);
      const slides = column(v, 3).lengthSq() < 1e-12;
      // metres a radian, and metres a metre: each as long as looks well
      const length = way.length() * (slides ? 0.35 * size : 0.5);
      // a joint that does not move the tip has no arrow
      arrow.group.visible = length > 0.01 * size;
      if (arrow.group.visible)
        arrow.point(tip, way.normalize(), length, 0.006 * size, slides ? sliding : turning);
    });
  }

  #make(count: number): void {
    this.reset();
    this.#arrows = Array.from({ length: count }, () => new Arrow());
    this.group.add(...this.#arrows.map(({ group }) => group));
  }

  reset(): void {
    for (const arrow of this.#arrows) arrow.dispose();
    this.#arrows = [];
    this.group.clear();
  }
}
