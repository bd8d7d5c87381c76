// mass.ts - the centre of mass, the point of the floor below it, and what it should be above.

import * as THREE from 'three';
import type { Layer, Scene } from './layer';

export class Mass implements Layer {
  readonly group = new THREE.Group();
  readonly #ball: THREE.Mesh;
  readonly #line: THREE.Line;
  readonly #support = new THREE.LineLoop(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ color: 0x14794f }),
  );
  #drawn = '';

  constructor() {
    const material = new THREE.MeshBasicMaterial({ color: 0xd0732a, depthTest: false });
    this.#ball = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
    this.#ball.renderOrder = 3;
    this.#line = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]),
      new THREE.LineBasicMaterial({ color: 0xd0732a, depthTest: false }),
    );
    this.group.add(this.#ball, this.#line, this.#support);
  }

  update({ session, stage, q, size }: Scene): void {
    const { mass, center } = session.state.centerOfMass();
    this.group.visible = mass > 0;
    this.#ball.position.set(center[0]!, center[1]!, center[2]!);
    this.#ball.scale.setScalar(0.02 * size);
    this.#line.position.copy(this.#ball.position);
    this.#line.scale.z = Math.max(1e-6, center[2]!);
    this.#showSupport(session.support(stage, q), 0.002 * size);
  }

  // a little above the floor
  #showSupport(vertices: readonly (readonly [number, number])[], height: number): void {
    const key = JSON.stringify(vertices);
    this.#support.visible = vertices.length > 2;
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#support.geometry.dispose();
    this.#support.geometry = new THREE.BufferGeometry().setFromPoints(
      vertices.map(([x, y]) => new THREE.Vector3(x, y, height)),
    );
  }

  reset(): void {
    this.group.visible = false;
  }
}
