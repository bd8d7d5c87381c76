// switcher.ts - the list of all solutions of the target, and going from one to the other.

import type { Model, Solution } from 'limber';
import { button, fixed } from '../ui/controls';
import { h, resize } from '../ui/dom';
import { icon } from '../ui/icons';
import { lengthWords } from '../ui/status';
import type { StageState } from './document';
import { ElbowBars, type ElbowEvents } from './elbow';
import type { Session, Solved } from './session';
import { type Listed, stepped } from './solutions';
import './switcher.css';

interface Row {
  element: HTMLLIElement;
  pick: HTMLButtonElement;
  name: HTMLElement;
  far: HTMLElement;
  limits: HTMLElement;
}

/** An angle in the unit chosen. */
const angle = (x: number, degrees: boolean): string =>
  degrees ? `${fixed((x * 180) / Math.PI, 1)}°` : `${fixed(x, 3)} rad`;

/** What is said of a pose that was picked. */
export const switched = (q: number[], words: string): Solved => ({
  q,
  outcome: 'reached',
  kind: 'arrived',
  words,
  time: 0,
});

export class Switcher {
  readonly element: HTMLElement;
  readonly #pick: (q: number[]) => void;
  readonly #count = h('output.count', { 'aria-live': 'polite' });
  readonly #steps: readonly { by: 1 | -1; button: HTMLButtonElement }[];
  readonly #list = h('ol.solutions', { 'aria-label': 'All solutions of the target' });
  readonly #note = h('p.note');
  readonly #bar: HTMLElement;
  #rows: Row[] = [];
  #elements: HTMLLIElement[] = [];
  readonly #elbow: ElbowBars;
  #listed: Listed = { solutions: [], present: -1, words: '', elbow: null };

  /** `pick` moves the arm to a solution, `elbow` its elbow while the tool stays. */
  constructor(pick: (q: number[]) => void, elbow: ElbowEvents) {
    this.#pick = pick;
    this.#elbow = new ElbowBars(elbow);
    this.#steps = [this.#step(-1, 'Previous solution'), this.#step(1, 'Next solution')];
    const [previous, next] = this.#steps;
    this.#bar = h('div.row', {}, previous!.button, this.#count, next!.button);
    this.element = h('div.switcher', {}, this.#bar, this.#list, this.#elbow.element, this.#note);
  }

  #step(by: 1 | -1, label: string): { by: 1 | -1; button: HTMLButtonElement } {
    const go = (): void => this.#choose(stepped(this.#listed, by));
    const picture = icon(by < 0 ? 'previous' : 'next');
    return { by, button: button('', go, { 'aria-label': label, title: label, icon: picture }) };
  }

  #choose(i: number): void {
    const solution = this.#listed.solutions[i];
    if (solution?.inLimits) this.#pick([...solution.q]);
  }

  #makeRow(i: number): HTMLLIElement {
    const [name, far, limits] = [h('b'), h('span.number'), h('small')];
    const pick = h(
      'button.solution',
      { type: 'button', onclick: () => this.#choose(i) },
      name,
      far,
      limits,
    );
    const element = h('li', {}, pick);
    this.#rows[i] = { element, pick, name, far, limits };
    return element;
  }

  update({ model, solutions: finder }: Session, stage: StageState): void {
    const listed = finder.list(stage, stage.q);
    this.#listed = listed;
    const { solutions, present, words } = listed;
    resize(this.#list, this.#elements, solutions.length, (i) => this.#makeRow(i));
    solutions.forEach((solution, i) => this.#show(i, solution, model, stage.degrees));
    this.#bar.hidden = this.#list.hidden = solutions.length === 0;
    this.#elbow.element.hidden = listed.elbow === null;
    if (listed.elbow) this.#elbow.update(listed.elbow, stage.degrees);
    for (const each of this.#steps) each.button.disabled = stepped(listed, each.by) < 0;
    const { length } = solutions;
    const count = `${length} ${length === 1 ? 'solution' : 'solutions'}`;
    const text = present < 0 ? count : `${present + 1} of ${length}`;
    // a text that is set again would be read out again
    if (this.#count.textContent !== text) this.#count.textContent = text;
    this.#note.textContent = words;
    this.#note.hidden = words === '';
  }

  #show(i: number, solution: Solution, model: Model, degrees: boolean): void {
    const { pick, name, far, limits } = this.#rows[i]!;
    const here = i === this.#listed.present;
    name.textContent = `Branch ${solution.branch}`;
    far.textContent = here ? 'here' : angle(solution.distance, degrees);
    limits.textContent = solution.inLimits ? 'in limits' : this.#beyond(solution, model, degrees);
    pick.title = here ? 'The present pose' : 'How far the joints have to move, all together';
    pick.disabled = !solution.inLimits;
    if (here) pick.setAttribute('aria-current', 'true');
    else pick.removeAttribute('aria-current');
  }

  #beyond({ joint, beyond }: Solution, model: Model, degrees: boolean): string {
    const { name, kind } = model.joints[joint]!;
    const by = kind === 'prismatic' ? lengthWords(beyond) : angle(beyond, degrees);
    return `${name} ${by} beyond its limits`;
  }
}
