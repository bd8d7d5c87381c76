// figure.ts - the linkage to be seen: its shapes where it has some, else its joints and bones.

import type { Model, Visual } from 'limber';
import * as THREE from 'three';
import type { MeshSource } from './meshes';

/** What a part of the figure belongs to, found again under the pointer. */
export const linkOf = (object: THREE.Object3D | null): number => {
  for (let o = object; o; o = o.parent)
    if (typeof o.userData['link'] === 'number') return o.userData['link'];
  return -1;
};

/** Sets an object's matrix from twelve numbers: columns x, y, z, p. */
export function placeAt(object: THREE.Object3D, t: ArrayLike<number>, at = 0): void {
  object.matrixAutoUpdate = false;
  const n = (i: number): number => t[at + i]!;
  object.matrix.set(
    n(0),
    n(3),
    n(6),
    n(9),
    n(1),
    n(4),
    n(7),
    n(10),
    n(2),
    n(5),
    n(8),
    n(11),
    0,
    0,
    0,
    1,
  );
  object.matrixWorldNeedsUpdate = true;
}

const plainColor = 0xb9c0cb;

export class Figure {
  readonly group = new THREE.Group();
  readonly links: THREE.Group[];
  /** Meshes that were named but are not there. */
  readonly missing: string[] = [];
  readonly #model: Model;
  readonly #size: number;
  readonly #materials = new Map<string, THREE.MeshStandardMaterial>();

  /** `changed` is called when a mesh has come. */
  constructor(model: Model, size: number, meshes: MeshSource, changed: () => void) {
    this.#model = model;
    this.#size = size;
    this.links = model.links.map((link) => {
      const group = new THREE.Group();
      group.userData['link'] = link.index;
      group.name = link.name;
      this.group.add(group);
      return group;
    });
    const seen = model.links.filter(({ visuals }) =>
      visuals.some((v) => v.shape !== 'mesh' || meshes.has(v.mesh)),
    );
    if (seen.length > 0)
      model.links.forEach((link, i) => this.#addShapes(i, link.visuals, meshes, changed));
    else this.#addSkeleton();
    for (const { visuals } of model.links)
      for (const visual of visuals)
        if (visual.shape === 'mesh' && !meshes.has(visual.mesh)) this.missing.push(visual.mesh);
  }

  /** Moves every link to where it is. */
  update(transforms: ArrayLike<number>): void {
    this.links.forEach((group, i) => placeAt(group, transforms, 12 * i));
  }

  /** Lights up one link, -1: none. */
  highlight(link: number): void {
    this.links.forEach((group, i) =>
      group.traverse((object) => {
        if (!(object instanceof THREE.Mesh)) return;
        const own = object.userData['material'] as THREE.Material | undefined;
        if (i === link && !own) {
          object.userData['material'] = object.material;
          const lit = (object.material as THREE.MeshStandardMaterial).clone();
          lit.emissive?.set(0x2f6fd0);
          lit.emissiveIntensity = 0.35;
          object.material = lit;
        } else if (i !== link && own) {
          (object.material as THREE.Material).dispose();
          object.material = own;
          delete object.userData['material'];
        }
      }),
    );
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof THREE.Mesh) object.geometry.dispose();
    });
    for (const material of this.#materials.values()) material.dispose();
    this.group.removeFromParent();
  }

  // ---- shapes ----

  #material(color: readonly number[] | null): THREE.MeshStandardMaterial {
    const key = color?.join(',') ?? '';
    let material = this.#materials.get(key);
    if (!material) {
      material = new THREE.MeshStandardMaterial({
        roughness: 0.55,
        metalness: 0.05,
        color: plainColor,
      });
      if (color) {
        material.color.setRGB(color[0]!, color[1]!, color[2]!, THREE.SRGBColorSpace);
        const alpha = color[3] ?? 1;
        if (alpha < 1 && alpha > 0) [material.transparent, material.opacity] = [true, alpha];
      }
      this.#materials.set(key, material);
    }
    return material;
  }

  #addShapes(
    link: number,
    visuals: readonly Visual[],
    meshes: MeshSource,
    changed: () => void,
  ): void {
    for (const visual of visuals) {
      // the data is readied by the link's own transform before it is placed
      const outer = new THREE.Group();
      placeAt(outer, this.#model.links[link]!.ready);
      const inner = new THREE.Group();
      placeAt(inner, visual.placement);
      outer.add(inner);
      this.links[link]!.add(outer);
      const material = this.#material(visual.color);
      if (visual.shape === 'mesh') {
        if (visual.scale) {
          const scaled = new THREE.Group();
          scaled.scale.set(visual.scale[0]!, visual.scale[1]!, visual.scale[2]!);
          inner.add(scaled);
          meshes.load(visual.mesh, visual.color ? material : null, (object) => {
            scaled.add(object);
            changed();
          });
        } else
          meshes.load(visual.mesh, visual.color ? material : null, (object) => {
            inner.add(object);
            changed();
          });
      } else inner.add(solid(shapeGeometry(visual), material));
    }
  }

  // ---- without shapes: a bone to each child, and at each joint what shows how it moves ----

  #addSkeleton(): void {
    const bone = new THREE.MeshStandardMaterial({ color: 0x9aa5b5, roughness: 0.6 });
    const joint = new THREE.MeshStandardMaterial({ color: 0x3c78c8, roughness: 0.5 });
    this.#materials.set('bone', bone).set('joint', joint);
    const r = this.#size * 0.022;
    for (const { kind, parent, child, placement, axis } of this.#model.joints) {
      const to = new THREE.Vector3(placement[9], placement[10], placement[11]);
      if (to.length() > r)
        this.links[parent]!.add(solidBetween(new THREE.Vector3(), to, 0.8 * r, 0.55 * r, bone));
      const along = new THREE.Quaternion().setFromUnitVectors(
        new THREE.Vector3(0, 1, 0),
        new THREE.Vector3(axis[0], axis[1], axis[2]),
      );
      const mesh = solid(jointGeometry(kind, r), joint);
      mesh.quaternion.copy(along);
      this.links[child]!.add(mesh);
    }
    for (const tip of this.#model.tips)
      this.links[tip]!.add(solid(new THREE.SphereGeometry(0.8 * r, 20, 14), bone));
  }
}

function solid(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** three's cylinders stand on y, ours lie along z. */
function shapeGeometry(visual: Exclude<Visual, { shape: 'mesh' }>): THREE.BufferGeometry {
  switch (visual.shape) {
    case 'box':
      return new THREE.BoxGeometry(visual.size[0], visual.size[1], visual.size[2]);
    case 'sphere':
      return new THREE.SphereGeometry(visual.radius, 32, 20);
    case 'cylinder':
      return new THREE.CylinderGeometry(visual.radius, visual.radius, visual.length, 36).rotateX(
        Math.PI / 2,
      );
    case 'capsule':
      return new THREE.CapsuleGeometry(visual.radius, visual.length, 10, 28).rotateX(Math.PI / 2);
  }
}

function jointGeometry(kind: string, r: number): THREE.BufferGeometry {
  if (kind === 'fixed') return new THREE.SphereGeometry(0.7 * r, 16, 10);
  if (kind === 'prismatic') return new THREE.BoxGeometry(1.9 * r, 3.4 * r, 1.9 * r);
  if (kind === 'revolute' || kind === 'continuous')
    return new THREE.CylinderGeometry(1.35 * r, 1.35 * r, 2.8 * r, 28);
  return new THREE.SphereGeometry(1.5 * r, 24, 16);
}

export function solidBetween(
  from: THREE.Vector3,
  to: THREE.Vector3,
  r0: number,
  r1: number,
  material: THREE.Material,
): THREE.Mesh {
  const way = to.clone().sub(from);
  const mesh = solid(new THREE.CylinderGeometry(r1, r0, way.length(), 20), material);
  mesh.position.copy(from).addScaledVector(way, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
  return mesh;
}
