// axes.ts - the axis that each joint turns about or slides along.

import * as THREE from 'three';
import { placeAt } from '../matrix';
import type { Layer, Scene } from './layer';

export class Axes implements Layer {
  readonly group = new THREE.Group();
  #arrows: { child: number; holder: THREE.Group }[] = [];
  #model: unknown = null;

  update({ session, size }: Scene): void {
    if (this.#model !== session.model) this.#make(session.model.joints, size);
    this.#model = session.model;
    for (const { child, holder } of this.#arrows)
      placeAt(holder, session.state.transforms, 12 * child);
  }

  #make(joints: Scene['session']['model']['joints'], size: number): void {
    this.reset();
    for (const { kind, axis, child } of joints) {
      if (['fixed', 'ball', 'floating'].includes(kind)) continue;
      const way = new THREE.Vector3(axis[0], axis[1], axis[2]);
      const length = 0.22 * size;
      const arrow = new THREE.ArrowHelper(
        way,
        way.clone().multiplyScalar(-length / 2),
        length,
        kind === 'prismatic' ? 0x2a9d6f : 0xd0732a,
        0.22 * length,
        0.1 * length,
      );
      for (const part of [arrow.line, arrow.cone]) {
        (part.material as THREE.Material).depthTest = false;
        part.renderOrder = 2;
      }
      const holder = new THREE.Group();
      holder.add(arrow);
      this.group.add(holder);
      this.#arrows.push({ child, holder });
    }
  }

  reset(): void {
    for (const { holder } of this.#arrows) (holder.children[0] as THREE.ArrowHelper).dispose();
    this.#arrows = [];
    this.#model = null;
    this.group.clear();
  }
}
