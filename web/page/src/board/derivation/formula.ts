// formula.ts - the lines of a derivation as headings, sentences and MathML.

import type { DerivationLine, FormulaPart } from 'limber';
import { trim } from '../../ui/controls';
import { append, type Child, h, set } from '../../ui/dom';

const space = 'http://www.w3.org/1998/Math/MathML';
const greek: Record<string, string> = { theta: 'θ', beta: 'β', lambda: 'λ', alpha: 'α' };
const signs: Record<string, string> = { '-': '−', x: '×' };

function m(tag: string, attributes: Record<string, unknown>, ...children: Child[]): Element {
  const element = document.createElementNS(space, tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/** One number of a matrix, and the joint that the matrix belongs to: r_2. */
export interface Place {
  name: string;
  joint: number | null;
  row: number;
  column: number;
  part: Extract<FormulaPart, { name: string }>;
}

// as exact as limber explain: what is below its six decimals is rounding
const textOf = (x: number): string => (Number.isNaN(x) ? '–' : trim(Math.abs(x) < 5e-7 ? 0 : x));

/** A letter or a mark with what hangs on it. */
const token = /([A-Za-z]+|.)('?)(?:_(\d+))?(?:\^(T|\+|-1|2))?/g;

function signElements(text: string): Element[] {
  return [...text.matchAll(token)].flatMap(([, base, dot, index, power]) => {
    if (base === ' ') return [];
    const isLetter = /[A-Za-z]/.test(base!) && base !== 'x';
    let made = isLetter
      ? m('mi', {}, greek[base!] ?? base!)
      : m('mo', { stretchy: 'false' }, signs[base!] ?? base!);
    if (dot) made = m('mover', {}, made, m('mo', {}, '˙'));
    if (power) made = m('msup', {}, made, m('mo', {}, power === 'T' ? '⊤' : power));
    return [index ? m('msub', {}, made, m('mn', {}, index)) : made];
  });
}

/** Of signs and matrices; `add` is called for each number, with its element. */
class Formula {
  readonly element = h('div.formula');
  readonly #add: (to: Element, place: Place) => void;
  #row: Element | null = null;
  #joint: number | null = null;

  constructor(parts: readonly FormulaPart[], add: (to: Element, place: Place) => void) {
    this.#add = add;
    for (const part of parts)
      if ('sign' in part) this.#writeSigns(part.sign);
      else this.#put(this.#matrix(part));
  }

  #put(...children: Element[]): void {
    if (!this.#row) {
      this.#row = m('mrow', {});
      this.element.append(m('math', { display: 'block' }, this.#row));
    }
    this.#row.append(...children);
  }

  // behind a comma a narrow page may break the line
  #writeSigns(sign: string): void {
    const index = /[ajrx]_(\d+) =/.exec(sign);
    if (index) this.#joint = Number(index[1]) - 1;
    if (sign.startsWith(', ')) this.#row = null;
    this.#put(...signElements(sign.replace(/^, /, '')));
  }

  #matrix(part: Place['part']): Element {
    const { name, rows, columns, numbers } = part;
    const cell = (row: number, column: number): Element => {
      const x = numbers[row * columns + column]!;
      const number = m('mn', { tabindex: -1, 'data-value': x }, textOf(x));
      this.#add(number, { name, joint: this.#joint, row, column, part });
      return m('mtd', {}, number);
    };
    const line = (i: number): Element =>
      m('mtr', {}, ...Array.from({ length: columns }, (_, k) => cell(i, k)));
    const table = Array.from({ length: rows }, (_, i) => line(i));
    const body = m('mtable', { 'data-name': name }, ...table);
    return m('mrow', {}, m('mo', {}, '['), body, m('mo', {}, ']'));
  }
}

export function lineElement(
  line: DerivationLine,
  add: (to: Element, place: Place) => void,
): Element {
  if (line.parts) return new Formula(line.parts, add).element;
  if (line.number === undefined) return h('p', {}, line.text);
  return h('h3', {}, line.number && h('span.number', {}, line.number), line.text);
}
