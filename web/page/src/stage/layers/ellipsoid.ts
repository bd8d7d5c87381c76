// ellipsoid.ts - manipulability: how fast the tip can move in each direction at unit joint speed.
// Where it is flat the arm is near a singular configuration, and damped least squares asks for less:
// the dashed lines are what damping by a tenth of the longest axis leaves.

import * as THREE from 'three';
import { trim } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { Layer, Scene } from './layer';

const purple = 0x8540b4;

/** Damping as a share of the longest axis. */
const damping = 0.1;

/** Three circles of radius 1. */
function rings(material: THREE.Material): THREE.Object3D[] {
  return [0, 1, 2].map((i) => {
    const points = Array.from({ length: 65 }, (_, k) => {
      const a = (k * Math.PI) / 32;
      const p = [0, 0, 0];
      p[(i + 1) % 3] = Math.cos(a);
      p[(i + 2) % 3] = Math.sin(a);
      return new THREE.Vector3(...p);
    });
    const ring = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), material);
    return ring.computeLineDistances();
  });
}

export class Ellipsoid implements Layer {
  readonly group = new THREE.Group();
  readonly #ball: THREE.Mesh;
  readonly #damped = new THREE.Group();
  readonly #legend = h('p');

  constructor() {
    const material = new THREE.MeshStandardMaterial({
      color: purple,
      transparent: true,
      opacity: 0.32,
      roughness: 0.4,
      depthWrite: false,
    });
    this.#ball = new THREE.Mesh(new THREE.SphereGeometry(1, 40, 24), material);
    this.#ball.add(
      ...rings(new THREE.LineBasicMaterial({ color: purple, transparent: true, opacity: 0.8 })),
    );
    const dashes = { color: 0x3d1459, dashSize: 0.08, gapSize: 0.06, depthTest: false };
    this.#damped.add(...rings(new THREE.LineDashedMaterial(dashes)));
    this.group.add(this.#ball, this.#damped);
    for (const part of this.group.children) part.matrixAutoUpdate = false;
  }

  update({ session, stage, size }: Scene): void {
    const link = stage.tips[stage.selected]?.link;
    this.group.visible = link !== undefined;
    if (!link) return;
    const { axes } = session.state.velocityEllipsoid(link);
    const lengths = axes.map((axis) => Math.hypot(...axis));
    const damped = session.state.velocityEllipsoid(link, { damping: damping * lengths[0]! });
    // the longest axis is a third of the model, as long as it is not tiny
    const scale = (0.33 * size) / Math.max(lengths[0]!, 1e-3 * size);
    const list = (numbers: readonly number[]): string => numbers.map((x) => trim(x, 2)).join(', ');
    const halves = damped.axes.map((axis) => Math.hypot(...axis));
    this.#legend.textContent =
      `Manipulability ${trim(lengths[0]! * lengths[1]! * lengths[2]!, 3)} m³; ` +
      `axes ${list(lengths)} m/s at 1 rad/s, drawn ${trim(scale, 2)} : 1; ` +
      `dashed, with damping ${trim(damping * lengths[0]!, 2)}: ${list(halves)} m/s`;
    const pose = session.pose(link);
    for (const [part, which] of [
      [this.#ball, axes],
      [this.#damped, damped.axes],
    ] as const) {
      const [a, b, c] = which.map((axis) => new THREE.Vector3(...axis).multiplyScalar(scale));
      // a flat ellipsoid still has some thickness, to be seen
      const thick = 0.004 * size;
      if (c!.length() < thick) c!.crossVectors(a!, b!).setLength(thick);
      part.matrix.makeBasis(a!, b!, c!).setPosition(pose[9]!, pose[10]!, pose[11]!);
      part.matrixWorldNeedsUpdate = true;
    }
  }

  legend(): Node {
    return this.#legend;
  }

  reset(): void {
    this.group.visible = false;
  }
}
