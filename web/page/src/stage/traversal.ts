// traversal.ts - Figure 5.13: the tree is gone through depth first, with a stack of transforms.
//
// Before an arc is gone down the present transform is pushed, coming back up it is popped. Each
// step shows the node in the room and in the tree, what is computed there, and the stack.

import type { Model } from 'limber';
import { button } from '../ui/controls';
import { fill, h } from '../ui/dom';
import { icon } from '../ui/icons';
import './traversal.css';

export interface Step {
  /** The link whose transform is the present one. */
  link: number;
  /** What was done to come there. */
  action: 'start' | 'push' | 'pop';
  /** The links whose transforms are on the stack, the top last. */
  stack: number[];
}

/** Every step of going through a model's tree, without recursion: trees may be deep. */
export function traversalOf({ links }: Model): Step[] {
  const children = links.map(({ index }) => links.filter(({ parent }) => parent === index));
  const next = links.map(() => 0);
  const steps: Step[] = [{ link: 0, action: 'start', stack: [] }];
  for (let at = 0; ;) {
    const { stack } = steps.at(-1)!;
    const child = children[at]![next[at]!++];
    if (child) steps.push({ link: child.index, action: 'push', stack: [...stack, at] });
    else if (stack.length > 0)
      steps.push({ link: stack.at(-1)!, action: 'pop', stack: stack.slice(0, -1) });
    else return steps;
    at = steps.at(-1)!.link;
  }
}

/** Milliseconds that a step stays. */
const pace = 1600;

/** M with the index that a link has in its name: Link_1,1 is M of 1,1. */
function transform(letter: string, model: Model, link: number): HTMLElement {
  const { name } = model.links[link]!;
  return h('i', {}, letter, h('sub', {}, /_([\d,]+)$/.exec(name)?.[1] ?? name));
}

export class Traversal {
  readonly element = h('div.traversal', { hidden: true, role: 'group', 'aria-label': 'Traversal' });
  readonly #point: (link: number, visited: ReadonlySet<number>) => void;
  readonly #words = h('p', { 'aria-live': 'polite' });
  readonly #stack = h('ol.stack', { 'aria-label': 'Stack, the top last' });
  readonly #count = h('output');
  readonly #play = button('', () => this.#toggle(), { class: 'icon-button primary' });
  #model: Model | null = null;
  #steps: Step[] = [];
  #at = 0;
  #timer = 0;

  /** `point` gets the link of the present step, -1 for none, and those gone through so far. */
  constructor(point: (link: number, visited: ReadonlySet<number>) => void) {
    this.#point = point;
    const step = (by: number, name: 'previous' | 'next', title: string): HTMLElement =>
      button('', () => this.#go(this.#at + by), {
        class: 'icon-button',
        title,
        icon: icon(name),
        'data-step': by,
      });
    fill(
      this.element,
      h(
        'div.transport',
        {},
        step(-1, 'previous', 'One step back'),
        this.#play,
        step(1, 'next', 'One step on'),
        this.#count,
      ),
      this.#words,
      h('div.stack-box', {}, h('span', {}, 'Stack'), this.#stack),
    );
  }

  /** Of this model, null: not shown. */
  update(model: Model | null): void {
    if (model === this.#model) return;
    this.#model = model;
    this.#stop();
    this.element.hidden = model === null;
    if (model) this.#steps = traversalOf(model);
    if (model) this.#go(0);
    else this.#point(-1, new Set());
  }

  get step(): Step | undefined {
    return this.#steps[this.#at];
  }

  #toggle(): void {
    if (this.#timer) return this.#stop();
    if (this.#at === this.#steps.length - 1) this.#show(0);
    this.#timer = window.setInterval(() => {
      if (this.element.offsetParent === null) return;
      if (this.#at < this.#steps.length - 1) this.#show(this.#at + 1);
      else this.#stop();
    }, pace);
    this.#showPlay();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#showPlay();
  }

  #showPlay(): void {
    const playing = this.#timer !== 0;
    this.#play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.#play.title = playing ? 'Pause' : 'Play the traversal';
    this.#play.setAttribute('aria-label', this.#play.title);
  }

  // a step by hand ends playing
  #go(to: number): void {
    this.#stop();
    this.#show(Math.min(Math.max(to, 0), this.#steps.length - 1));
  }

  #show(to: number): void {
    const model = this.#model!;
    const before = this.#steps[this.#at]?.stack.length ?? 0;
    this.#at = to;
    const { link, stack } = this.#steps[to]!;
    this.#count.textContent = `${to} of ${this.#steps.length - 1}`;
    fill(this.#words, ...this.#wordsOf(to));
    fill(
      this.#stack,
      ...stack.map((each, i) =>
        h(i >= before ? 'li.pushed' : 'li', { 'data-link': each }, transform('M', model, each)),
      ),
    );
    this.#point(link, new Set(this.#steps.slice(0, to + 1).map((step) => step.link)));
  }

  #wordsOf(at: number): (Node | string)[] {
    const model = this.#model!;
    const { link, action } = this.#steps[at]!;
    const of = (letter: string, which: number): HTMLElement => transform(letter, model, which);
    if (action === 'start') return ['At the root: ', of('M', link), ' = ', of('T', link)];
    if (action === 'pop') return ['Back up: pop ', of('M', link)];
    const { parent } = model.links[link]!;
    const turns = model.joints[link - 1]!.kind !== 'fixed';
    return [
      'Push ',
      of('M', parent),
      ', go down: ',
      of('M', link),
      ' = ',
      of('M', parent),
      ' ',
      of('T', link),
      ' ',
      turns ? of('R', link) : '',
    ];
  }
}
