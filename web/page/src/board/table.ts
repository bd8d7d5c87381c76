// table.ts - every method with its figures; a click puts it on show or takes it away.

import type { Method } from 'limber';
import { trim } from '../ui/controls';
import { fill, h, refill, set, write } from '../ui/dom';
import type { Status } from '../ui/status';
import { type Look, nameOf, swatch, titleOf } from './looks';

export interface Row {
  method: Method;
  /** Its looks among the methods on show; none: it is not. */
  looks: Look[];
  status: Status | null;
  refusal: string;
  iterations: number;
  error: number;
  travel: number;
  straying: number;
  /** Microseconds of one iteration, NaN: not measured yet. */
  time: number;
}

/** A method's row of the table: its elements, changed in place. */
class TableRow {
  readonly element: HTMLElement;
  readonly #sample = h('td.sample');
  readonly #button: HTMLButtonElement;
  readonly #mark = h('td.mark');
  readonly #numbers = Array.from({ length: 5 }, () => h('td'));

  constructor(
    { name, summary, source }: Method,
    toggle: (method: string) => void,
    about: (words: string) => void,
  ) {
    const explain = (): void => about(`${titleOf(name)} (${name}): ${summary} (${source}).`);
    this.#button = h(
      'button.method',
      {
        type: 'button',
        'data-method': name,
        onclick: () => toggle(name),
      },
      nameOf(name),
    );
    this.element = h(
      'tr',
      { onpointerenter: explain, onfocusin: explain },
      this.#sample,
      h('th', { scope: 'row' }, this.#button),
      this.#mark,
      ...this.#numbers,
    );
  }

  update({ looks, status, refusal, iterations, error, travel, straying, time }: Row): void {
    this.element.classList.toggle('on', looks.length > 0);
    this.element.classList.toggle('refused', refusal !== '');
    set(this.#button, { 'aria-pressed': String(looks.length > 0) });
    refill(this.#sample, looks, () => looks.map((look) => swatch(look)));
    write(this.#mark, status?.sign ?? '');
    const why = refusal || [status?.words, status?.detail].filter(Boolean).join(': ');
    set(this.#mark, { 'data-status': status?.kind ?? '', title: why });
    const texts = [
      String(iterations),
      shortError(error),
      `${Math.round(travel)}°`,
      `${Math.round(100 * straying)} %`,
    ];
    const known = refusal === '' && status !== null && status.kind !== 'refused';
    this.#numbers.forEach((cell, i) => {
      const number = i < 4 ? texts[i]! : Number.isFinite(time) ? trim(time, 2) : '';
      write(cell, known ? number : '');
    });
  }
}

export class MethodTable {
  readonly element: HTMLElement;
  /** What the method pointed at does, in a sentence. */
  readonly about = h(
    'p.note.about',
    {},
    'Click a method to show or hide it; point at one to read what it does.',
  );
  readonly #rows: Map<string, TableRow>;
  readonly #body = h('tbody');

  constructor(methods: readonly Method[], toggle: (method: string) => void) {
    const heads: [string, string][] = [
      ['', 'On show: a click changes it'],
      ['method', 'Its name; hover for what it does'],
      ['', 'How it ended'],
      ['iter.', 'Iterations until the end'],
      ['error', 'Distance from tip to target at the end'],
      ['travel', 'Total joint travel, degrees'],
      ['stray', 'How far the tip leaves the straight line, as a share of it'],
      ['µs', 'Microseconds of one iteration, measured here'],
    ];
    const about = (words: string): void => void (this.about.textContent = words);
    this.#rows = new Map(
      methods.map((method) => [method.name, new TableRow(method, toggle, about)]),
    );
    this.element = h(
      'div.table-box',
      {},
      h(
        'table.methods',
        {},
        h('caption.hidden', {}, 'Methods and their figures, from the start to the target'),
        h(
          'thead',
          {},
          h('tr', {}, ...heads.map(([text, title]) => h('th', { title, scope: 'col' }, text))),
        ),
        this.#body,
      ),
    );
  }

  update(rows: readonly Row[]): void {
    for (const row of rows) this.#rows.get(row.method.name)!.update(row);
    const elements = rows.map(({ method }) => this.#rows.get(method.name)!.element);
    if (elements.length !== this.#body.childElementCount) fill(this.#body, ...elements);
  }
}

/** A distance in few characters. */
export function shortError(error: number): string {
  if (error === 0) return '0';
  return error >= 0.01
    ? trim(error, 3)
    : error
        .toExponential(0)
        .replace('e-', '·10⁻')
        .replace(/⁻(\d+)/, (_, d: string) => `⁻${superscript(d)}`);
}

function superscript(digits: string): string {
  return digits.replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]!);
}
