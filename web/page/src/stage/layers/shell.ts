// shell.ts - the surface of a workspace: around the cells that samples have found, by surface nets
// (Gibson 1998), coloured by the dexterity of the cells just under it.

import * as THREE from 'three';
import type { SolvedCells } from './cells';
import { shade } from './shades';

const samples = 400_000;
const atOnce = 4_000;

export class Shell {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  #cells: SolvedCells | null = null;
  #tried = 0;
  /** The vertices whose colour is not known yet, and the cells under all of them. */
  #next = 0;
  #under: number[] = [];

  constructor() {
    const material = new THREE.MeshLambertMaterial({
      vertexColors: true,
      transparent: true,
      opacity: 0.5,
      side: THREE.DoubleSide,
      depthWrite: false,
    });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
  }

  /** From nothing to all, 0 to 1; half of it finds the surface. */
  get progress(): number {
    const colored = this.#under.length > 0 ? this.#next / this.#under.length : 0;
    return (this.#tried / samples + colored) / 2;
  }

  aim(cells: SolvedCells): void {
    if (cells === this.#cells) return;
    this.reset();
    this.#cells = cells;
  }

  /** Works until a time of performance.now(); false: nothing was left to do. */
  solve(until: number): boolean {
    if (!this.#cells) return false;
    if (this.#tried < samples) {
      do {
        this.#cells.grid.sample(atOnce);
        this.#tried += atOnce;
      } while (performance.now() < until && this.#tried < samples);
      if (this.#tried >= samples) this.#build(this.#cells);
      return true;
    }
    if (this.#next >= this.#under.length) return false;
    this.#color(this.#cells, until);
    return true;
  }

  #color(cells: SolvedCells, until: number): void {
    const colors = this.mesh.geometry.getAttribute('color') as THREE.BufferAttribute;
    const color = new THREE.Color();
    do {
      const vertex = this.#next++;
      shade(Math.max(0, cells.solve(this.#under[vertex]!)), color);
      colors.setXYZ(vertex, color.r, color.g, color.b);
    } while (this.#next < this.#under.length && performance.now() < until);
    colors.needsUpdate = true;
  }

  #build(cells: SolvedCells): void {
    const { positions, faces } = surfaceOf(cells);
    const { geometry } = this.mesh;
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    const pale = shade(0, new THREE.Color()).toArray();
    const colors = Float32Array.from(positions, (_, i) => pale[i % 3]!);
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    // the cell a little below the surface, whose centre is surely within
    const normals = geometry.getAttribute('normal').array;
    const depth = 1.2 * cells.grid.cell;
    this.#under = Array.from({ length: positions.length / 3 }, (_, v) =>
      cells.at([0, 1, 2].map((k) => positions[3 * v + k]! - depth * normals[3 * v + k]!) as never),
    );
    this.#next = 0;
  }

  reset(): void {
    this.#cells = null;
    this.#tried = this.#next = 0;
    this.#under = [];
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
  }
}

// how far within each cell is, smoothed: above 1/2 inside; with a margin of two cells all around
function depthOf({ grid }: SolvedCells, n: readonly number[]): Float32Array {
  const stride = [1, n[0]!, n[0]! * n[1]!];
  let field = new Float32Array(n[0]! * n[1]! * n[2]!);
  const rows = grid.cells();
  for (let i = 0; i < rows.length; i += 4) {
    let at = 0;
    for (let k = 0; k < 3; k++)
      at += stride[k]! * (2 + Math.floor((rows[i + k]! - grid.corner[k]!) / grid.cell));
    field[at] = 1;
  }
  for (const s of stride)
    field = field.map((x, i) => (x * 2 + (field[i - s] ?? 0) + (field[i + s] ?? 0)) / 4);
  return field;
}

// a vertex in each cube of eight cells that the surface goes through, a face for each pair of cells
function surfaceOf(cells: SolvedCells): { positions: Float32Array; faces: number[] } {
  const { corner, cell, count } = cells.grid;
  const n = count.map((x) => x + 4);
  const stride = [1, n[0]!, n[0]! * n[1]!];
  const field = depthOf(cells, n);
  const vertexOf = new Int32Array(field.length).fill(-1);
  const [positions, faces]: [number[], number[]] = [[], []];
  const corners = Array.from({ length: 8 }, (_, c) => [c & 1, (c >> 1) & 1, c >> 2]);
  const each = (visit: (at: number, index: number[]) => void): void => {
    for (let k = 1; k < n[2]! - 1; k++)
      for (let j = 1; j < n[1]! - 1; j++)
        for (let i = 1; i < n[0]! - 1; i++) visit(i + j * stride[1]! + k * stride[2]!, [i, j, k]);
  };
  each((at, index) => {
    const sum = [0, 0, 0];
    let crossings = 0;
    for (const from of corners)
      for (let axis = 0; axis < 3; axis++) {
        if (from[axis] === 1) continue;
        const a = at + from.reduce((s, x, k) => s + x * stride[k]!, 0);
        const [fa, fb] = [field[a]! - 0.5, field[a + stride[axis]!]! - 0.5];
        if (fa > 0 === fb > 0) continue;
        for (let k = 0; k < 3; k++) sum[k]! += from[k]! + (k === axis ? fa / (fa - fb) : 0);
        crossings++;
      }
    if (crossings === 0) return;
    vertexOf[at] = positions.length / 3;
    // a cell's number counts from two cells before the first; values are at the centres
    positions.push(...index.map((i, k) => corner[k]! + cell * (i - 2 + 0.5 + sum[k]! / crossings)));
  });
  each((at) => {
    for (let axis = 0; axis < 3; axis++) {
      const [here, there] = [field[at]! > 0.5, field[at + stride[axis]!]! > 0.5];
      if (here === there) continue;
      const [u, v] = [stride[(axis + 1) % 3]!, stride[(axis + 2) % 3]!];
      const [a, b, c, d] = [at, at - u, at - u - v, at - v].map((i) => vertexOf[i]!);
      if (here) faces.push(a!, b!, c!, a!, c!, d!);
      else faces.push(a!, c!, b!, a!, d!, c!);
    }
  });
  return { positions: new Float32Array(positions), faces };
}
