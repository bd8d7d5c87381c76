// gap.ts - how far a tip is from its target: a dashed line between them, with the distance.

import * as THREE from 'three';
import { h } from '../ui/dom';
import { lengthWords } from '../ui/status';

export class Gap {
  readonly line: THREE.Line;
  readonly label = h('div.gap-label', { hidden: true });
  readonly #middle = new THREE.Vector3();

  constructor() {
    const material = new THREE.LineDashedMaterial({ color: 0xc0262d });
    this.line = new THREE.Line(new THREE.BufferGeometry(), material);
    this.line.frustumCulled = false;
    this.line.visible = false;
  }

  /** Two places in the world; null: no line. */
  update(from: readonly number[] | null, to: readonly number[] | null): void {
    this.line.visible = from !== null && to !== null;
    if (!from || !to) return;
    const [a, b] = [new THREE.Vector3(...(from as Triple)), new THREE.Vector3(...(to as Triple))];
    const far = a.distanceTo(b);
    this.line.visible = far > 1e-6;
    this.line.geometry.setFromPoints([a, b]);
    const material = this.line.material as THREE.LineDashedMaterial;
    material.dashSize = material.gapSize = far / 25;
    this.line.computeLineDistances();
    this.#middle.lerpVectors(a, b, 0.5);
    this.label.textContent = lengthWords(far);
  }

  /** Puts the distance beside the middle of the line. */
  place(camera: THREE.Camera, canvas: HTMLElement): void {
    this.label.hidden = !this.line.visible;
    if (!this.line.visible) return;
    const at = this.#middle.clone().project(camera);
    this.label.style.left = `${((1 + at.x) / 2) * canvas.clientWidth}px`;
    this.label.style.top = `${((1 - at.y) / 2) * canvas.clientHeight}px`;
  }
}

type Triple = [number, number, number];
