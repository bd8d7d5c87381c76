// room.ts - the figures of a motion in the room: side by side, their names, the view that goes along.

import * as THREE from 'three';
import { h } from '../ui/dom';
import { World } from '../stage/world';
import type { Actor } from './actor';

export class Room {
  readonly world: World;
  readonly labels = h('div.actor-labels');
  /** Pixels of the names, and half of the width. */
  readonly #sizes = new WeakMap<Element, { half: number; height: number }>();
  readonly #measure = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const [{ inlineSize, blockSize }] = borderBoxSize as [ResizeObserverSize];
      this.#sizes.set(target, { half: inlineSize / 2, height: blockSize });
    }
  });
  #actors: Actor[] = [];
  #beside: THREE.Vector3 | null = null;
  /** Metres from the middle of a crowd to its outermost; 0: there is none, the actors are seen. */
  crowd = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.world = new World(canvas);
  }

  get actors(): readonly Actor[] {
    return this.#actors;
  }

  /** These figures, next to each other along `side`. */
  set(actors: Actor[], side: THREE.Vector3): void {
    this.#actors = actors;
    this.#measure.disconnect();
    const step = 0.95 * Math.max(0, ...actors.map(({ size }) => size));
    actors.forEach((actor, i) => {
      actor.group.position.copy(side).multiplyScalar(step * i);
      this.world.scene.add(actor.group);
      this.labels.append(actor.label);
      this.#measure.observe(actor.label);
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
    const taken: { left: number; right: number; top: number; bottom: number }[] = [];
    for (const actor of this.#actors) {
      const { label } = actor;
      const at = this.crowd > 0 ? null : actor.above(this.world.camera, this.world.size);
      label.hidden = at === null;
      if (!at) continue;
      const { half, height } = this.#sizes.get(label) ?? { half: 0, height: 0 };
      const box = { left: at[0] - half, right: at[0] + half, top: at[1] - height, bottom: at[1] };
      const under = taken.find(
        ({ left, right, top, bottom }) =>
          box.left < right && box.right > left && box.top < bottom && box.bottom > top,
      );
      const up = under ? box.bottom - under.top + 2 : 0;
      label.style.left = `${at[0]}px`;
      label.style.top = `${at[1] - up}px`;
      taken.push({ ...box, top: box.top - up, bottom: box.bottom - up });
    }
  }
}
