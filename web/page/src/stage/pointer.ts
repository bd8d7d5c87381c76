// pointer.ts - the pointer in the room: it points at links, selects targets, and pulls links.

import * as THREE from 'three';
import { type Figure, linkOf } from './figure';
import type { Vector } from './session';
import type { Targets } from './targets';
import type { World } from './world';

export interface PointerEvents {
  /** The figure that is drawn. */
  figure(): Figure;
  /** Whether there is one to point at. */
  active(): boolean;
  highlight(link: number): void;
  begin(): void;
  /** A point of a link of this figure is pulled to a place in the world. */
  pull(figure: Figure, link: number, point: Vector, to: Vector): void;
  end(): void;
}

export class Pointer {
  readonly #world: World;
  readonly #targets: Targets;
  readonly #events: PointerEvents;

  constructor(world: World, targets: Targets, events: PointerEvents) {
    this.#world = world;
    this.#targets = targets;
    this.#events = events;
    const { canvas } = world;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.#hover(event));
  }

  // from -1 to 1 across the picture
  #place(event: PointerEvent): THREE.Vector2 {
    const box = this.#world.canvas.getBoundingClientRect();
    return new THREE.Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
  }

  #ray(event: PointerEvent): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(this.#place(event), this.#world.camera);
    return ray;
  }

  #hover(event: PointerEvent): void {
    if (event.buttons || !this.#events.active() || event.pointerType === 'touch') return;
    const figure = this.#events.figure();
    const [hit] = this.#targets.hot ? [] : this.#ray(event).intersectObject(figure.group, true);
    const link = hit ? linkOf(hit.object) : -1;
    this.#events.highlight(link);
    this.#world.canvas.style.cursor = link > 0 ? 'grab' : '';
    this.#world.canvas.title = link >= 0 ? figure.model.links[link]!.name : '';
  }

  // a target under the pointer is selected, a link is pulled; anything else turns the view
  #press(event: PointerEvent): void {
    const ray = this.#ray(event);
    const { x, y } = this.#place(event);
    if (event.pointerType === 'touch') this.#targets.touch(x, y);
    if (event.button !== 0 || this.#targets.hot || !this.#events.active()) return;
    if (this.#targets.pick(ray)) return;
    const [hit] = ray.intersectObject(this.#events.figure().group, true);
    const link = hit ? linkOf(hit.object) : -1;
    if (!hit || link <= 0) return;
    event.stopImmediatePropagation();
    this.#pull(event, link, hit.point);
  }

  #pull(event: PointerEvent, link: number, at: THREE.Vector3): void {
    const { canvas, camera } = this.#world;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      camera.getWorldDirection(new THREE.Vector3()),
      at,
    );
    const figure = this.#events.figure();
    const point = at.clone().applyMatrix4(figure.links[link]!.matrixWorld.clone().invert());
    const drag = new AbortController();
    canvas.setPointerCapture(event.pointerId);
    this.#events.begin();
    this.#events.highlight(link);
    const move = (e: PointerEvent): void => {
      const to = this.#ray(e).ray.intersectPlane(plane, new THREE.Vector3());
      if (!to || !to.toArray().every(Number.isFinite)) return;
      this.#events.pull(figure, link, point.toArray(), to.toArray());
    };
    canvas.addEventListener('pointermove', move, { signal: drag.signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(
        name,
        () => {
          drag.abort();
          this.#events.highlight(-1);
          this.#events.end();
        },
        { signal: drag.signal },
      );
  }
}
