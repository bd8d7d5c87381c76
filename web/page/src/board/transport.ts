// transport.ts - reset, step, play, and the scrubber through the iterations.

import { button } from '../ui/controls';
import { h, put, set, write } from '../ui/dom';
import { icon } from '../ui/icons';

export interface TransportScene {
  playing: boolean;
  first: number;
  last: number;
  cursor: number;
  /** What one step is called. */
  unit: string;
  /** In pursuit, playing means going on. */
  live: boolean;
}

export interface TransportActions {
  reset(): void;
  play(): void;
  step(by: number): void;
  seek(to: number): void;
}

export class Transport {
  readonly element: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #scrubber: HTMLInputElement;
  readonly #count: HTMLElement;
  #shown = '';

  constructor(actions: TransportActions) {
    this.#play = button('', actions.play, { class: 'icon-button primary', id: 'play' });
    this.#scrubber = h('input', {
      type: 'range',
      step: 1,
      id: 'scrubber',
      'aria-label': 'Iteration',
      oninput: () => actions.seek(this.#scrubber.valueAsNumber),
    });
    this.#count = h('output.count', { for: 'scrubber' });
    this.element = h(
      'div.transport',
      { role: 'toolbar', 'aria-label': 'Iterations' },
      button('', actions.reset, {
        class: 'icon-button',
        title: 'Back to the start (R)',
        id: 'reset',
        icon: icon('reset'),
      }),
      button('', () => actions.step(-1), {
        class: 'icon-button',
        title: 'One step back (,)',
        id: 'step-back',
        icon: icon('previous'),
      }),
      this.#play,
      button('', () => actions.step(1), {
        class: 'icon-button',
        title: 'One step on (.)',
        id: 'step',
        icon: icon('next'),
      }),
      this.#scrubber,
      this.#count,
    );
  }

  update({ playing, first, last, cursor, unit, live }: TransportScene): void {
    const face = `${playing}`;
    if (face !== this.#shown) this.#play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.#shown = face;
    const title = playing ? 'Pause (space)' : live ? 'Go on (space)' : 'Play (space)';
    set(this.#play, { title, 'aria-label': title });
    set(this.#scrubber, {
      min: first,
      max: Math.max(last, first + 1),
      'aria-valuetext': `${unit} ${cursor}`,
    });
    put(this.#scrubber, 'value', String(cursor));
    const share = (100 * (cursor - first)) / Math.max(1, last - first);
    this.#scrubber.style.setProperty('--share', `${share}%`);
    write(this.#count, `${unit} ${cursor} / ${last}`);
  }
}
