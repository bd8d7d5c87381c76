// skin.ts - the mesh of a rigged character, whose bones are where the clip has its nodes.
//
// three reads the mesh. The model of a glTF is rigid and the nodes' scales are not in it, so what is
// right of each node's rigid transform at rest is kept: a node's matrix is its link's times that.

import type { Model } from 'limber';
import * as THREE from 'three';
import { setMatrix } from '../stage/matrix';
import { readCharacter } from '../stage/meshes';

/** The bytes of a GLB, and which link a node of it is. */
export interface SkinSource {
  bytes: ArrayBuffer;
  linkOf: (node: number) => number;
}

interface Driven {
  object: THREE.Object3D;
  link: number;
  stretch: THREE.Matrix4;
}

export class Skin {
  readonly object: THREE.Object3D;
  /** How far the mesh is above the highest link at rest, metres. */
  readonly above: number;
  readonly #driven: readonly Driven[];

  private constructor(object: THREE.Object3D, above: number, driven: readonly Driven[]) {
    this.object = object;
    this.above = above;
    this.#driven = driven;
  }

  static async load(model: Model, { bytes, linkOf }: SkinSource): Promise<Skin> {
    const { scene, nodeOf } = await readCharacter(bytes);
    scene.updateMatrixWorld(true);
    const state = model.state(model.neutral());
    // the file's axes in the world
    const axes = setMatrix(new THREE.Matrix4(), model.root);
    const driven: Driven[] = [];
    scene.traverse((object) => {
      const node = nodeOf(object);
      const link = node === undefined ? -1 : linkOf(node);
      if (object instanceof THREE.Mesh) {
        object.castShadow = object.receiveShadow = true;
        // its box is that of the rest pose
        object.frustumCulled = false;
      }
      if (link < 0) return;
      const rest = setMatrix(new THREE.Matrix4(), state.transforms, 12 * link);
      const stretch = rest.invert().multiply(axes).multiply(object.matrixWorld);
      driven.push({ object, link, stretch });
    });
    const top = new THREE.Box3().setFromObject(scene).applyMatrix4(axes).max.z;
    const links = model.links.map(({ index }) => state.transforms[12 * index + 11]!);
    const above = Math.max(0, top - Math.max(...links));
    state.release();
    for (const { object } of driven) object.matrixAutoUpdate = object.matrixWorldAutoUpdate = false;
    return new Skin(scene, above, driven);
  }

  /** Puts every node where its link is, seen from a place in the room. */
  update(transforms: ArrayLike<number>, place: THREE.Matrix4): void {
    const link = new THREE.Matrix4();
    for (const { object, link: index, stretch } of this.#driven) {
      setMatrix(link, transforms, 12 * index);
      object.matrixWorld.copy(place).multiply(link).multiply(stretch);
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      part.geometry.dispose();
      for (const material of [part.material].flat() as THREE.MeshStandardMaterial[]) {
        material.map?.dispose();
        material.dispose();
      }
    });
  }
}
