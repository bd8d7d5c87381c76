// trace.ts - the way that the selected tip has come.

import * as THREE from 'three';
import type { Layer, Scene } from './layer';

const most = 600;

export class Trace implements Layer {
  readonly group = new THREE.Group();
  readonly #line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  #points: THREE.Vector3[] = [];
  #link = '';

  constructor() {
    this.#line = new THREE.Line(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0xc4500f }),
    );
    this.#line.frustumCulled = false;
    this.group.add(this.#line);
  }

  update({ session, stage }: Scene): void {
    const link = stage.tips[stage.selected]?.link;
    if (!link) return;
    if (link !== this.#link) this.#points = [];
    this.#link = link;
    const pose = session.pose(link);
    const point = new THREE.Vector3(pose[9], pose[10], pose[11]);
    if (this.#points.at(-1)?.distanceTo(point) === 0) return;
    this.#points.push(point);
    if (this.#points.length > most) this.#points.shift();
    this.#line.geometry.dispose();
    this.#line.geometry = new THREE.BufferGeometry().setFromPoints(this.#points);
  }

  reset(): void {
    this.#points = [];
    this.#line.geometry.dispose();
    this.#line.geometry = new THREE.BufferGeometry();
  }
}
