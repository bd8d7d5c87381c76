// crowd.ts - five hundred of the same arm, all following one moving target.
//
// Every arm is solved on its own in every picture, in one call of the library, from
// where it was; a second call hands over the matrices of all their links. All that is
// rigid in a link is one geometry, drawn for all arms at once: its shapes where the
// renderer keeps up with them, else bones.

import type { FkBatch as Kinematics, Solver } from 'limber';
import * as THREE from 'three';
import { bones, type Part, shapes } from '../parts';
import { Ranks } from '../ranks';
import type { Layer, Scene } from './layer';

export const crowdSize = 500;

/** After so many pictures with shapes their rate is checked. */
const trial = 5;
const slow = 40;

/** The latest measurements. */
export interface CrowdFigures {
  arms: number;
  reached: number;
  /** Milliseconds of all solves of one picture. */
  solving: number;
  /** Milliseconds of all forward kinematics of one picture, matrices included. */
  placing: number;
  framesPerSecond: number;
}

export class Crowd implements Layer {
  readonly group = new THREE.Group();
  readonly extent = 7;
  figures: CrowdFigures | null = null;
  /** Whether the arms are solved; else they are drawn as they are, again and again. */
  solving = true;
  #scene: Scene | null = null;
  #solver: Solver | null = null;
  #kinematics: Kinematics | null = null;
  /** Where they are, three numbers each. */
  #places = new Float64Array();
  #starts: Float64Array = new Float64Array();
  #targets = new Float64Array();
  #bases: THREE.Vector3[] = [];
  #ranks: Ranks | null = null;
  readonly #ball = new THREE.Mesh(
    new THREE.SphereGeometry(1, 32, 20),
    new THREE.MeshLambertMaterial({ color: 0xc0262d }),
  );
  #plain = false;
  /** It is known what the arms are drawn with. */
  settled = false;
  #began = 0;
  #lately: number[] = [];

  update(scene: Scene): void {
    if (
      this.#scene?.session !== scene.session ||
      this.#scene.stage.tips[0]?.link !== scene.stage.tips[0]?.link
    ) {
      this.reset();
      this.#scene = scene;
      this.#make(scene);
    }
    this.#scene = scene;
  }

  #make({ session, stage, size }: Scene): void {
    const { model } = session;
    const tip = stage.tips[0]?.link;
    if (!tip) return;
    this.#solver = model.solver(
      { tip, kind: 'position' },
      { protocol: 'given', seeds: 0, positionTolerance: 1e-4 },
    );
    const rest = model.clamp(model.neutral());
    this.#starts = new Float64Array(crowdSize * model.nq);
    this.#targets = new Float64Array(12 * crowdSize);
    const side = Math.ceil(Math.sqrt(crowdSize));
    const apart = 0.62 * size;
    for (let i = 0; i < crowdSize; i++) {
      this.#starts.set(rest, i * model.nq);
      this.#targets.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 12 * i);
      this.#bases.push(
        new THREE.Vector3(
          (i % side) - (side - 1) / 2,
          Math.floor(i / side) - (side - 1) / 2,
          0,
        ).multiplyScalar(apart),
      );
    }
    this.#kinematics = model.fkBatch();
    this.#places = Float64Array.from(this.#bases.flatMap((base) => base.toArray()));
    this.#dress(this.#plain ? null : shapes(model));
    this.#ball.scale.setScalar(0.12 * size);
    this.#began = performance.now();
  }

  // a renderer that was too slow for shapes is not tried again
  #dress(parts: Part[] | null): void {
    this.#undress();
    const { session, size } = this.#scene!;
    this.#plain = parts === null;
    this.#ranks = new Ranks(parts ?? bones(session.model, size), crowdSize, this.#plain);
    this.group.add(...this.#ranks.meshes, this.#ball);
  }

  #undress(): void {
    this.#ranks?.dispose();
    this.#ranks = null;
    this.group.clear();
  }

  frame(now: number): boolean {
    if (!this.#scene || !this.#solver) return false;
    const t = (now - this.#began) / 1000;
    const { size } = this.#scene;
    const goal = new THREE.Vector3(
      3.2 * size * Math.sin(0.7 * t),
      3.2 * size * Math.sin(0.53 * t + 1),
      size * (1.1 + 0.45 * Math.sin(0.9 * t)),
    );
    this.#ball.position.copy(goal);
    if (this.solving) this.#solve(goal, 0.72 * size);
    this.#ranks?.redraw();
    this.#count(now);
    return true;
  }

  #solve(goal: THREE.Vector3, reach: number): void {
    const begin = performance.now();
    this.#aim(goal, reach);
    const { q, reached } = this.#solver!.solveMany(this.#targets, this.#starts);
    this.#starts = q;
    const solved = performance.now();
    const matrices = this.#kinematics!.matrices(q, this.#places);
    this.#ranks?.place(matrices);
    const placed = performance.now();
    this.figures = {
      arms: crowdSize,
      framesPerSecond: this.figures?.framesPerSecond ?? 0,
      reached,
      solving: solved - begin,
      placing: placed - solved,
    };
  }

  // each arm reaches towards the target as far as it can
  #aim(goal: THREE.Vector3, reach: number): void {
    const way = new THREE.Vector3();
    this.#bases.forEach((base, i) => {
      way.copy(goal).sub(base);
      way.z -= 0.3 * reach;
      way.setLength(Math.min(way.length(), reach));
      way.z += 0.3 * reach;
      way.toArray(this.#targets, 12 * i + 9);
    });
  }

  #count(now: number): void {
    this.#lately.push(now);
    if (this.#lately.length > 60) this.#lately.shift();
    const span = now - this.#lately[0]!;
    const pictures = this.#lately.length - 1;
    if (pictures === trial && !this.settled) {
      this.settled = true;
      if (!this.#plain && span > trial * slow) this.#dress(null);
      this.#lately = [];
    }
    if (this.figures && span > 0) this.figures.framesPerSecond = (1000 * pictures) / span;
  }

  reset(): void {
    this.#solver?.release();
    this.#kinematics?.release();
    this.#undress();
    this.#solver = this.#kinematics = this.#scene = null;
    this.#bases = [];
    this.#lately = [];
    this.figures = null;
  }
}
