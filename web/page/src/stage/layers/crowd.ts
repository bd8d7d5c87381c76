// crowd.ts - five hundred of the same arm, all following one moving target.
//
// Every arm is solved on its own in every picture, in one call of the library, from
// where it was. Bones are drawn as instances of one box.

import type { Solver, State } from 'limber';
import * as THREE from 'three';
import type { Layer, Scene } from './layer';

export const crowdSize = 500;

/** What was measured lately, for whoever asks. */
export interface CrowdFigures {
  arms: number;
  reached: number;
  /** Milliseconds of all solves of one picture. */
  solving: number;
  framesPerSecond: number;
}

export class Crowd implements Layer {
  readonly group = new THREE.Group();
  readonly extent = 7;
  figures: CrowdFigures | null = null;
  #scene: Scene | null = null;
  #solver: Solver | null = null;
  #state: State | null = null;
  #starts: Float64Array = new Float64Array();
  #targets = new Float64Array();
  #bases: THREE.Vector3[] = [];
  #bones: THREE.InstancedMesh | null = null;
  #joints: number[] = [];
  readonly #ball = new THREE.Mesh(
    new THREE.SphereGeometry(1, 32, 20),
    new THREE.MeshStandardMaterial({ color: 0xc0262d, roughness: 0.4 }),
  );
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
    this.#state = model.state();
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
    // bones from each joint to the next, where there is some way between
    this.#joints = model.joints
      .filter(
        ({ placement }) => Math.hypot(placement[9]!, placement[10]!, placement[11]!) > 0.01 * size,
      )
      .map(({ index }) => index);
    const box = new THREE.BoxGeometry(1, 1, 1).translate(0, 0, 0.5);
    const material = new THREE.MeshLambertMaterial({ color: 0xb9c3d2 });
    this.#bones = new THREE.InstancedMesh(box, material, crowdSize * this.#joints.length);
    this.#bones.frustumCulled = false;
    this.#ball.scale.setScalar(0.07 * size);
    this.group.add(this.#bones, this.#ball);
    this.#began = performance.now();
  }

  frame(now: number): boolean {
    const { session, size } = this.#scene ?? {};
    if (!session || !size || !this.#solver || !this.#bones) return false;
    const t = (now - this.#began) / 1000;
    const goal = new THREE.Vector3(
      5 * size * Math.sin(0.7 * t),
      5 * size * Math.sin(0.53 * t + 1),
      size * (1.1 + 0.45 * Math.sin(0.9 * t)),
    );
    this.#ball.position.copy(goal);
    const begin = performance.now();
    this.#aim(goal, 0.72 * size);
    const { q, reached } = this.#solver.solveMany(this.#targets, this.#starts);
    this.#starts = q;
    const solving = performance.now() - begin;
    this.#draw(q);
    this.#note(now, reached, solving);
    return true;
  }

  // each arm reaches towards the target as far as it likes to
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

  #draw(q: Float64Array): void {
    const { session, size } = this.#scene!;
    const { nq, joints } = session.model;
    const thick = 0.045 * size!;
    const matrix = new THREE.Matrix4();
    const holder = new THREE.Object3D();
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    const up = new THREE.Vector3(0, 0, 1);
    let k = 0;
    for (let i = 0; i < crowdSize; i++) {
      const transforms = this.#state!.update(q.subarray(i * nq, (i + 1) * nq)).transforms;
      for (const j of this.#joints) {
        const { parent, child } = joints[j]!;
        from.fromArray(transforms, 12 * parent + 9);
        to.fromArray(transforms, 12 * child + 9).sub(from);
        const length = to.length();
        holder.position.copy(from).add(this.#bases[i]!);
        holder.quaternion.setFromUnitVectors(up, to.divideScalar(length || 1));
        holder.scale.set(thick, thick, length);
        holder.updateMatrix();
        this.#bones!.setMatrixAt(k++, matrix.copy(holder.matrix));
      }
    }
    this.#bones!.instanceMatrix.needsUpdate = true;
  }

  #note(now: number, reached: number, solving: number): void {
    this.#lately.push(now);
    if (this.#lately.length > 60) this.#lately.shift();
    const span = now - this.#lately[0]!;
    const framesPerSecond = span > 0 ? (1000 * (this.#lately.length - 1)) / span : 0;
    this.figures = { arms: crowdSize, reached, solving, framesPerSecond };
  }

  reset(): void {
    this.#solver?.release();
    this.#state?.release();
    this.#bones?.dispose();
    this.#solver = this.#state = this.#bones = null;
    this.#scene = null;
    this.#bases = [];
    this.#lately = [];
    this.figures = null;
    this.group.clear();
  }
}
