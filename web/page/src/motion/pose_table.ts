// pose_table.ts - the pose of a figure at the present frame: joints, their values, their limits.
//
// A value that is typed in corrects the frame; the frames around go along, as with a drag.

import type { Joint, Model } from 'limber';
import { button, choice, type Control, fixed } from '../ui/controls';
import { h, refill } from '../ui/dom';
import { rowsOf, speeds, type Value } from '../curves/joint_values';

/** A figure that has a pose now. */
export interface Posed {
  name: string;
  model: Model;
  q: ArrayLike<number>;
}

export interface PoseSource {
  /** The source, and the target if there is one. */
  posed(): readonly Posed[];
  degrees(): boolean;
  /** A joint of one of them turns or moves on by so much: numbers of a velocity. */
  correct(which: number, joint: Joint, by: number[]): void;
}

export class PoseTable implements Control {
  readonly element: HTMLElement;
  readonly #source: PoseSource;
  readonly #which: Control;
  readonly #table = h('div.pose-table');
  readonly #name: HTMLInputElement;
  #fields: { value: Value; field: HTMLInputElement }[] = [];
  #at = 0;
  #wanted = '';

  constructor(source: PoseSource) {
    this.#source = source;
    this.#which = choice({
      label: 'Figure',
      choices: () => source.posed().map(({ name }, i) => ({ value: String(i), text: name })),
      get: () => String(this.#at),
      set: (value) => {
        this.#at = Number(value);
        this.update();
      },
    });
    this.#name = h('input.find', {
      type: 'text',
      placeholder: 'Joints by name',
      'aria-label': 'Joints whose names have this in them',
      oninput: () => {
        this.#wanted = this.#name.value.trim().toLowerCase();
        this.update();
      },
    });
    const clear = button('×', () => this.#clear(), {
      class: 'icon-button',
      'aria-label': 'All joints',
      title: 'All joints',
    });
    this.element = h(
      'div.stacked',
      {},
      this.#which.element,
      h('div.row', {}, this.#name, clear),
      this.#table,
    );
  }

  #clear(): void {
    this.#name.value = this.#wanted = '';
    this.update();
  }

  get #posed(): Posed | null {
    return this.#source.posed()[this.#at] ?? null;
  }

  // degrees, radians or metres
  #factor(turns: boolean): number {
    return turns && this.#source.degrees() ? 180 / Math.PI : 1;
  }

  #text(x: number, turns: boolean): string {
    const factor = this.#factor(turns);
    return fixed(x * factor, factor === 1 ? 3 : 1);
  }

  #limits({ lower, upper, kind }: Joint): string {
    if (['ball', 'floating', 'planar', 'universal'].includes(kind)) return '–';
    const [low, high] = [lower[0]!, upper[0]!];
    if (!Number.isFinite(low) && !Number.isFinite(high)) return '–';
    const turns = kind !== 'prismatic';
    const bound = (x: number): string =>
      Number.isFinite(x) ? this.#text(x, turns) : x > 0 ? '∞' : '−∞';
    return `${bound(low)} to ${bound(high)}`;
  }

  #type(value: Value, field: HTMLInputElement): void {
    const posed = this.#posed;
    const text = field.value.trim().replace(',', '.').replace('−', '-');
    const typed = text === '' ? NaN : Number(text) / this.#factor(value.turns);
    if (posed && Number.isFinite(typed)) {
      const { model, q } = posed;
      const { joint } = value;
      const change = model.difference(q, model.clamp(value.set(q, typed)));
      const by = [...change.slice(joint.v, joint.v + (speeds[joint.kind] ?? joint.nq))];
      if (by.some((x) => x !== 0)) this.#source.correct(this.#at, joint, by);
    }
    this.place(true);
  }

  #field(value: Value): HTMLInputElement {
    const field = h('input.number', {
      type: 'text',
      inputmode: 'decimal',
      'aria-label': value.label,
      title: value.label,
      onchange: () => this.#type(value, field),
      onfocus: () => field.select(),
    });
    this.#fields.push({ value, field });
    return field;
  }

  #row(values: readonly Value[], limits: string): HTMLElement {
    const { joint, turns } = values[0]!;
    const unit = turns ? (this.#source.degrees() ? '°' : 'rad') : 'm';
    return h(
      'tr',
      {},
      h('th', { scope: 'row', title: `${joint.name}: ${joint.kind}` }, joint.name),
      h('td', {}, h('div.values', {}, ...values.map((value) => this.#field(value)), unit)),
      h('td.limits', {}, limits),
    );
  }

  #rows({ model }: Posed): HTMLElement[] {
    this.#fields = [];
    return model.joints
      .filter(({ nq, mimic, name }) => nq > 0 && mimic < 0 && this.#isWanted(name))
      .flatMap((joint) => {
        const limits = this.#limits(joint);
        return rowsOf(model, joint).map((values) => this.#row(values, limits));
      });
  }

  #isWanted(name: string): boolean {
    return name.toLowerCase().includes(this.#wanted);
  }

  /** Shows the values that the pose has now, where they are seen. */
  place(always = false): void {
    const posed = this.#posed;
    if (!posed || !(always || this.element.closest('details')?.open)) return;
    for (const { value, field } of this.#fields)
      if (always || document.activeElement !== field)
        field.value = this.#text(value.get(posed.q), value.turns);
  }

  update(): void {
    const all = this.#source.posed();
    if (this.#at >= all.length) this.#at = 0;
    const posed = this.#posed;
    this.#which.element.hidden = all.length < 2;
    this.#which.update();
    const names = posed?.model.joints.map(({ name }) => name);
    const key = [posed?.name, names, this.#wanted, this.#source.degrees()];
    refill(this.#table, key, () => {
      const rows = posed ? this.#rows(posed) : [];
      const heads = ['Joint', 'Value', 'Limits'].map((text) => h('th', { scope: 'col' }, text));
      return rows.length === 0
        ? [h('p.note', {}, 'No joint of this name moves.')]
        : [h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows))];
    });
    this.place();
  }
}
