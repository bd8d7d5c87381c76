// workspace.ts - where the selected tip can be: the cells that the library finds by sampling
// configurations within the limits, some in every picture, coloured by dexterity: the share
// of all orientations that the tip takes there. Half of it is cut away at the model.

import type { Workspace as Cells } from 'limber';
import * as THREE from 'three';
import { h } from '../../ui/dom';
import type { Layer, Scene } from './layer';

const samples = 400_000;
const atOnce = 4_000;
/** Milliseconds of sampling in one picture. */
const patience = 8;
/** From no orientation to all: the colours of viridis, which keep their order in grey. */
const scale = [0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725].map((hex) => new THREE.Color(hex));

function colorOf(share: number, out: THREE.Color): THREE.Color {
  const at = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const i = Math.min(Math.floor(at), scale.length - 2);
  return out.lerpColors(scale[i]!, scale[i + 1]!, at - i);
}

export class Workspace implements Layer {
  readonly group = new THREE.Group();
  readonly extent = 1.9;
  readonly #points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  // what is on this side of the model is cut away, so that the model is seen
  readonly #cut = new THREE.Plane();
  #cells: Cells | null = null;
  readonly #legend = h(
    'p.dexterity',
    {},
    'Dexterity: share of orientations',
    h('span.scale', {}),
    h('span.ends', {}, h('span', {}, '0'), h('span', {}, '100 %')),
  );
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
        // a little off the grid, whose lines would dominate
        const stray = (((i * 3 + k) * 0.618034) % 1) - 0.5;
        places[3 * i + k] = rows[4 * i + k]! + 0.7 * stray * cells.cell;
      }
      colorOf(rows[4 * i + 3]!, color).toArray(colors, 3 * i);
    }
    const { geometry, material } = this.#points;
    geometry.dispose();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    material.size = 0.5 * cells.cell;
  }

  /** Looks from this side, at a model placed here. */
  look(camera: THREE.Camera, at: THREE.Vector3): void {
    const ahead = camera.getWorldDirection(new THREE.Vector3()).setZ(0);
    if (ahead.lengthSq() > 1e-6) this.#cut.setFromNormalAndCoplanarPoint(ahead.normalize(), at);
  }

  legend(): Node {
    return this.#legend;
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
