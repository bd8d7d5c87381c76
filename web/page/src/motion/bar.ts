// bar.ts - playing: the buttons over the timeline, the frame's number, pace and loop.

import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { button, choice, type Control, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { Player } from './player';

const paces = [0.1, 0.25, 0.5, 1, 2, 4];

export interface BarActions {
  play(): void;
  step(by: number): void;
  frameOf(time: number): [number, number];
}

export class Bar implements Control {
  readonly element: HTMLElement;
  readonly #player: Player;
  readonly #actions: BarActions;
  readonly #play: HTMLButtonElement;
  readonly #count = h('output.count', { id: 'frame-count' });
  readonly #buttons: HTMLButtonElement[];
  readonly #controls: Control[];

  constructor(store: Store<AppState>, player: Player, actions: BarActions) {
    this.#player = player;
    this.#actions = actions;
    const step = (by: number, name: 'previous' | 'next', title: string): HTMLButtonElement =>
      button('', () => actions.step(by), { class: 'icon-button', title, icon: icon(name) });
    this.#play = button('', () => actions.play(), {
      class: 'icon-button primary',
      id: 'play-motion',
      title: 'Play or pause (space)',
      icon: icon('play'),
    });
    const steps = [
      step(-1, 'previous', 'One frame back (←)'),
      this.#play,
      step(1, 'next', 'One frame on (→)'),
    ];
    const pace = choice({
      label: 'Speed',
      choices: () => paces.map((value) => ({ value: String(value), text: `${value} ×` })),
      get: () => String(store.state.motion.pace),
      set: (value) => store.adjust(({ motion }) => void (motion.pace = Number(value))),
    });
    this.#buttons = steps;
    const loop = toggle({
      label: 'Loop',
      get: () => store.state.motion.loop,
      set: (value) => store.adjust(({ motion }) => void (motion.loop = value)),
    });
    this.#controls = [pace, loop];
    this.element = h(
      'div.bar',
      {},
      ...steps,
      this.#count,
      h('span.space'),
      pace.element,
      loop.element,
    );
  }

  /** Shows which frame it is, and whether it goes on. */
  place(): void {
    const { time, playing } = this.#player;
    const [frame, count] = this.#actions.frameOf(time);
    this.#count.textContent =
      count > 0 ? `frame ${frame} of ${count - 1}, ${time.toFixed(2)} s` : '';
    const face = playing ? 'pause' : 'play';
    if (this.#play.dataset['face'] !== face) {
      this.#play.dataset['face'] = face;
      this.#play.replaceChildren(icon(face));
    }
  }

  update(): void {
    for (const control of this.#controls) control.update();
    for (const each of this.#buttons) each.disabled = !(this.#player.length > 0);
    this.place();
  }
}
