// dock.ts - the motion as curves, under the timeline and along with it.
//
// Shared by motions and key poses. Of a joint its values or its speeds, with the limits that the model
// has; how far the figure is from its targets; or how high the points of its feet are. What is drawn is
// fetched when the dock is opened first.

import type { Joint, Model } from 'limber';
import { button, choice, type Control, segmented, trim } from '../ui/controls';
import type { Curve, Curves, CurveScene } from './plot';
import { h, onNextFrame } from '../ui/dom';
import type { CurvesState } from './document';
import { rowsOf } from './joint_values';
import type { KeyPoint, KeyPointEvents } from './key_points';
import './curves.css';

/** A figure whose motion is drawn. */
export interface Moving {
  name: string;
  model: Model;
  /** Of its feet, in the frames of links; none of most robots. */
  points: readonly { name: string; link: number; at: readonly [number, number, number] }[];
  at(time: number): Float64Array;
  /** Seconds; left out: as long as the timeline. */
  until?: number;
  /** The velocity. */
  rates(time: number): Float64Array;
  /** From its targets, in metres, or from the figure that it follows, in radians; left out: it has neither. */
  errors?(times: readonly number[]): { curves: Curve[]; turns: boolean };
}

/** Key poses that can be edited on their curves. */
export interface KeySource extends Pick<KeyPointEvents, 'begin' | 'end' | 'remove'> {
  list(): readonly { time: number; q: readonly number[] }[];
  /** A key to another time, or a joint of it to other values; returns the number that it then has. */
  move(key: number, time?: number, turned?: { joint: Joint; q: number[] }): number;
}

export interface CurveSource {
  state(): CurvesState;
  change(edit: (state: CurvesState) => void): void;
  moving(): readonly Moving[];
  /** Seconds that the timeline shows. */
  seen(): [number, number];
  degrees(): boolean;
  seek(time: number): void;
  wheel(event: WheelEvent, share: number): void;
  /** The timeline. */
  readonly line: HTMLElement;
  /** None: nothing is edited. */
  readonly keys?: KeySource;
}

/** Times that are drawn, and looked at to find the joint that moves most. */
const samples = 400;
const coarse = 24;

const moves = ({ nq, mimic }: Joint): boolean => nq > 0 && mimic < 0;

/** The joint whose speeds are largest, but for the root's. */
function busiest({ model, at }: Moving, times: readonly number[]): string {
  const most = new Float64Array(model.nv);
  times.slice(1).forEach((time, i) => {
    const change = model.difference(at(times[i]!), at(time));
    change.forEach((x, k) => (most[k] = Math.max(most[k]!, Math.abs(x))));
  });
  const of = ({ v, nq }: Joint): number => most[v]! + (nq > 1 ? most[v + 1]! : 0);
  const joints = model.joints.filter((joint) => moves(joint) && joint.kind !== 'floating');
  return joints.reduce((a, b) => (of(b) > of(a) ? b : a), joints[0] ?? model.joints[0]!).name;
}

export class CurveDock implements Control {
  readonly element: HTMLElement;
  readonly #source: CurveSource;
  readonly #controls: Control[];
  readonly #tools: HTMLElement;
  readonly #body = h('div.curves-body');
  readonly #toggle: HTMLButtonElement;
  readonly #redraw = onNextFrame(() => void this.#draw());
  #curves: Curves | null = null;
  #time = 0;

  constructor(source: CurveSource) {
    this.#source = source;
    this.#toggle = button('Curves', () => source.change((s) => void (s.open = !s.open)), {
      class: 'button curves-toggle',
      title: 'Joint values, speeds, errors and heights of feet over time',
    });
    const figure = choice({
      label: 'Figure',
      choices: () => source.moving().map(({ name }, i) => ({ value: String(i), text: name })),
      get: () => String(this.#which),
      set: (value) => source.change((s) => void (s.figure = Number(value))),
    });
    const joint = choice({
      label: 'Joint',
      choices: () =>
        (this.#moving?.model.joints.filter(moves) ?? []).map(({ name }) => ({
          value: name,
          text: name,
        })),
      get: () => this.#joint?.name ?? '',
      set: (value) => source.change((s) => void (s.joint = value)),
      disabled: () => ['error', 'height'].includes(this.#of),
    });
    const of = segmented({
      label: 'What is drawn',
      choices: [
        { value: 'value', text: 'Values' },
        { value: 'speed', text: 'Speeds' },
        { value: 'error', text: 'Error', hint: 'How far it is from what it follows' },
        { value: 'height', text: 'Feet', hint: 'Heights of heels and toes above the ground' },
      ],
      has: (value) => this.#has(value),
      get: () => this.#of,
      set: (value) => source.change((s) => void (s.of = value)),
    });
    this.#controls = [figure, joint, of];
    this.#tools = h('div.curves-tools', {}, of.element, joint.element, figure.element);
    this.element = h(
      'div.curves',
      { role: 'group', 'aria-label': 'Curves over time' },
      h('div.curves-bar', {}, this.#toggle, this.#tools),
      this.#body,
    );
  }

  get #which(): number {
    const { figure } = this.#source.state();
    return figure < this.#source.moving().length ? figure : 0;
  }

  get #moving(): Moving | null {
    return this.#source.moving()[this.#which] ?? null;
  }

  // heights are of what has feet, errors of what follows something
  #has(of: CurvesState['of']): boolean {
    const { points, errors } = this.#moving ?? { points: [] };
    return of === 'height' ? points.length > 0 : of !== 'error' || errors !== undefined;
  }

  get #of(): CurvesState['of'] {
    const { of } = this.#source.state();
    return this.#has(of) ? of : 'value';
  }

  // the chosen one; where there is none of its name the one that moves most
  get #joint(): Joint | null {
    const moving = this.#moving;
    if (!moving) return null;
    const { joints } = moving.model;
    const named = (name: string): Joint | null =>
      joints.find((joint) => joint.name === name && moves(joint)) ?? null;
    const chosen = named(this.#source.state().joint);
    if (chosen) return chosen;
    return named(busiest(moving, this.#times(coarse)));
  }

  #times(count: number): number[] {
    const [begin, end] = this.#source.seen();
    return Array.from({ length: count }, (_, i) => begin + ((end - begin) * i) / (count - 1));
  }

  #values(moving: Moving, joint: Joint, times: readonly number[]): CurveScene {
    const rows = rowsOf(moving.model, joint).at(-1)!;
    const { factor, unit } = this.#unit(rows[0]!.turns);
    const poses = times.map((time) => moving.at(time));
    const curves = rows.map(({ label, get }): Curve => ({
      name: label,
      values: poses.map((q) => factor * get(q)),
    }));
    const bounds = rows.length > 1 ? [] : [joint.lower[0]!, joint.upper[0]!];
    return {
      ...{ times: [...times], unit, points: this.#points(moving, joint, unit) },
      curves: [...curves, ...limits(bounds, factor, times)],
    };
  }

  // the key poses, on the curve of each value
  #points({ model }: Moving, joint: Joint, unit: string): KeyPoint[] {
    const rows = rowsOf(model, joint).at(-1)!;
    const { factor } = this.#unit(rows[0]!.turns);
    const keys = this.#source.keys?.list() ?? [];
    return keys.flatMap(({ time, q }, key) =>
      rows.map(({ label, get }, curve): KeyPoint => {
        const value = factor * get(q);
        const words = `${label} at ${time} s: ${trim(value)} ${unit}`;
        return { key, curve, time, value, step: unit === '°' ? 1 : 0.01, words };
      }),
    );
  }

  get #keyEvents(): KeyPointEvents {
    const keys = this.#source.keys ?? {
      list: () => [],
      begin() {},
      move: () => 0,
      end() {},
      remove() {},
    };
    return {
      begin: (key) => keys.begin(key),
      move: ({ key, curve }, time, value) => {
        const [moving, joint] = [this.#moving!, this.#joint!];
        if (value === undefined) return keys.move(key, time);
        const row = rowsOf(moving.model, joint).at(-1)![curve]!;
        const { factor } = this.#unit(row.turns);
        const q = [...moving.model.clamp(row.set(keys.list()[key]!.q, value / factor))];
        return keys.move(key, time, { joint, q });
      },
      end: () => keys.end(),
      remove: (key) => keys.remove(key),
    };
  }

  #speeds(moving: Moving, joint: Joint, times: readonly number[]): CurveScene {
    const { model } = moving;
    const turns = joint.kind !== 'prismatic';
    const { factor, unit } = this.#unit(turns);
    const rates = times.map((time) => moving.rates(time));
    const next = model.joints.find((each) => each.v > joint.v)?.v ?? model.nv;
    // of a floating joint its turns
    const first = joint.kind === 'floating' ? joint.v + 3 : joint.v;
    const names = next - first === 3 ? ['x', 'y', 'z'] : [''];
    const curves = Array.from({ length: next - first }, (_, i): Curve => {
      const values = rates.map((v) => factor * v[first + i]!);
      return { name: `${joint.name} ${names[i] ?? i + 1}`.trim(), values };
    });
    const { velocity } = joint;
    const bounds = curves.length === 1 && velocity > 0 ? [-velocity, velocity] : [];
    return {
      ...{ times: [...times], unit: `${unit}/s`, points: [] },
      curves: [...curves, ...limits(bounds, factor, times)],
    };
  }

  #errors({ errors }: Moving, times: readonly number[]): CurveScene {
    const { curves, turns } = errors!(times);
    const { factor, unit } = turns ? this.#unit(true) : { factor: 1000, unit: 'mm' };
    const scaled = curves.map(({ name, values }) => ({
      name,
      values: values.map((x) => factor * x),
    }));
    return { times: [...times], curves: scaled, unit, points: [] };
  }

  #heights({ model, points, at }: Moving, times: readonly number[]): CurveScene {
    const state = model.state();
    const places = times.map((time) => {
      state.update(at(time));
      return points.map(({ link, at: [x, y, z] }) => {
        const t = state.transform(link);
        return 1000 * (t[2]! * x + t[5]! * y + t[8]! * z + t[11]!);
      });
    });
    state.release();
    const curves = points.map(({ name }, k): Curve => ({
      name,
      values: places.map((row) => row[k]!),
    }));
    return { times: [...times], curves, unit: 'mm', points: [] };
  }

  #unit(turns: boolean): { factor: number; unit: string } {
    if (!turns) return { factor: 1, unit: 'm' };
    return this.#source.degrees()
      ? { factor: 180 / Math.PI, unit: '°' }
      : { factor: 1, unit: 'rad' };
  }

  // as much as the timeline has
  #margins(): [number, number] {
    const [own, line] = [this.#body, this.#source.line].map((e) => e.getBoundingClientRect());
    return [line!.left - own!.left, own!.right - line!.right];
  }

  async #draw(): Promise<void> {
    if (!this.#source.state().open) return;
    if (!this.#curves) {
      const { Curves } = await import('./plot');
      this.#curves ??= new Curves({
        ...this.#source,
        margins: () => this.#margins(),
        points: this.#keyEvents,
      });
      this.#body.replaceChildren(this.#curves.element);
    }
    const [moving, joint] = [this.#moving, this.#joint];
    if (!moving || !joint) return;
    const times = this.#times(samples);
    const of = this.#of;
    const scene =
      of === 'height'
        ? this.#heights(moving, times)
        : of === 'error'
          ? this.#errors(moving, times)
          : of === 'speed'
            ? this.#speeds(moving, joint, times)
            : this.#values(moving, joint, times);
    const { until } = moving;
    this.#curves.draw(until === undefined ? scene : { ...scene, until });
    this.#curves.place(this.#time);
  }

  /** What is drawn, with the joint's name. */
  get scene(): (CurveScene & { name: string }) | null {
    const scene = this.#curves?.scene ?? null;
    return scene && { ...scene, name: this.#joint?.name ?? '' };
  }

  /** The present time. */
  place(time: number): void {
    this.#time = time;
    this.#curves?.place(time);
  }

  /** What is seen of the motion, or the motion itself, is another. */
  changed(): void {
    this.#redraw();
  }

  update(): void {
    const { open } = this.#source.state();
    this.#toggle.ariaExpanded = String(open);
    this.#tools.hidden = this.#body.hidden = !open;
    for (const control of this.#controls) control.update();
    this.#controls[0]!.element.hidden = this.#source.moving().length < 2;
    if (open) this.#redraw();
  }

  recolor(): void {
    this.#curves?.recolor();
  }
}

const limits = (bounds: readonly number[], factor: number, times: readonly number[]): Curve[] =>
  bounds
    .map((bound, i) => ({ bound, name: i === 0 ? 'lower limit' : 'upper limit' }))
    .filter(({ bound }) => Number.isFinite(bound))
    .map(({ bound, name }) => ({ name, values: times.map(() => factor * bound), limit: true }));
