// contacts.ts - which links are in each other, and how deep, by the shapes that they collide with.
//
// What measures it comes when the model moves for the first time: a model of the module with clips,
// made of the one on the stage.

import type { Collision, Model, Proximity } from 'limber';
import * as THREE from 'three';
import { clipsLibrary } from '../../motion/library';
import { meshPoints } from '../../motion/mesh_points';
import { trim } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { Layer, Scene } from './layer';

/** Pairs that are named; of more their number is said. */
const named = 4;

export class Contacts implements Layer {
  readonly group = new THREE.Group();
  readonly #legend = h('p.contacts', { role: 'status' });
  readonly #dots: THREE.InstancedMesh;
  readonly #changed: () => void;
  #of: Model | null = null;
  /** The pose in which the model was seen first. */
  #first = '';
  #making = false;
  #collision: Collision | null = null;
  #latest: Scene | null = null;
  /** What touches now. */
  touching: readonly Proximity[] = [];

  /** `changed` is called when what measures is there. */
  constructor(changed: () => void) {
    this.#changed = changed;
    const material = new THREE.MeshBasicMaterial({ color: 0xd0342c, depthTest: false });
    this.#dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), material, 64);
    this.#dots.renderOrder = 4;
    this.#dots.frustumCulled = false;
    this.#dots.count = 0;
    this.group.add(this.#dots);
  }

  update(scene: Scene): void {
    this.#latest = scene;
    const { model } = scene.session;
    const pose = JSON.stringify(scene.q);
    if (model !== this.#of) {
      this.reset();
      this.#of = model;
      this.#first = pose;
    }
    if (!this.#making && pose !== this.#first) void this.#make(model, scene);
    this.#show(scene);
  }

  async #make(model: Model, { files }: Scene): Promise<void> {
    this.#making = true;
    try {
      const library = await clipsLibrary();
      const meshes = await meshPoints(model, files);
      if (this.#of !== model) return;
      const same = library.model(model.toJson());
      this.#collision = library.clips.collision(same, { meshes, fit: 'hull' });
      if (this.#latest) this.#show(this.#latest);
      this.#changed();
    } catch {
      // without the module nothing is measured, and nothing said
    }
  }

  #show({ session, q, size }: Scene): void {
    const { links } = session.model;
    this.touching = this.#collision?.near(q).filter(({ distance }) => distance < 0) ?? [];
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
    const text = words.length > 0 ? `${words.join('; ')}${more > 0 ? `; ${more} more` : ''}` : '';
    if (this.#legend.textContent !== text) this.#legend.textContent = text;
  }

  legend(): Node | null {
    return this.touching.length > 0 ? this.#legend : null;
  }

  reset(): void {
    const model = this.#collision?.model;
    this.#collision?.release();
    model?.release();
    this.#collision = this.#of = null;
    this.#making = false;
    this.#dots.count = 0;
    this.touching = [];
  }
}
