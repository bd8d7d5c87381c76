// parts.ts - a model in few triangles, a geometry for each link: for many of it at once.

import type { Model, Visual } from 'limber';
import * as THREE from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { setMatrix } from './matrix';

/** All that is rigid in a link, in its frame, coloured by its vertices. */
export interface Part {
  link: number;
  geometry: THREE.BufferGeometry;
}

type Shape = Exclude<Visual, { shape: 'mesh' }>;

const plainColor = [0.49, 0.53, 0.6];

const matrixOf = (t: ArrayLike<number>): THREE.Matrix4 => setMatrix(new THREE.Matrix4(), t);

function colored(geometry: THREE.BufferGeometry, color: readonly number[]): THREE.BufferGeometry {
  const { count } = geometry.getAttribute('position');
  const [r, g, b] = new THREE.Color()
    .setRGB(color[0]!, color[1]!, color[2]!, THREE.SRGBColorSpace)
    .toArray();
  const colors = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colors.set([r, g, b], 3 * i);
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  geometry.deleteAttribute('uv');
  return geometry;
}

function coarse(visual: Shape): THREE.BufferGeometry {
  switch (visual.shape) {
    case 'box':
      return new THREE.BoxGeometry(...(visual.size as [number, number, number]));
    case 'sphere':
      return new THREE.SphereGeometry(visual.radius, 8, 6);
    case 'cylinder':
      return new THREE.CylinderGeometry(visual.radius, visual.radius, visual.length, 8).rotateX(
        Math.PI / 2,
      );
    case 'capsule':
      return new THREE.CapsuleGeometry(visual.radius, visual.length, 2, 8).rotateX(Math.PI / 2);
  }
}

/** A part for each link that has shapes; null when the model has none but meshes. */
export function shapes(model: Model): Part[] | null {
  const parts = model.links.flatMap(({ dataOffset, visuals }, link) => {
    const some = visuals
      .filter((visual): visual is Shape => visual.shape !== 'mesh')
      .map((visual) =>
        colored(coarse(visual), visual.color ?? plainColor).applyMatrix4(
          matrixOf(dataOffset).multiply(matrixOf(visual.placement)),
        ),
      );
    return some.length > 0 ? [{ link, geometry: mergeGeometries(some) }] : [];
  });
  return parts.length > 0 ? parts : null;
}

/**
 * A bone from each joint to the next, where there is some way between; they want flat
 * shading.
 */
export function bones(model: Model, size: number): Part[] {
  const up = new THREE.Vector3(0, 0, 1);
  const byLink = new Map<number, THREE.BufferGeometry[]>();
  for (const { parent, placement } of model.joints) {
    const way = new THREE.Vector3(placement[9], placement[10], placement[11]);
    const length = way.length();
    if (length < 0.01 * size) continue;
    const bone = rod(0.06 * size, length).applyQuaternion(
      new THREE.Quaternion().setFromUnitVectors(up, way.normalize()),
    );
    byLink.set(parent, [...(byLink.get(parent) ?? []), colored(bone, plainColor)]);
  }
  return [...byLink].map(([link, some]) => ({ link, geometry: mergeGeometries(some) }));
}

/** From the origin along z, thinner where it ends; with as few corners as can be. */
function rod(thick: number, length: number): THREE.BufferGeometry {
  const geometry = new THREE.CylinderGeometry(0.35 * thick, 0.7 * thick, length, 4, 1, true);
  geometry.rotateX(Math.PI / 2).translate(0, 0, length / 2);
  geometry.deleteAttribute('normal');
  geometry.deleteAttribute('uv');
  const merged = mergeVertices(geometry);
  // the thin end is closed; the thick one is inside the bone before it
  const corners = [...merged.getAttribute('position').array];
  const end = [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => corners[3 * i + 2]! > 0.5 * length);
  const [a, b, c, d] = end as [number, number, number, number];
  merged.setIndex([...merged.index!.array, a, b, c, a, c, d]);
  return merged;
}
