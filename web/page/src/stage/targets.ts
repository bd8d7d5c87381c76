// targets.ts - the targets in the room, and the gizmo that moves the selected one.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { TipState } from './document';
import { placeAt } from './matrix';
import type { World } from './world';

export interface TargetEvents {
  begin(): void;
  /** The target of tip `index` is now here. */
  move(index: number, target: number[]): void;
  end(): void;
  select(index: number): void;
}

/** A cross of three coloured arms with a ring about z, as large as it should look. */
function marker(size: number): THREE.Group {
  const group = new THREE.Group();
  const r = 0.0055 * size;
  const arms: [THREE.Vector3, number][] = [
    [new THREE.Vector3(1, 0, 0), 0xd23b3b],
    [new THREE.Vector3(0, 1, 0), 0x2f9e4f],
    [new THREE.Vector3(0, 0, 1), 0x2f6fd0],
  ];
  for (const [axis, color] of arms) {
    const material = new THREE.MeshBasicMaterial({ color });
    const arm = new THREE.Mesh(
      new THREE.CylinderGeometry(r, r, 0.11 * size, 10).translate(0, 0.055 * size, 0),
      material,
    );
    arm.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis);
    group.add(arm);
  }
  const ball = new THREE.Mesh(
    new THREE.SphereGeometry(0.02 * size, 24, 16),
    new THREE.MeshBasicMaterial({ color: 0xc0262d, transparent: true, opacity: 0.85 }),
  );
  const block = new THREE.Mesh(
    new THREE.BoxGeometry(0.04 * size, 0.04 * size, 0.04 * size),
    new THREE.MeshBasicMaterial({ color: 0x46536b, transparent: true, opacity: 0.9 }),
  );
  group.add(ball, block);
  group.userData['kinds'] = [ball, block];
  return group;
}

/** A ball where something is to go, a block where it is planted. */
function showPlanted(marker: THREE.Group, planted: boolean): void {
  const [ball, block] = marker.userData['kinds'] as THREE.Mesh[];
  ball!.visible = !planted;
  block!.visible = planted;
}

function disposeMarker(group: THREE.Group): void {
  group.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    object.geometry.dispose();
    (object.material as THREE.Material).dispose();
  });
  group.removeFromParent();
}

export class Targets {
  readonly group = new THREE.Group();
  readonly #world: World;
  readonly #events: TargetEvents;
  readonly #gizmo: TransformControls;
  /** What the gizmo holds; the marker follows. */
  readonly #handle = new THREE.Object3D();
  #markers: THREE.Group[] = [];
  #size = 1;
  #selected = 0;
  dragging = false;

  constructor(world: World, events: TargetEvents) {
    this.#world = world;
    this.#events = events;
    this.#gizmo = new TransformControls(world.camera, world.canvas);
    this.#gizmo.setSize(0.75);
    this.#gizmo.addEventListener('change', () => world.redraw());
    this.#gizmo.addEventListener('dragging-changed', ({ value }) => {
      this.dragging = value === true;
      world.orbit.enabled = !this.dragging;
      if (this.dragging) events.begin();
      else events.end();
    });
    this.#gizmo.addEventListener('objectChange', () => {
      this.#handle.updateMatrix();
      const target = numbersOf(this.#handle.matrix);
      // while the stage is hidden there are no finite numbers
      if (target.every(Number.isFinite)) events.move(this.#selected, target);
    });
    world.scene.add(this.group, this.#handle, this.#gizmo.getHelper());
  }

  /** Everything that belongs to targets, for pictures without them. */
  get objects(): THREE.Object3D[] {
    return [this.group, this.#gizmo.getHelper()];
  }

  /** The gizmo has the pointer over one of its parts. */
  get hot(): boolean {
    return this.dragging || this.#gizmo.axis !== null;
  }

  /** A finger comes down without having hovered: sees what is under it first. */
  touch(x: number, y: number): void {
    if (this.#gizmo.object && this.#gizmo.enabled)
      this.#gizmo.pointerHover({ x, y, button: 0 } as unknown as PointerEvent);
  }

  update(
    tips: readonly TipState[],
    selected: number,
    mode: 'translate' | 'rotate',
    size: number,
  ): void {
    if (size !== this.#size) this.#clear();
    this.#size = size;
    while (this.#markers.length > tips.length) disposeMarker(this.#markers.pop()!);
    while (this.#markers.length < tips.length) {
      const made = marker(size);
      made.userData['tip'] = this.#markers.length;
      this.#markers.push(made);
      this.group.add(made);
    }
    tips.forEach(({ target, planted }, i) => {
      if (target.length === 12) placeAt(this.#markers[i]!, target);
      showPlanted(this.#markers[i]!, planted);
      this.#markers[i]!.visible = target.length === 12;
    });
    this.#selected = selected;
    const target = tips[selected]?.target ?? [];
    if (target.length !== 12) {
      this.#gizmo.detach();
      return;
    }
    if (this.#gizmo.object !== this.#handle) this.#gizmo.attach(this.#handle);
    this.#gizmo.setMode(tips[selected]!.kind === 'position' ? 'translate' : mode);
    this.#gizmo.setSpace(mode === 'rotate' ? 'local' : 'world');
    if (!this.dragging) {
      const holder = new THREE.Group();
      placeAt(holder, target);
      holder.matrix.decompose(this.#handle.position, this.#handle.quaternion, this.#handle.scale);
    }
  }

  /** Selects the target under a ray; false: there is none. */
  pick(ray: THREE.Raycaster): boolean {
    const [hit] = ray.intersectObjects(
      this.#markers.filter(({ visible }) => visible),
      true,
    );
    for (let o: THREE.Object3D | null = hit?.object ?? null; o; o = o.parent)
      if (typeof o.userData['tip'] === 'number') {
        this.#events.select(o.userData['tip']);
        return true;
      }
    return false;
  }

  show(visible: boolean): void {
    this.group.visible = visible;
    this.#gizmo.getHelper().visible = visible && this.#gizmo.object !== undefined;
    this.#gizmo.enabled = visible;
    this.#world.redraw();
  }

  #clear(): void {
    for (const made of this.#markers) disposeMarker(made);
    this.#markers = [];
  }
}

/** The twelve numbers of a rigid matrix. */
export function numbersOf(matrix: THREE.Matrix4): number[] {
  const e = matrix.elements;
  return [e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10], e[12], e[13], e[14]];
}
