// figure.ts - the linkage as it is drawn: its shapes where it has some, else its joints and bones.

import type { Model, Visual } from 'limber';
import * as THREE from 'three';
import { placeAt } from './matrix';
import type { MeshSource } from './meshes';

/** What a part of the figure belongs to, found again under the pointer. */
export const linkOf = (object: THREE.Object3D | null): number => {
  for (let o = object; o; o = o.parent)
    if (typeof o.userData['link'] === 'number') return o.userData['link'];
  return -1;
};

const plainColor = 0xb9c0cb;

export class Figure {
  readonly group = new THREE.Group();
  readonly links: THREE.Group[];
  /** Meshes that are not drawn, by name, each with why. */
  readonly missing = new Map<string, string>();
  /** Fulfilled when every mesh has come, or has turned out not to. */
  readonly whole: Promise<unknown>;
  readonly model: Model;
  readonly #size: number;
  readonly #materials = new Map<string, THREE.MeshStandardMaterial>();
  /** Shapes of bones and joints, one for all that are alike. */
  readonly #shapes = new Map<string, THREE.BufferGeometry>();
  readonly #boned = new Set<number>();
  #disposed = false;

  /** `changed` is called when a mesh has come. */
  constructor(model: Model, size: number, meshes: MeshSource, changed: () => void) {
    this.model = model;
    this.#size = size;
    this.links = model.links.map((link) => {
      const group = new THREE.Group();
      group.userData['link'] = link.index;
      group.name = link.name;
      this.group.add(group);
      return group;
    });
    const seen = model.links.some(({ visuals }) =>
      visuals.some((v) => v.shape !== 'mesh' || meshes.refusal(v.mesh) === ''),
    );
    if (!seen) model.links.forEach((_, link) => this.#addBones(link));
    const coming = model.links.flatMap(({ visuals }, link) =>
      visuals.map((visual) => this.#addVisual(link, visual, meshes)),
    );
    this.whole = Promise.all(coming.map((each) => each.then(changed)));
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
    this.#disposed = true;
    this.highlight(-1);
    this.group.traverse((object) => {
      if (!(object instanceof THREE.Mesh)) return;
      object.geometry.dispose();
      for (const material of [object.material].flat() as THREE.MeshStandardMaterial[]) {
        material.map?.dispose();
        material.dispose();
      }
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

  // at once, but for meshes
  async #addVisual(link: number, visual: Visual, meshes: MeshSource): Promise<void> {
    // the link's data has an offset of its own
    const outer = new THREE.Group();
    placeAt(outer, this.model.links[link]!.dataOffset);
    const inner = new THREE.Group();
    placeAt(inner, visual.placement);
    this.links[link]!.add(outer.add(inner));
    const material = this.#material(visual.color);
    if (visual.shape !== 'mesh') {
      inner.add(solid(shapeGeometry(visual), material));
      return;
    }
    const refusal = meshes.refusal(visual.mesh);
    if (refusal) return this.#miss(link, visual.mesh, refusal);
    try {
      const mesh = await meshes.load(visual.mesh);
      if (this.#disposed) return;
      if (visual.scale) mesh.scale.multiply(new THREE.Vector3(...(visual.scale as Triple)));
      mesh.traverse((part) => {
        if (!(part instanceof THREE.Mesh)) return;
        part.castShadow = part.receiveShadow = true;
        if (visual.color) part.material = material;
      });
      inner.add(mesh);
    } catch (error) {
      this.#miss(link, visual.mesh, error instanceof Error ? error.message : String(error));
    }
  }

  // a link whose mesh is not there shows its joint
  #miss(link: number, mesh: string, why: string): void {
    this.missing.set(mesh, why);
    if (!this.#disposed) this.#addBones(link);
  }

  // ---- without shapes: a bone to each child, and at the joint what shows how it moves ----

  #addBones(link: number): void {
    if (this.#boned.has(link)) return;
    this.#boned.add(link);
    const bone = this.#own('bone', 0x9aa5b5);
    const joint = this.#own('joint', 0x3c78c8);
    const r = this.#size * 0.022;
    const group = this.links[link]!;
    for (const { parent, placement } of this.model.joints) {
      if (parent !== link) continue;
      const to = new THREE.Vector3(placement[9], placement[10], placement[11]);
      if (to.length() <= r) continue;
      const shape = this.#shape('bone', () => new THREE.CylinderGeometry(0.55 * r, 0.8 * r, 1, 20));
      group.add(solidBetween(new THREE.Vector3(), to, shape, bone));
    }
    if (this.model.tips.includes(link)) {
      const shape = this.#shape('tip', () => new THREE.SphereGeometry(0.8 * r, 20, 14));
      group.add(solid(shape, bone));
    }
    // joint j moves link j + 1
    const own = this.model.joints[link - 1];
    if (!own) return;
    const mesh = solid(
      this.#shape(own.kind, () => jointGeometry(own.kind, r)),
      joint,
    );
    mesh.quaternion.setFromUnitVectors(
      new THREE.Vector3(0, 1, 0),
      new THREE.Vector3(...(own.axis as unknown as Triple)),
    );
    group.add(mesh);
  }

  #shape(name: string, make: () => THREE.BufferGeometry): THREE.BufferGeometry {
    if (!this.#shapes.has(name)) this.#shapes.set(name, make());
    return this.#shapes.get(name)!;
  }

  #own(name: string, color: number): THREE.MeshStandardMaterial {
    let material = this.#materials.get(name);
    if (!material) {
      material = new THREE.MeshStandardMaterial({ color, roughness: 0.55 });
      this.#materials.set(name, material);
    }
    return material;
  }
}

type Triple = [number, number, number];

function solid(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** three's cylinders are along y, ours along z. */
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

/** Something of length 1 along y, from one place to another. */
function solidBetween(
  from: THREE.Vector3,
  to: THREE.Vector3,
  shape: THREE.BufferGeometry,
  material: THREE.Material,
): THREE.Mesh {
  const along = to.clone().sub(from);
  const mesh = solid(shape, material);
  mesh.scale.y = along.length();
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return mesh;
}
