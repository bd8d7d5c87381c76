// ellipsoid.ts - manipulability: how fast the tip can move in each direction at unit joint speed.
// Where it is flat the arm is near a singular configuration.

import * as THREE from 'three';
import { trim } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { Layer, Scene } from './layer';

export class Ellipsoid implements Layer {
  readonly group = new THREE.Group();
  readonly #ball: THREE.Mesh;
  readonly #legend = h('p');

  constructor() {
    const material = new THREE.MeshStandardMaterial({
      color: 0x8540b4,
      transparent: true,
      opacity: 0.32,
      roughness: 0.4,
      depthWrite: false,
    });
    const lines = new THREE.LineBasicMaterial({ color: 0x8540b4, transparent: true, opacity: 0.8 });
    this.#ball = new THREE.Mesh(new THREE.SphereGeometry(1, 40, 24), material);
    const rings = [0, 1, 2].map((i) => {
      const points = Array.from({ length: 65 }, (_, k) => {
        const a = (k * Math.PI) / 32;
        const p = [0, 0, 0];
        p[i] = 0;
        p[(i + 1) % 3] = Math.cos(a);
        p[(i + 2) % 3] = Math.sin(a);
        return new THREE.Vector3(...p);
      });
      return new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), lines);
    });
    this.#ball.add(...rings);
    this.#ball.matrixAutoUpdate = false;
    this.group.add(this.#ball);
  }

  update({ session, stage, size }: Scene): void {
    const link = stage.tips[stage.selected]?.link;
    this.#ball.visible = link !== undefined;
    if (!link) return;
    const pose = session.pose(link);
    const { axes } = session.state.velocityEllipsoid(link);
    // the longest axis is a third of the model, as long as it is not tiny
    const scale = (0.33 * size) / Math.max(Math.hypot(...axes[0]!), 1e-3 * size);
    const lengths = axes.map((axis) => Math.hypot(...axis));
    this.#legend.textContent =
      `Manipulability ${trim(lengths[0]! * lengths[1]! * lengths[2]!, 3)} m³; ` +
      `axes ${lengths.map((x) => trim(x, 2)).join(', ')} m/s at 1 rad/s, drawn ${trim(scale, 2)} : 1`;
    const [a, b, c] = axes.map((axis) => new THREE.Vector3().fromArray(axis).multiplyScalar(scale));
    // a flat ellipsoid still has some thickness, to be seen
    const thick = 0.004 * size;
    if (c!.length() < thick) c!.crossVectors(a!, b!).setLength(thick);
    this.#ball.matrix.makeBasis(a!, b!, c!).setPosition(pose[9]!, pose[10]!, pose[11]!);
    this.#ball.matrixWorldNeedsUpdate = true;
  }

  legend(): Node {
    return this.#legend;
  }

  reset(): void {
    this.#ball.visible = false;
  }
}
