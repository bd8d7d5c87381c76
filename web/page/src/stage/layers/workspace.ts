// workspace.ts - where the selected tip can be: the cells that the library finds by trying
// configurations within the limits, some in every picture; the darker a cell, the more of
// all orientations the tip takes there.

import type { Workspace as Cells } from 'limber';
import * as THREE from 'three';
import type { Layer, Scene } from './layer';

const samples = 400_000;
const atOnce = 4_000;
/** Milliseconds of sampling in one picture. */
const patience = 8;
const scarce = new THREE.Color(0x9ec7ff);
const plenty = new THREE.Color(0x1b2f9e);

export class Workspace implements Layer {
  readonly group = new THREE.Group();
  readonly extent = 1.9;
  readonly #points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  // what is on this side of the model is cut away, so that the model is seen
  readonly #cut = new THREE.Plane();
  #cells: Cells | null = null;
  #tried = 0;
  #drawn = 0;
  #session: Scene['session'] | null = null;
  #link = '';

  constructor() {
    const material = new THREE.PointsMaterial({
      vertexColors: true,
      transparent: true,
      opacity: 0.75,
      clippingPlanes: [this.#cut],
    });
    // round points
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        'void main() {',
        'void main() {\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;',
      );
    };
    this.#points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.#points.frustumCulled = false;
    this.group.add(this.#points);
  }

  update({ session, stage }: Scene): void {
    const link = stage.tips[stage.selected]?.link ?? '';
    if (this.#session === session && link === this.#link) return;
    this.reset();
    this.#session = session;
    this.#link = link;
    try {
      this.#cells = link ? session.model.workspace(link) : null;
    } catch {
      // a link that no joint moves has none
      this.#cells = null;
    }
  }

  frame(): boolean {
    if (!this.#cells || this.#tried >= samples) return false;
    const begin = performance.now();
    do {
      this.#cells.sample(atOnce);
      this.#tried += atOnce;
    } while (performance.now() - begin < patience && this.#tried < samples);
    // the picture of so many cells is made now and then
    const share = Math.floor((20 * this.#tried) / samples);
    if (share > this.#drawn || this.#tried === atOnce) this.#draw(this.#cells);
    this.#drawn = share;
    return true;
  }

  #draw(cells: Cells): void {
    const rows = cells.cells();
    const count = rows.length / 4;
    const places = new Float32Array(3 * count);
    const colors = new Float32Array(3 * count);
    const color = new THREE.Color();
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        // a little off the grid, or its lines would be all one sees
        const stray = (((i * 3 + k) * 0.618034) % 1) - 0.5;
        places[3 * i + k] = rows[4 * i + k]! + 0.7 * stray * cells.cell;
      }
      color.lerpColors(scarce, plenty, Math.sqrt(rows[4 * i + 3]!)).toArray(colors, 3 * i);
    }
    const { geometry, material } = this.#points;
    geometry.dispose();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    material.size = 0.5 * cells.cell;
  }

  /** Looks from this side, at a model that stands here. */
  look(camera: THREE.Camera, at: THREE.Vector3): void {
    const way = camera.getWorldDirection(new THREE.Vector3()).setZ(0);
    if (way.lengthSq() > 1e-6) this.#cut.setFromNormalAndCoplanarPoint(way.normalize(), at);
  }

  reset(): void {
    this.#cells?.release();
    this.#cells = null;
    this.#session = null;
    this.#tried = this.#drawn = 0;
    this.#points.geometry.dispose();
    this.#points.geometry = new THREE.BufferGeometry();
  }
}
