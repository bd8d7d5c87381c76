// room.ts - the figures of a motion in the room: side by side, their names, the view that goes along.

import * as THREE from 'three';
import { h } from '../ui/dom';
import { World } from '../stage/world';
import type { Actor } from './actor';

export class Room {
  readonly world: World;
  readonly labels = h('div.actor-labels');
  readonly #canvas: HTMLCanvasElement;
  #actors: Actor[] = [];
  #beside: THREE.Vector3 | null = null;
  /** Metres from the middle of a crowd to its outermost; 0: there is none, the actors are seen. */
  crowd = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.world = new World(canvas);
  }

  get actors(): readonly Actor[] {
    return this.#actors;
  }

  /** These figures, next to each other along `side`. */
  set(actors: Actor[], side: THREE.Vector3): void {
    this.#actors = actors;
    const step = 0.95 * Math.max(0, ...actors.map(({ size }) => size));
    actors.forEach((actor, i) => {
      actor.group.position.copy(side).multiplyScalar(step * i);
      this.world.scene.add(actor.group);
      this.labels.append(actor.label);
    });
    this.#beside = null;
  }

  get size(): number {
    return Math.max(0.01, ...this.#actors.map(({ size }) => size));
  }

  /** The floor below the figures, and all of them in view. */
  furnish(ground: number): void {
    this.world.furnish(Math.max(1.25 * this.size, 0.8 * this.crowd), ground);
    this.look();
  }

  look(): void {
    const box = new THREE.Box3();
    for (const { group } of this.#actors) {
      group.updateMatrixWorld(true);
      box.union(new THREE.Box3().setFromObject(group));
    }
    if (box.isEmpty()) return;
    if (this.crowd > 0)
      // as high as it must be to be looked at from the side
      for (const sign of [-1, 1])
        box.expandByPoint(
          new THREE.Vector3(sign, sign, (1 + sign) / 5).multiplyScalar(0.7 * this.crowd),
        );
    this.world.look(box, 0.55 * this.size);
    this.#beside = this.#middle();
    this.world.accompany(this.#beside);
  }

  #middle(): THREE.Vector3 {
    const sum = new THREE.Vector3();
    for (const actor of this.#actors) sum.add(actor.place);
    return sum.divideScalar(Math.max(1, this.#actors.length)).setZ(0);
  }

  /** The view goes as far along the ground as the figures did. */
  accompany(): void {
    if (this.#actors.length === 0) return;
    const middle = this.#middle();
    if (this.#beside) this.world.shift(middle.clone().sub(this.#beside));
    this.world.accompany(middle);
    this.#beside = middle;
  }

  /** Where the figures are is where the view is from now on. */
  settle(): void {
    this.#beside = this.#actors.length > 0 ? this.#middle() : null;
  }

  /** Puts names over figures, one above another where they would meet. */
  frame(): void {
    const taken: DOMRect[] = [];
    for (const actor of this.#actors) {
      actor.placeLabel(this.world.camera, this.#canvas);
      const { label } = actor;
      label.style.marginTop = '0';
      label.hidden ||= this.crowd > 0;
      if (label.hidden) continue;
      const box = label.getBoundingClientRect();
      const under = taken.find(
        ({ left, right, top, bottom }) =>
          box.left < right && box.right > left && box.top < bottom && box.bottom > top,
      );
      const up = under ? box.bottom - under.top + 2 : 0;
      label.style.marginTop = `${-up}px`;
      taken.push(new DOMRect(box.x, box.y - up, box.width, box.height));
    }
  }
}
