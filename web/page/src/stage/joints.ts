// joints.ts - a slider for every joint, with its number, in degrees or radians.

import type { Joint, Model, Srdf } from 'limber';
import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { choice, clamp, type Control, slider, fixed } from '../ui/controls';
import { fill, h } from '../ui/dom';

export interface JointActions {
  /** The present configuration. */
  q(): readonly number[];
  /** Joint `joint` has been moved, which gives q. */
  set(label: string, joint: Joint, q: number[]): void;
  /** The slider of joint `joint` is pointed at; -1: none. */
  point(joint: number): void;
  /** Named configurations of the model. */
  states(): Srdf['states'];
  /** All joints at once. */
  pose(q: number[]): void;
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
  #rows: { joint: number; element: HTMLElement }[] = [];

  constructor(store: Store<AppState>, actions: JointActions) {
    this.#store = store;
    this.#actions = actions;
  }

  update(model: Model): void {
    if (model !== this.#model) {
      this.#model = model;
      const rows = movable(model).map((joint) => ({
        joint: joint.index,
        controls: this.#forJoint(joint, model),
      }));
      const named = this.#actions.states().length > 0 ? [this.#namedPose()] : [];
      this.#controls = [...named, ...rows.flatMap(({ controls }) => controls)];
      this.#rows = rows.flatMap(({ joint, controls }) =>
        controls.map(({ element }) => ({ joint, element })),
      );
      for (const { joint, element } of this.#rows) {
        element.addEventListener('pointerenter', () => this.#actions.point(joint));
        element.addEventListener('pointerleave', () => this.#actions.point(-1));
      }
      fill(this.element, ...this.#controls.map(({ element }) => element));
    }
    for (const control of this.#controls) control.update();
  }

  #namedPose(): Control {
    const states = this.#actions.states();
    const same = (i: number): boolean => {
      const q = this.#actions.q();
      return states[i]!.apply(q).every((x, k) => Math.abs(x - q[k]!) < 1e-9);
    };
    return choice({
      label: 'Named pose',
      hint: 'Poses of the SRDF that came with the model',
      choices: () => [
        { value: '', text: 'choose a pose …' },
        ...states.map(({ name, group }, i) => ({ value: String(i), text: name, group })),
      ],
      get: () => String(states.findIndex((_, i) => same(i))).replace('-1', ''),
      set: (value) =>
        value && this.#actions.pose([...states[Number(value)]!.apply(this.#actions.q())]),
    });
  }

  /** Lights up the sliders of a joint, -1: none; `scroll` brings them into view. */
  highlight(joint: number, scroll: boolean): void {
    for (const row of this.#rows) {
      const on = row.joint === joint;
      row.element.classList.toggle('lit', on);
      if (on && scroll) row.element.scrollIntoView({ block: 'nearest' });
    }
  }

  /** A joint's value and limits, in the unit chosen. */
  words(joint: Joint): string {
    if (joint.nq !== 1 || joint.mimic >= 0) return '';
    const turns = angular(joint, 0);
    const { degrees } = this.#store.state.stage;
    const unit = turns ? (degrees ? '°' : ' rad') : ' m';
    const text = (x: number): string =>
      fixed(turns && degrees ? (x * 180) / Math.PI : x, turns && degrees ? 1 : 3) + unit;
    const value = ` ${text(this.#actions.q()[joint.q]!)}`;
    const [lower, upper] = [joint.lower[0]!, joint.upper[0]!];
    return Number.isFinite(lower) && Number.isFinite(upper)
      ? `${value}, limits ${text(lower)} to ${text(upper)}`
      : value;
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

  // one number, an angle or a displacement
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
        this.#actions.set(`joint ${at}`, joint, [...model.clamp(q)]);
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
          this.#actions.set(`joint ${at} ${i}`, joint, [...model.clamp(q)]);
        },
        format: (x) => fixed(x * factor(), factor() === 1 ? 3 : 1),
        parse: (text) => Number(text.replace('−', '-')) / factor(),
        unit: () => (this.#store.state.stage.degrees ? '°' : ' rad'),
      }),
    );
  }
}
