// joints.ts - a slider for every joint, with its number, in degrees or radians.

import type { Joint, Model } from 'limber';
import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { clamp, type Control, slider, fixed } from '../ui/controls';
import { fill, h } from '../ui/dom';

export interface JointActions {
  /** The present configuration. */
  q(): readonly number[];
  set(label: string, q: number[]): void;
}

const angular = (joint: Joint, i: number): boolean =>
  ['revolute', 'continuous', 'universal'].includes(joint.kind) ||
  (joint.kind === 'planar' && i === 2);

/** The joints that can be set: not fixed, not following another. */
export function movable(model: Model): Joint[] {
  return model.joints.filter(({ nq, mimic }) => nq > 0 && mimic < 0);
}

export class JointPanel {
  readonly element = h('div.joints');
  readonly #store: Store<AppState>;
  readonly #actions: JointActions;
  #controls: Control[] = [];
  #model: Model | null = null;

  constructor(store: Store<AppState>, actions: JointActions) {
    this.#store = store;
    this.#actions = actions;
  }

  update(model: Model): void {
    if (model !== this.#model) {
      this.#model = model;
      this.#controls = movable(model).flatMap((joint) => this.#forJoint(joint, model));
      fill(this.element, ...this.#controls.map(({ element }) => element));
    }
    for (const control of this.#controls) control.update();
  }

  #forJoint(joint: Joint, model: Model): Control[] {
    if (joint.kind === 'ball') return this.#forBall(joint, joint.q, model);
    if (joint.kind === 'floating')
      return [
        ...[0, 1, 2].map((i) => this.#forValue(joint, i, `${joint.name} ${'xyz'[i]}`, model)),
        ...this.#forBall(joint, joint.q + 3, model),
      ];
    return Array.from({ length: joint.nq }, (_, i) =>
      this.#forValue(joint, i, joint.nq > 1 ? `${joint.name} ${i + 1}` : joint.name, model),
    );
  }

  // one number, an angle or a way
  #forValue(joint: Joint, i: number, label: string, model: Model): Control {
    const turns = angular(joint, i);
    const factor = (): number => (turns && this.#store.state.stage.degrees ? 180 / Math.PI : 1);
    const bound = (x: number, usual: number): number => (Number.isFinite(x) ? x : usual);
    const usual = turns ? Math.PI : 2;
    const at = joint.q + i;
    return slider({
      label,
      hint: `${joint.name}: ${joint.kind}${joint.locked ? ', locked in inverse kinematics' : ''}`,
      min: () => bound(joint.lower[i]!, -usual),
      max: () => bound(joint.upper[i]!, usual),
      step: turns ? Math.PI / 1800 : 0.001,
      gesture: this.#store,
      get: () => this.#actions.q()[at] ?? 0,
      set: (value) => {
        const q = [...this.#actions.q()];
        q[at] = clamp(value, joint.lower[i]!, joint.upper[i]!);
        this.#actions.set(`joint ${at}`, [...model.clamp(q)]);
      },
      format: (x) => fixed(x * factor(), factor() === 1 ? 3 : 1),
      parse: (text) => Number(text.replace('−', '-')) / factor(),
      unit: () => (turns ? (this.#store.state.stage.degrees ? '°' : ' rad') : ' m'),
    });
  }

  // a ball is shown as roll, pitch and yaw of its quaternion
  #forBall(joint: Joint, at: number, model: Model): Control[] {
    const { transforms } = model.limber;
    const factor = (): number => (this.#store.state.stage.degrees ? 180 / Math.PI : 1);
    const rpy = (): number[] => {
      const quaternion = this.#actions.q().slice(at, at + 4);
      return [...transforms.rpy(transforms.from({ quaternion }))];
    };
    return ['roll', 'pitch', 'yaw'].map((name, i) =>
      slider({
        label: `${joint.name} ${name}`,
        hint: `${joint.name}: ball joint, by turns about x, y, z`,
        min: () => (i === 1 ? -Math.PI / 2 : -Math.PI),
        max: () => (i === 1 ? Math.PI / 2 : Math.PI),
        step: Math.PI / 1800,
        gesture: this.#store,
        get: () => rpy()[i]!,
        set: (value) => {
          const angles = rpy();
          angles[i] = value;
          const q = [...this.#actions.q()];
          transforms
            .quaternion(transforms.from({ rpy: angles }))
            .forEach((x, k) => (q[at + k] = x));
          this.#actions.set(`joint ${at} ${i}`, [...model.clamp(q)]);
        },
        format: (x) => fixed(x * factor(), factor() === 1 ? 3 : 1),
        parse: (text) => Number(text.replace('−', '-')) / factor(),
        unit: () => (this.#store.state.stage.degrees ? '°' : ' rad'),
      }),
    );
  }
}
