// frames.ts - the frame of every link: x red, y green, z blue.

import * as THREE from 'three';
import { placeAt } from '../matrix';
import type { Layer, Scene } from './layer';

export class Frames implements Layer {
  readonly group = new THREE.Group();
  #axes: THREE.AxesHelper[] = [];

  update({ session, size }: Scene): void {
    const { links } = session.model;
    if (this.#axes.length !== links.length) {
      this.reset();
      this.#axes = links.map(() => {
        const axes = new THREE.AxesHelper(0.1 * size);
        (axes.material as THREE.Material).depthTest = false;
        axes.renderOrder = 2;
        return axes;
      });
      this.group.add(...this.#axes);
    }
    this.#axes.forEach((axes, i) => placeAt(axes, session.state.transforms, 12 * i));
  }

  reset(): void {
    for (const axes of this.#axes) axes.dispose();
    this.#axes = [];
    this.group.clear();
  }
}
