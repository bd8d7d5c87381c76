// contact_editor.ts - contacts edited: by the keys, in the panel, on the timeline.

import type { Control } from '../ui/controls';
import { button, choice } from '../ui/controls';
import { h } from '../ui/dom';
import {
  type Chosen,
  joined,
  type Lane,
  type Span,
  spanAt,
  withoutSpan,
  withSpan,
} from './contacts';
import { timesOf } from './track';

export interface ContactSource {
  lanes(): readonly Lane[];
  /** The present time, and that of the frame nearest to a time. */
  now(): number;
  snap(time: number): number;
  begin(): number;
  end(): number;
  /** Whether they were edited. */
  edited(): boolean;
  /** Puts these spans in the place of those of a point. */
  set(point: number, spans: readonly Span[]): void;
  /** As they are found. */
  forget(): void;
  /** Another contact is chosen. */
  chose(): void;
}

/** Seconds of a contact that is added. */
const added = 0.3;

export class ContactEditor implements Control {
  readonly element: HTMLElement;
  readonly #source: ContactSource;
  readonly #words = h('p.note', { 'aria-live': 'polite' });
  readonly #point: Control;
  readonly #buttons: Record<'begin' | 'end' | 'remove' | 'add' | 'forget', HTMLButtonElement>;
  #chosen: Chosen | null = null;
  /** Of the contact that is added next. */
  #at = 0;

  constructor(source: ContactSource) {
    this.#source = source;
    this.#point = choice({
      label: 'Point',
      hint: 'What a contact is added to',
      choices: () => source.lanes().map(({ name }, i) => ({ value: String(i), text: name })),
      get: () => String(this.#at),
      set: (value) => this.choose(Number(value), -1),
    });
    const make = (text: string, title: string, action: () => void): HTMLButtonElement =>
      button(text, action, { class: 'button', title });
    this.#buttons = {
      add: make('Add here', 'A contact of the point at the present time (C)', () => this.add()),
      begin: make('Begins here', 'The contact begins at the present time ([)', () =>
        this.set('begin'),
      ),
      end: make('Ends here', 'The contact ends at the present time (])', () => this.set('end')),
      remove: make('Delete', 'Deletes the contact (Delete)', () => this.remove()),
      forget: make('Find again', 'As they are found in the motion', () => source.forget()),
    };
    const { add, begin, end, remove, forget } = this.#buttons;
    this.element = h(
      'div.contact-editor.stacked',
      {},
      this.#point.element,
      this.#words,
      h('div.row', {}, add, begin, end, remove, forget),
    );
  }

  get chosen(): Chosen | null {
    const { point, index } = this.#chosen ?? { point: -1, index: -1 };
    return this.#source.lanes()[point]?.spans[index] ? this.#chosen : null;
  }

  choose(point: number, index: number): void {
    if (this.#chosen?.point === point && this.#chosen.index === index) return;
    this.#at = point;
    this.#chosen = index >= 0 ? { point, index } : null;
    this.#source.chose();
  }

  #spans(point: number): readonly Span[] {
    return this.#source.lanes()[point]?.spans ?? [];
  }

  // the contact that has a time stays chosen, whatever it was joined with
  #put(point: number, spans: Span[], time: number): void {
    const index = spanAt(spans, time);
    this.#at = point;
    this.#chosen = index >= 0 ? { point, index } : null;
    this.#source.set(point, spans);
  }

  /** A contact becomes another one. */
  change({ point, index }: Chosen, span: Span): void {
    this.#put(point, withSpan(this.#spans(point), index, span), span.begin);
  }

  /** A contact around a time: the present one. */
  add(point = this.#at, time = this.#source.now()): void {
    if (!this.#source.lanes()[point]) return;
    const { snap, begin, end } = this.#source;
    const from = snap(Math.max(begin(), time - added / 2));
    const to = snap(Math.min(end(), Math.max(time, from) + added / 2));
    this.#put(point, joined([...this.#spans(point), { begin: from, end: to }]), time);
  }

  remove(): void {
    const { chosen } = this;
    if (chosen) this.#put(chosen.point, withoutSpan(this.#spans(chosen.point), chosen.index), NaN);
  }

  /** One end of the chosen contact comes to the present time; never beyond the other end. */
  set(which: 'begin' | 'end'): void {
    const { chosen } = this;
    if (!chosen) return;
    const { begin, end } = this.#spans(chosen.point)[chosen.index]!;
    const time = this.#source.snap(this.#source.now());
    this.change(
      chosen,
      which === 'begin'
        ? { begin: Math.min(time, end), end }
        : { begin, end: Math.max(time, begin) },
    );
  }

  update(): void {
    const lanes = this.#source.lanes();
    const { chosen } = this;
    if (!lanes[this.#at]) this.#at = 0;
    this.#point.element.hidden = lanes.length === 0;
    this.#point.update();
    const { add, begin, end, remove, forget } = this.#buttons;
    add.disabled = lanes.length === 0;
    for (const each of [begin, end, remove]) each.disabled = !chosen;
    forget.disabled = !this.#source.edited();
    this.#words.textContent = chosen
      ? `${lanes[chosen.point]!.name}: ${timesOf(lanes[chosen.point]!.spans[chosen.index]!)}`
      : lanes.length > 0
        ? 'Drag a bar on the timeline, or its ends; a double click beside it adds one.'
        : 'No feet are known in this motion. A file of contacts may name points that rest: open it here.';
  }
}
