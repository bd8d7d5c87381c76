// link_control.ts - the controls of one link of the arm: length, start, limits, desired angle.

import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { clamp, type Control, slider, type SliderOptions, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import type { BoardState } from './document';

type Change = (label: string, edit: (board: BoardState) => void) => void;

const degrees = {
  format: (x: number) => String(Math.round((x * 1800) / Math.PI) / 10).replace('-', '−'),
  parse: (text: string) => (Number(text.replace('−', '-')) * Math.PI) / 180,
  unit: '°',
};

/** Limits of 90 degrees to either side for some links, or none; the start is brought within. */
export function setLimits(board: BoardState, links: Iterable<number>, on: boolean): void {
  for (const i of links) {
    const spec = board.links[i]!;
    [spec.lower, spec.upper] = on ? [-Math.PI / 2, Math.PI / 2] : [null, null];
    board.start[i] = clamp(board.start[i]!, spec.lower ?? -Infinity, spec.upper ?? Infinity);
  }
}

/** Angles of a joint, in steps of a degree. */
const turn = { min: () => -Math.PI, max: () => Math.PI, step: Math.PI / 180 };

class LinkSliders {
  readonly #store: Store<AppState>;
  readonly #i: number;
  readonly #change: Change;

  constructor(store: Store<AppState>, i: number, change: Change) {
    this.#store = store;
    this.#i = i;
    this.#change = change;
  }

  get #board(): BoardState {
    return this.#store.state.board;
  }

  get #spec(): BoardState['links'][number] {
    return this.#board.links[this.#i]!;
  }

  #edit(what: string, edit: (board: BoardState, i: number) => void): void {
    this.#change(`${what} ${this.#i}`, (board) => edit(board, this.#i));
  }

  #slider(options: SliderOptions): Control {
    return slider({ ...options, gesture: this.#store });
  }

  get title(): string {
    const start = degrees.format(this.#board.start[this.#i]!);
    return `Link ${this.#i + 1}: ${this.#spec.length} long, starts at ${start}°`;
  }

  length(): Control {
    return this.#slider({
      label: 'Length',
      min: () => 1,
      max: () => 20,
      step: 0.5,
      get: () => this.#spec.length,
      set: (value) => this.#edit('length', (b, i) => void (b.links[i]!.length = value)),
    });
  }

  start(): Control {
    return this.#slider({
      label: 'Start',
      ...degrees,
      hint: 'The angle to begin with, against the link before; or drag the joint in the picture',
      min: () => this.#spec.lower ?? -Math.PI,
      max: () => this.#spec.upper ?? Math.PI,
      step: Math.PI / 360,
      get: () => this.#board.start[this.#i]!,
      set: (value) =>
        this.#edit('start', (b, i) => {
          b.start[i] = value;
          b.poses = [];
        }),
    });
  }

  limits(): Control {
    return toggle({
      label: 'Limits',
      hint: 'Whether this joint may turn only so far',
      get: () => this.#spec.lower !== null || this.#spec.upper !== null,
      set: (on) => this.#edit('limits', (b, i) => setLimits(b, [i], on)),
    });
  }

  /** A limit between 0 and `end`. */
  limit(side: 'lower' | 'upper', label: string, end: number): Control {
    return this.#slider({
      label,
      ...degrees,
      min: () => Math.min(0, end),
      max: () => Math.max(0, end),
      step: turn.step,
      get: () => this.#spec[side] ?? end,
      set: (value) => this.#edit(side, (b, i) => void (b.links[i]![side] = value)),
      disabled: () => this.#spec[side] === null,
    });
  }

  desired(): Control {
    return this.#slider({
      label: 'Desired',
      ...degrees,
      ...turn,
      hint: 'The angle that the joint would rather have; counts with a gain',
      get: () => this.#spec.desired,
      set: (value) => this.#edit('desired', (b, i) => void (b.links[i]!.desired = value)),
    });
  }

  gain(): Control {
    return this.#slider({
      label: 'Gain',
      hint: 'How much it wants to; only methods with a Jacobian listen',
      min: () => 0,
      max: () => 0.5,
      step: 0.01,
      get: () => this.#spec.gain,
      set: (value) =>
        this.#edit('gain', (b, i) => {
          b.links[i]!.gain = value;
          for (const each of b.panes) each.gains = null;
        }),
    });
  }
}

/** The controls of link i, folded under its name. */
export function linkControl(store: Store<AppState>, i: number, change: Change): Control {
  const sliders = new LinkSliders(store, i, change);
  const parts = [
    sliders.length(),
    sliders.start(),
    sliders.limits(),
    sliders.limit('lower', 'Lower limit', -Math.PI),
    sliders.limit('upper', 'Upper limit', Math.PI),
    sliders.desired(),
    sliders.gain(),
  ];
  const title = h('summary', {});
  const element = h(
    'details.link',
    { open: store.state.board.links.length <= 3 && i === 0 },
    title,
    ...parts.map((part) => part.element),
  );
  const update = (): void => {
    for (const part of parts) part.update();
    title.textContent = sliders.title;
  };
  return { element, update };
}
