// mass.ts - the centre of mass, and the point of the floor below it.

import * as THREE from 'three';
import type { Layer, Scene } from './layer';

export class Mass implements Layer {
  readonly group = new THREE.Group();
  readonly #ball: THREE.Mesh;
  readonly #line: THREE.Line;

  constructor() {
    const material = new THREE.MeshBasicMaterial({ color: 0xd0732a, depthTest: false });
    this.#ball = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
    this.#ball.renderOrder = 3;
    this.#line = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]),
      new THREE.LineBasicMaterial({ color: 0xd0732a, depthTest: false }),
    );
    this.group.add(this.#ball, this.#line);
  }

  update({ session, size }: Scene): void {
    const { mass, center } = session.state.centerOfMass();
    this.group.visible = mass > 0;
    this.#ball.position.set(center[0]!, center[1]!, center[2]!);
    this.#ball.scale.setScalar(0.02 * size);
    this.#line.position.copy(this.#ball.position);
    this.#line.scale.z = Math.max(1e-6, center[2]!);
  }

  reset(): void {
    this.group.visible = false;
  }
}
