// panel.ts - the derivation of the step that is seen, each number linked to its arrow in the picture.

import type { LimberWithClips, Model, Options } from 'limber';
import { clipsLibrary } from '../../motion/library';
import { choice, type Control } from '../../ui/controls';
import { fill, h, set, type Shape } from '../../ui/dom';
import { armJson, type Point } from '../arm';
import type { LinkSpec } from '../document';
import { titleOf } from '../looks';
import { type Derivable, drawMarks, marksOf } from './arrows';
import { lineElement, type Place } from './formula';
import './derivation.css';

/** The step that is seen: of which arm, from where, by which method. */
export interface DerivedStep extends Derivable {
  links: readonly LinkSpec[];
  q: ArrayLike<number>;
  options: Options;
  methods: readonly string[];
  choose(method: string): void;
  /** Draws over the picture of the method. */
  overlay(draw: ((pixel: (p: Point) => Point) => Shape[]) | null): void;
}

/** Milliseconds between derivations while the arm moves. */
const pause = 120;

export class DerivationPanel {
  readonly #derived: () => DerivedStep | null;
  readonly #methods: Control;
  readonly #page = h('div.lines');
  #limber: LimberWithClips | null = null;
  #model: { key: string; model: Model } | null = null;
  #key = '';
  #wait = 0;
  #numbers: { element: Element; place: Place }[] = [];
  #marked: Place | null = null;

  constructor(place: HTMLElement, derived: () => DerivedStep | null) {
    this.#derived = derived;
    this.#methods = choice({
      label: 'Method',
      hint: 'The method whose step is derived',
      choices: () => (derived()?.methods ?? []).map((value) => ({ value, text: titleOf(value) })),
      get: () => String(derived()?.options.method ?? ''),
      set: (method) => derived()?.choose(method),
    });
    fill(place, this.#methods.element, this.#page);
    this.#page.addEventListener('keydown', (event) => this.#move(event));
    void clipsLibrary().then(
      (limber) => {
        this.#limber = limber;
        this.#derive();
      },
      (error: unknown) => fill(this.#page, h('p.note', {}, String(error))),
    );
  }

  update(open: boolean): void {
    if (!open) return this.#mark(null);
    this.#methods.update();
    this.#wait ||= window.setTimeout(() => {
      this.#wait = 0;
      this.#derive();
    }, pause);
  }

  #derive(): void {
    const step = this.#derived();
    if (!step || !this.#limber) return;
    const key = JSON.stringify([step.links, Array.from(step.q), step.options, step.goal]);
    if (key !== this.#key) {
      this.#key = key;
      this.#write(step, this.#limber);
    }
    this.#mark(this.#marked);
  }

  #modelOf({ links }: DerivedStep, limber: LimberWithClips): Model {
    const key = JSON.stringify(links);
    if (this.#model?.key !== key) {
      this.#model?.model.release();
      this.#model = { key, model: limber.model(armJson(links)) };
    }
    return this.#model.model;
  }

  #write(step: DerivedStep, limber: LimberWithClips): void {
    this.#numbers = [];
    const held = this.#marked;
    this.#marked = null;
    const add = (element: Element, place: Place): void => {
      this.#numbers.push({ element, place });
      for (const begin of ['pointerenter', 'focus'])
        element.addEventListener(begin, () => this.#mark(place));
      element.addEventListener('focus', () => this.#stopAt(element));
      // what has the focus stays when the pointer goes
      for (const end of ['pointerleave', 'blur'])
        element.addEventListener(end, () => this.#mark(this.#focused));
      if (held && same(held, place)) this.#marked = place;
    };
    try {
      const target = limber.transforms.from({ xyz: [...step.goal, 0] });
      const task = { tip: 'tip', kind: 'position' } as const;
      const model = this.#modelOf(step, limber);
      const lines = limber.clips.derive(model, task, step.options, target, step.q);
      fill(this.#page, ...lines.map((line) => lineElement(line, add)));
      this.#stopAt(this.#numbers[0]?.element);
    } catch (error) {
      fill(this.#page, h('p.note', {}, error instanceof Error ? error.message : String(error)));
    }
  }

  get #focused(): Place | null {
    const at = document.activeElement;
    return this.#numbers.find(({ element }) => element === at)?.place ?? null;
  }

  // the arrows of a number over the picture; null: none
  #mark(place: Place | null): void {
    this.#marked = place;
    const step = this.#derived();
    const marks = place && step ? marksOf(place, step) : [];
    step?.overlay(marks.length ? (pixel) => drawMarks(marks, step.points, pixel) : null);
    for (const { element, place: each } of this.#numbers)
      element.toggleAttribute('data-marked', each === place && marks.length > 0);
  }

  // the one stop of the Tab key
  #stopAt(stop: Element | undefined): void {
    for (const { element } of this.#numbers) set(element, { tabindex: element === stop ? 0 : -1 });
  }

  // arrow keys go from number to number
  #move(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = this.#numbers.findIndex(({ element }) => element === event.target);
    const next = this.#numbers[at + (by ?? 0)];
    if (!by || at < 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    (next.element as MathMLElement).focus();
  }
}

const same = (a: Place, b: Place): boolean =>
  a.name === b.name && a.joint === b.joint && a.row === b.row && a.column === b.column;
