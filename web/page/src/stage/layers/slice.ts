// slice.ts - a plane through a workspace, filled with the colours of its dexterity.
//
// It is a raster of the cells nearest to the plane, solved coarse to fine: a few at once give a first
// picture. When the plane turns, what it had is shown until it is replaced.

import * as THREE from 'three';
import type { Vector } from '../session';
import type { SolvedCells } from './cells';
import { plainShare, shades } from './shades';

/** Pixels between those that are solved in each pass. */
const passes = [4, 2, 1];

/** How a pixel's value was found; a later one replaces an earlier one. */
enum Known {
  not,
  roughly,
  before,
  exactly,
}

/** Where the raster lies: the corner of pixel (0, 0), the directions of both axes, how many pixels. */
interface Raster {
  corner: THREE.Vector3;
  along: THREE.Vector3;
  up: THREE.Vector3;
  width: number;
  height: number;
}

const vertexShader = `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// red is the share where the tip can be, alpha where that is
const fragmentShader = `
uniform sampler2D cells;
uniform vec3 shades[${shades.length}];
varying vec2 at;
void main() {
  vec4 cell = texture2D(cells, at);
  float inside = (cell.a - 0.5) / max(fwidth(cell.a), 1e-4);
  if (inside < 0.0) discard;
  float share = clamp(cell.r / cell.a, 0.0, 1.0) * ${(shades.length - 1).toFixed(1)};
  vec3 color = shades[0];
  for (int i = 0; i < ${shades.length - 1}; i++)
    color = mix(color, shades[i + 1], clamp(share - float(i), 0.0, 1.0));
  vec3 rim = vec3(0.42, 0.47, 0.53);
  gl_FragColor = vec4(mix(rim, color, clamp(inside - 1.0, 0.0, 1.0)), min(inside + 0.3, 1.0));
}`;

export class Slice {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  #cells: SolvedCells | null = null;
  #raster: Raster | null = null;
  #aim = '';
  #angle = 0;
  #values = new Float32Array(0);
  #known = new Uint8Array(0);
  #order: number[][] = [];
  #next = 0;
  #texture = new THREE.DataTexture(new Uint8Array(4), 1, 1);

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      side: THREE.DoubleSide,
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      uniforms: {
        cells: { value: this.#texture },
        shades: { value: shades.map((rgb) => new THREE.Vector3(...rgb)) },
      },
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
  }

  /** The shares of the raster's pixels where the tip can be, with their places. */
  get shares(): { place: Vector; share: number }[] {
    return [...this.#values].flatMap((share, i) =>
      share >= 0 ? [{ place: this.#place(i), share }] : [],
    );
  }

  /** No share is above 0, as of an arm with too few joints for a pose. */
  get plain(): boolean {
    return !this.#values.some((share) => share > 0);
  }

  /** From none of its cells solved to all, 0 to 1. */
  get progress(): number {
    return this.#order.length > 0 ? this.#next / this.#order.length : 1;
  }

  /** The plane of an arm that moves in one, else the vertical one through two points. */
  aim(cells: SolvedCells, base: Readonly<Vector>, tip: Readonly<Vector>): void {
    const { cell } = cells.grid;
    const [x, y] = [tip[0] - base[0], tip[1] - base[1]];
    const angle = Math.hypot(x, y) > cell ? Math.atan2(y, x) : this.#angle;
    const { corner, count } = cells.grid;
    const far = Math.max(
      ...[0, 1, 2, 3].map((k) =>
        Math.hypot(
          corner[0]! + (k % 2) * count[0] * cell - base[0],
          corner[1]! + (k >> 1) * count[1] * cell - base[1],
        ),
      ),
    );
    // a turn that no cell notices is none
    const step = cell / far / 2;
    const turned = cells.planar ? 0 : Math.round(angle / step) * step;
    const aim = cells.planar ? 'plane' : [turned, ...base].map((v) => v.toFixed(5)).join();
    if (cells === this.#cells && aim === this.#aim) return;
    this.#aim = aim;
    this.#angle = turned;
    this.#lay(cells, cells.planar ? planeOf(cells) : verticalOf(cells, base, turned, far));
  }

  // a raster of the same size keeps its values until they are replaced
  #lay(cells: SolvedCells, raster: Raster): void {
    const { width, height } = raster;
    const same =
      cells === this.#cells && this.#raster?.width === width && this.#raster.height === height;
    this.#cells = cells;
    this.#raster = raster;
    this.#next = 0;
    if (same) {
      this.#known.forEach((how, i) => {
        this.#known[i] = how >= Known.before ? Known.before : Known.not;
      });
    } else {
      this.#values = new Float32Array(width * height).fill(NaN);
      this.#known = new Uint8Array(width * height);
      this.#order = orderOf(width, height);
      this.#texture.dispose();
      this.#texture = new THREE.DataTexture(new Uint8Array(4 * width * height), width, height);
      this.#texture.minFilter = this.#texture.magFilter = THREE.LinearFilter;
      this.mesh.material.uniforms['cells']!.value = this.#texture;
    }
    const { corner, along, up } = raster;
    const [a, b] = [width * cells.grid.cell, height * cells.grid.cell];
    const centre = corner
      .clone()
      .addScaledVector(along, a / 2)
      .addScaledVector(up, b / 2);
    const normal = along.clone().cross(up);
    this.mesh.matrix
      .makeBasis(along.clone().multiplyScalar(a), up.clone().multiplyScalar(b), normal)
      .setPosition(centre);
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  #place(pixel: number): Vector {
    const { corner, along, up, width } = this.#raster!;
    const { cell } = this.#cells!.grid;
    return corner
      .clone()
      .addScaledVector(along, ((pixel % width) + 0.5) * cell)
      .addScaledVector(up, (Math.floor(pixel / width) + 0.5) * cell)
      .toArray();
  }

  /** Solves until a time of performance.now(); false: nothing was left to do. */
  solve(until: number): boolean {
    if (!this.#cells || this.#next >= this.#order.length) return false;
    const { width, height } = this.#raster!;
    do {
      const [u, v, pass] = this.#order[this.#next++] as [number, number, number];
      const pixel = v * width + u;
      const share = this.#cells.solve(this.#cells.at(this.#place(pixel)));
      this.#values[pixel] = share;
      this.#known[pixel] = Known.exactly;
      // until they are solved themselves, what lies beside it is taken to be the same
      for (let y = v; y < Math.min(v + pass, height); y++)
        for (let x = u; x < Math.min(u + pass, width); x++) {
          if (this.#known[y * width + x]! > Known.roughly) continue;
          this.#values[y * width + x] = share;
          this.#known[y * width + x] = Known.roughly;
        }
    } while (this.#next < this.#order.length && performance.now() < until);
    this.#draw();
    return true;
  }

  #draw(): void {
    const data = this.#texture.image.data as Uint8Array;
    const { plain } = this;
    this.#values.forEach((share, i) => {
      data[4 * i] = share >= 0 ? 255 * (plain ? plainShare : share) : 0;
      data[4 * i + 3] = share >= 0 ? 255 : 0;
    });
    this.#texture.needsUpdate = true;
  }

  reset(): void {
    this.#cells = this.#raster = null;
    this.#aim = '';
    this.#order = [];
    this.#values = new Float32Array(0);
    this.#texture.dispose();
  }
}

// all pixels, those of a wider pass first, each once
function orderOf(width: number, height: number): number[][] {
  const order: number[][] = [];
  for (const [n, pass] of passes.entries())
    for (let v = 0; v < height; v += pass)
      for (let u = 0; u < width; u += pass)
        if (n === 0 || u % passes[n - 1]! !== 0 || v % passes[n - 1]! !== 0)
          order.push([u, v, pass]);
  return order;
}

function planeOf({ grid: { frame, corner, count } }: SolvedCells): Raster {
  const [along, up] = [0, 3].map((k) => new THREE.Vector3().fromArray(frame, k));
  const origin = new THREE.Vector3()
    .fromArray(frame, 9)
    .addScaledVector(along!, corner[0]!)
    .addScaledVector(up!, corner[1]!);
  return { corner: origin, along: along!, up: up!, width: count[0], height: count[1] };
}

// in space the grid's axes are the world's
function verticalOf(
  { grid: { corner, cell, count } }: SolvedCells,
  base: Readonly<Vector>,
  angle: number,
  far: number,
): Raster {
  const half = Math.ceil(far / cell);
  const along = new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0);
  const origin = new THREE.Vector3(base[0], base[1], corner[2]).addScaledVector(
    along,
    -half * cell,
  );
  const up = new THREE.Vector3(0, 0, 1);
  return { corner: origin, along, up, width: 2 * half, height: count[2] };
}
