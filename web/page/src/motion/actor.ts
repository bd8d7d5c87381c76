// actor.ts - a figure that plays a clip in the room.

import type { Clip, Model, State } from 'limber';
import * as THREE from 'three';
import { h } from '../ui/dom';
import { Figure } from '../stage/figure';
import { type Files, MeshSource } from '../stage/meshes';
import type { World } from '../stage/world';
import { Skin, type SkinSource } from './skin';

/** Pixels from the upper edge, from where on names are clear of the tools. */
const belowTools = 76;

export class Actor {
  readonly model: Model;
  readonly state: State;
  readonly figure: Figure;
  /** Moved to the side, so that figures do not stand in each other. */
  readonly group = new THREE.Group();
  readonly label = h('div.actor-label');
  /** Metres from the root to the farthest link at rest. */
  readonly size: number;
  readonly #top = new THREE.Vector3();
  #skin: Skin | null = null;
  #bones = false;
  #disposed = false;

  constructor(model: Model, name: string, meshes: Files, changed: () => void) {
    this.model = model;
    this.state = model.state(model.neutral());
    this.size = sizeOf(this.state.transforms);
    this.figure = new Figure(model, this.size, new MeshSource(meshes), changed);
    this.group.add(this.figure.group);
    this.label.textContent = name;
  }

  /** Draws a mesh around the bones as soon as it is read; throws what is wrong with it. */
  async wear(source: SkinSource): Promise<void> {
    const skin = await Skin.load(this.model, source);
    if (this.#disposed) return skin.dispose();
    this.#skin = skin;
    this.group.add(skin.object);
    this.bones = this.#bones;
    this.#place();
  }

  get hasSkin(): boolean {
    return this.#skin !== null;
  }

  /** Bones in place of the mesh. */
  set bones(shown: boolean) {
    this.#bones = shown;
    if (this.#skin) this.#skin.object.visible = !shown;
    this.figure.group.visible = shown || !this.#skin;
  }

  show(q: ArrayLike<number>): void {
    this.state.update(q);
    this.#place();
  }

  #place(): void {
    this.figure.update(this.state.transforms);
    this.group.updateMatrix();
    this.#skin?.update(this.state.transforms, this.group.matrix);
  }

  /** Where the root's first moving link is, above the ground, with its place in the room. */
  get place(): THREE.Vector3 {
    const at = 12 * Math.min(1, this.model.links.length - 1);
    const t = this.state.transforms;
    return new THREE.Vector3(t[at + 9], t[at + 10], t[at + 11]).add(this.group.position);
  }

  /** Pixels from the left and upper edge to the middle below its name; null: out of the picture. */
  above(camera: THREE.Camera, { width, height }: World['size']): [number, number] | null {
    const t = this.state.transforms;
    let top = -Infinity;
    for (let i = 11; i < t.length; i += 12) top = Math.max(top, t[i]!);
    const { x, y } = this.place;
    const room = (this.#skin?.above ?? 0) + 0.12 * this.size;
    const at = this.#top.set(x, y, top + room).project(camera);
    if (Math.abs(at.x) >= 1 || Math.abs(at.y) >= 1 || at.z >= 1) return null;
    return [((1 + at.x) / 2) * width, Math.max(belowTools, ((1 - at.y) / 2) * height)];
  }

  dispose(): void {
    this.#disposed = true;
    this.#skin?.dispose();
    this.figure.dispose();
    this.group.removeFromParent();
    this.label.remove();
    this.state.release();
  }
}

function sizeOf(t: ArrayLike<number>): number {
  // the first link is the world, from which a figure may be far
  const root = t.length > 12 ? 12 : 0;
  let far = 0;
  for (let i = root; i < t.length; i += 12)
    far = Math.max(
      far,
      Math.hypot(t[i + 9]! - t[root + 9]!, t[i + 10]! - t[root + 10]!, t[i + 11]! - t[root + 11]!),
    );
  return far > 0 ? far : 1;
}

/** Across the way that a clip goes along the ground, of unit length. */
export function sideOf(clip: Clip): THREE.Vector3 {
  const state = clip.model.state();
  const at = 12 * Math.min(1, clip.model.links.length - 1);
  const place = (time: number): [number, number] => {
    const t = state.update(clip.at(time)).transforms;
    return [t[at + 9]!, t[at + 10]!];
  };
  const [from, to] = [place(clip.begin), place(clip.end)];
  state.release();
  const way = new THREE.Vector3(to[0] - from[0], to[1] - from[1], 0);
  // what stays about its place is spread along the picture
  if (way.length() < 0.3) return new THREE.Vector3(1, 0.87, 0).normalize();
  way.normalize();
  return new THREE.Vector3(-way.y, way.x, 0);
}
