// changes.ts - how each joint moves the selected tip: the columns of its Jacobian, as arrows.

import * as THREE from 'three';
import { Arrows } from './arrow';
import type { Layer, Scene } from './layer';

const turning = 0xd0732a;
const sliding = 0x2a9d6f;

export class Changes implements Layer {
  readonly #arrows = new Arrows();
  readonly group = this.#arrows.group;

  update({ session, stage, size }: Scene): void {
    const link = stage.tips[stage.selected]?.link;
    const { nv } = session.model;
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
    this.#arrows.of(nv).forEach((arrow, v) => {
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

  reset(): void {
    this.#arrows.reset();
  }
}
