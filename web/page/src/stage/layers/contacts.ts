// contacts.ts - which links are in each other, and how deep, by the shapes that they collide with.

import type { Proximity } from 'limber';
import * as THREE from 'three';
import { trim } from '../../ui/controls';
import { h, write } from '../../ui/dom';
import type { Layer, Scene } from './layer';

/** Pairs that are named; of more their number is said. */
const named = 4;

export class Contacts implements Layer {
  readonly group = new THREE.Group();
  readonly #legend = h('p.contacts', { role: 'status' });
  readonly #dots: THREE.InstancedMesh;
  /** What touches now. */
  touching: readonly Proximity[] = [];

  constructor() {
    const material = new THREE.MeshBasicMaterial({ color: 0xd0342c, depthTest: false });
    this.#dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), material, 64);
    this.#dots.renderOrder = 4;
    this.#dots.frustumCulled = false;
    this.#dots.count = 0;
    this.group.add(this.#dots);
  }

  update({ session, q, size }: Scene): void {
    const { links } = session.model;
    this.touching = session.clearance.touching(q);
    const at = new THREE.Matrix4();
    const shown = this.touching.slice(0, 64);
    shown.forEach(({ pointA, pointB }, i) => {
      const [x, y, z] = pointA.map((a, k) => (a + pointB[k]!) / 2) as [number, number, number];
      const r = 0.012 * size;
      this.#dots.setMatrixAt(i, at.makeScale(r, r, r).setPosition(x, y, z));
    });
    this.#dots.count = shown.length;
    this.#dots.instanceMatrix.needsUpdate = true;
    const name = (body: number): string => links[body]!.name;
    const deepest = [...this.touching].sort((a, b) => a.distance - b.distance);
    const words = deepest
      .slice(0, named)
      .map((p) => `${name(p.bodyB)} in ${name(p.bodyA)} by ${trim(-1000 * p.distance, 3)} mm`);
    const more = deepest.length - words.length;
    write(
      this.#legend,
      words.length > 0 ? `${words.join('; ')}${more > 0 ? `; ${more} more` : ''}` : '',
    );
  }

  legend(): Node | null {
    return this.touching.length > 0 ? this.#legend : null;
  }

  reset(): void {
    this.#dots.count = 0;
    this.touching = [];
  }
}
