// limits.ts - at each turning joint the fan that its limits leave, and where in it the joint is.

import * as THREE from 'three';
import { placeAt } from '../matrix';
import type { Layer, Scene } from './layer';

interface Fan {
  joint: number;
  holder: THREE.Group;
  hand: THREE.Line;
  area: THREE.MeshBasicMaterial;
}

const plain = 0x2f6fd0;
const alarm = 0xd0342c;

export class Limits implements Layer {
  readonly group = new THREE.Group();
  #fans: Fan[] = [];
  #model: unknown = null;

  update({ session, q, size }: Scene): void {
    const { model, state } = session;
    if (this.#model !== model) this.#make(model.joints, size);
    this.#model = model;
    for (const { joint, holder, hand, area } of this.#fans) {
      const {
        parent,
        placement,
        lower,
        upper,
        mimic,
        multiplier,
        offset,
        q: at,
      } = model.joints[joint]!;
      // the fan stays with the parent
      const parentFrame = new THREE.Group();
      placeAt(parentFrame, state.transforms, 12 * parent);
      const own = new THREE.Group();
      placeAt(own, placement);
      holder.matrixAutoUpdate = false;
      holder.matrix.multiplyMatrices(parentFrame.matrix, own.matrix);
      const value = mimic >= 0 ? multiplier * q[at]! + offset : q[at]!;
      hand.rotation.z = value;
      const room = Math.min(value - lower[0]!, upper[0]! - value);
      area.color.set(room < 0.05 * (upper[0]! - lower[0]!) ? alarm : plain);
    }
  }

  #make(joints: Scene['session']['model']['joints'], size: number): void {
    this.reset();
    for (const { index, kind, axis, lower, upper } of joints) {
      if (kind !== 'revolute' || !Number.isFinite(lower[0]!) || !Number.isFinite(upper[0]!))
        continue;
      const r = 0.11 * size;
      const area = new THREE.MeshBasicMaterial({
        color: plain,
        transparent: true,
        opacity: 0.28,
        side: THREE.DoubleSide,
        depthWrite: false,
      });
      const wide = Math.min(upper[0]! - lower[0]!, 2 * Math.PI);
      const fan = new THREE.Mesh(new THREE.RingGeometry(0.55 * r, r, 48, 1, lower[0]!, wide), area);
      const line = new THREE.LineBasicMaterial({ color: 0xd0732a, depthTest: false });
      const hand = new THREE.Line(
        new THREE.BufferGeometry().setFromPoints([
          new THREE.Vector3(),
          new THREE.Vector3(1.15 * r, 0, 0),
        ]),
        line,
      );
      hand.renderOrder = 3;
      // the fan is drawn about z; turn z to the axis
      const turned = new THREE.Group();
      turned.quaternion.setFromUnitVectors(
        new THREE.Vector3(0, 0, 1),
        new THREE.Vector3(axis[0], axis[1], axis[2]),
      );
      turned.add(fan, hand);
      const holder = new THREE.Group();
      holder.add(turned);
      this.group.add(holder);
      this.#fans.push({ joint: index, holder, hand, area });
    }
  }

  reset(): void {
    this.#fans = [];
    this.#model = null;
    this.group.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.Line) object.geometry.dispose();
    });
    this.group.clear();
  }
}
