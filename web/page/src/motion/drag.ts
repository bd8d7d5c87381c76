// drag.ts - a part of a figure under the pointer is dragged to where it should have been.

import type { LimberWithClips } from 'limber';
import * as THREE from 'three';
import { linkOf } from '../stage/figure';
import type { Actor } from './actor';
import { Pull } from './correct';
import type { Room } from './room';

export interface DragEvents {
  library(): LimberWithClips;
  /** The pose that an actor has now. */
  poseOf(actor: Actor): ArrayLike<number> | null;
  begin(): void;
  show(): void;
  /** A point of a link was moved by so much, in metres along the world's axes. */
  end(actor: Actor, link: number, point: number[], by: number[]): void;
}

interface Hit {
  actor: Actor;
  link: number;
  at: THREE.Vector3;
}

export class Dragging {
  readonly #room: Room;
  readonly #events: DragEvents;
  #lit: Actor | null = null;

  constructor(room: Room, events: DragEvents) {
    this.#room = room;
    this.#events = events;
    const { canvas } = room.world;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.#hover(event));
  }

  #ray(event: PointerEvent): THREE.Raycaster {
    const { canvas, camera } = this.#room.world;
    const box = canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    ray.setFromCamera(new THREE.Vector2(x, y), camera);
    return ray;
  }

  #hit(event: PointerEvent): Hit | null {
    const ray = this.#ray(event);
    let best: (Hit & { far: number }) | null = null;
    for (const actor of this.#room.actors) {
      if (!actor.group.visible) continue;
      const [hit] = ray.intersectObject(actor.figure.group, true);
      const link = hit ? linkOf(hit.object) : -1;
      if (hit && link > 0 && hit.distance < (best?.far ?? Infinity))
        best = { actor, link, at: hit.point, far: hit.distance };
    }
    return best;
  }

  #light(hit: Hit | null): void {
    if (this.#lit && this.#lit !== hit?.actor) this.#lit.figure.highlight(-1);
    hit?.actor.figure.highlight(hit.link);
    this.#lit = hit?.actor ?? null;
    this.#room.world.redraw();
  }

  #hover(event: PointerEvent): void {
    if (event.buttons || event.pointerType === 'touch') return;
    const hit = this.#hit(event);
    const { canvas } = this.#room.world;
    canvas.style.cursor = hit ? 'grab' : '';
    canvas.title = hit ? hit.actor.model.links[hit.link]!.name : '';
    this.#light(hit);
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const hit = this.#hit(event);
    if (!hit) return;
    event.stopImmediatePropagation();
    this.#drag(event, hit);
  }

  #drag(event: PointerEvent, { actor, link, at }: Hit): void {
    const { canvas, camera } = this.#room.world;
    this.#events.begin();
    const q = this.#events.poseOf(actor);
    if (!q) return;
    const normal = camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at);
    const inverse = actor.figure.links[link]!.matrixWorld.clone().invert();
    const point = at.clone().applyMatrix4(inverse).toArray();
    const pull = new Pull(this.#events.library(), actor.model, link, point);
    const from = pull.at(q);
    let by = [0, 0, 0];
    canvas.setPointerCapture(event.pointerId);
    this.#light({ actor, link, at });
    const drag = new AbortController();
    const move = (e: PointerEvent): void => {
      const to = this.#ray(e).ray.intersectPlane(plane, new THREE.Vector3());
      if (!to || !to.toArray().every(Number.isFinite)) return;
      by = to.sub(at).toArray();
      actor.show(
        pull.to(
          q,
          from.map((x, i) => x + by[i]!),
        ),
      );
      this.#events.show();
    };
    const end = (): void => {
      drag.abort();
      pull.release();
      this.#light(null);
      if (by.some((x) => x !== 0)) this.#events.end(actor, link, point, by);
    };
    canvas.addEventListener('pointermove', move, { signal: drag.signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(name, end, { signal: drag.signal });
  }
}
