// mesh_points.ts - the points of the meshes that came with a robot, to keep its links apart by.

import type { Model } from 'limber';
import * as THREE from 'three';
import { type Files, MeshSource } from '../stage/meshes';

/** x y z after each other, by the names that a model has for its meshes. */
export type MeshPoints = Record<string, number[]>;

function pointsOf(object: THREE.Object3D): number[] {
  const points: number[] = [];
  const at = new THREE.Vector3();
  object.updateMatrixWorld(true);
  object.traverse((part) => {
    if (!(part instanceof THREE.Mesh)) return;
    const places: THREE.BufferAttribute = part.geometry.getAttribute('position');
    for (let i = 0; i < places.count; i++) {
      at.fromBufferAttribute(places, i).applyMatrix4(part.matrixWorld);
      points.push(at.x, at.y, at.z);
    }
  });
  return points;
}

/** Of all meshes that can be read; what cannot stays without, as where it is not among the files. */
export async function meshPoints(model: Model, files: Files): Promise<MeshPoints> {
  const source = new MeshSource(files);
  const names = new Set(
    model.links.flatMap(({ visuals }) =>
      visuals.flatMap((visual) => (visual.shape === 'mesh' ? [visual.mesh] : [])),
    ),
  );
  const found: MeshPoints = {};
  for (const name of names)
    if (source.refusal(name) === '')
      try {
        found[name] = pointsOf(await source.load(name));
      } catch {
        // it is said where links are drawn
      }
  return found;
}
