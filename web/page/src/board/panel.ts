// panel.ts - the controls beside the board: motion, settings, the arm's links, what is shown.

import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { button, type Control, section, segmented, slider, toggles } from '../ui/controls';
import { fill, h } from '../ui/dom';
import { icon } from '../ui/icons';
import { type BoardState, limited, link, maxLinks, type Motion, type Show } from './document';
import { linkControl, setLimits } from './link_control';
import { settingControls } from './settings';

const motions: { value: Motion; text: string; hint: string }[] = [
  { value: 'follow', text: 'Follow', hint: 'The arm chases the target while you drag it' },
  {
    value: 'steps',
    text: 'Step by step',
    hint: 'From the start to the target, one iteration after the other',
  },
  {
    value: 'path',
    text: 'Along a path',
    hint: 'The target moves along a straight line in frames, and the arm follows it from each to the next',
  },
];

const shows: { key: keyof Show; label: string; hint: string }[] = [
  { key: 'reach', label: 'Reach', hint: 'The ring in which the tip can be' },
  { key: 'limits', label: 'Limits', hint: 'How far each joint may turn' },
  { key: 'trace', label: 'Trace of the tip', hint: 'The path of the tip' },
  { key: 'ghosts', label: 'Earlier frames', hint: 'Shadows of where the arm has been' },
  { key: 'changes', label: 'Jacobian', hint: 'Where each joint alone would take the tip' },
  {
    key: 'ellipse',
    label: 'Velocity ellipse',
    hint: 'How fast the tip moves while the squares of the joints’ rates sum to 1; dashed: what damping λ leaves of it',
  },
  { key: 'labels', label: 'Names of joints', hint: 'θ₁, θ₂, … at the joints' },
  {
    key: 'sweep',
    label: 'CCD joint by joint',
    hint: 'A picture for each joint of a sweep, not for each sweep',
  },
];

/** What the panel says and does of the elbow: where it is, and why it cannot change sides. */
export interface ElbowSwitch {
  side(): 'left' | 'right';
  refusal(): string;
  change(): void;
}

export class BoardPanel {
  readonly motion: HTMLElement;
  readonly settings: HTMLElement;
  readonly arm: HTMLElement;
  readonly show: HTMLElement;
  readonly #store: Store<AppState>;
  readonly #elbow: ElbowSwitch;
  readonly #controls: Control[] = [];
  readonly #links = h('div.links');
  #linkControls: Control[] = [];
  #linkCount = 0;

  constructor(store: Store<AppState>, elbow: ElbowSwitch) {
    this.#store = store;
    this.#elbow = elbow;
    this.motion = this.#makeMotion();
    this.settings = this.#makeSettings();
    this.arm = this.#makeArm();
    this.show = this.#makeShow();
  }

  get #board(): BoardState {
    return this.#store.state.board;
  }

  #change(label: string, edit: (board: BoardState) => void): void {
    this.#store.change(label, ({ board }) => {
      edit(board);
      board.cursor = board.motion === 'follow' ? -1 : board.cursor;
    });
  }

  #add<C extends Control>(control: C): HTMLElement {
    this.#controls.push(control);
    return control.element;
  }

  #makeMotion(): HTMLElement {
    return this.#add(
      segmented<Motion>({
        label: 'Motion',
        choices: motions,
        get: () => this.#board.motion,
        set: (motion) =>
          this.#change('motion', (b) => {
            b.motion = motion;
            b.cursor = -1;
            b.poses = [];
          }),
      }),
    );
  }

  // ---- settings ----

  #makeSettings(): HTMLElement {
    const number = (
      key: 'frames' | 'perFrame' | 'iterations' | 'pace',
      label: string,
      hint: string,
      max: number,
    ): HTMLElement =>
      this.#add(
        slider({
          label,
          hint,
          min: () => 1,
          max: () => max,
          step: 1,
          gesture: this.#store,
          get: () => this.#board[key],
          set: (value) => this.#change(key, (b) => void (b[key] = Math.round(value))),
        }),
      );
    const pace = number(
      'pace',
      'Speed',
      'Iterations in every picture: how fast the arms chase the target',
      30,
    );
    const frames = number('frames', 'Frames', 'Pictures on the way', 100);
    const perFrame = number(
      'perFrame',
      'Iterations a frame',
      'As many as it takes to arrive, but at most so many; 1: the Euler integration of Parent 2012',
      500,
    );
    const iterations = number('iterations', 'Iterations at most', 'The budget of iterations', 300);
    this.#controls.push({
      element: pace,
      update: () => {
        pace.hidden = this.#board.motion !== 'follow';
        frames.hidden = perFrame.hidden = this.#board.motion !== 'path';
        iterations.hidden = this.#board.motion !== 'steps';
      },
    });
    const controls = settingControls({
      store: this.#store,
      board: () => this.#board,
      change: (label, edit) => this.#change(label, edit),
    });
    return section(
      'Settings',
      { id: 'settings' },
      pace,
      frames,
      perFrame,
      iterations,
      ...controls.map((control) => this.#add(control)),
    );
  }

  // ---- the arm ----

  #makeArm(): HTMLElement {
    return section(
      'Arm',
      { id: 'arm' },
      this.#links,
      h(
        'div.row',
        {},
        button('Link', () => this.#addLink(), {
          icon: icon('plus'),
          title: 'Add a link at the tip',
          'aria-label': 'Add a link at the tip',
          id: 'add-link',
        }),
        button('Link', () => this.#removeLink(), {
          icon: icon('minus'),
          title: 'Take the last link away',
          'aria-label': 'Take the last link away',
          id: 'remove-link',
        }),
        button('Limits', () => this.#toggleLimits(), {
          title: 'Limits of 90 degrees for every joint, or none',
          id: 'toggle-limits',
        }),
        this.#add(this.#elbowButton()),
      ),
    );
  }

  #elbowButton(): Control {
    const element = button('Elbow', () => this.#elbow.change(), { id: 'other-elbow' });
    const update = (): void => {
      const refusal = this.#elbow.refusal();
      const to = this.#elbow.side() === 'left' ? 'right' : 'left';
      element.disabled = refusal !== '';
      element.querySelector('span')!.textContent = `Elbow ${to}`;
      element.title = refusal || `The other solution: the elbow to the ${to}, the tip stays`;
    };
    return { element, update };
  }

  #addLink(): void {
    this.#change('add link', (b) => {
      if (b.links.length >= maxLinks) return;
      b.links.push({ ...link(b.links.at(-1)!.length) });
      b.start.push(0.3);
      for (const pane of b.panes) pane.gains?.push(0);
      b.poses = [];
    });
  }

  #removeLink(): void {
    this.#change('remove link', (b) => {
      if (b.links.length <= 1) return;
      b.links.pop();
      b.start.pop();
      for (const pane of b.panes) pane.gains?.pop();
      b.poses = [];
    });
  }

  #toggleLimits(): void {
    this.#change('limits', (b) => setLimits(b, b.links.keys(), !limited(b.links)));
  }

  // ---- what is shown ----

  #makeShow(): HTMLElement {
    return section(
      'Show',
      { id: 'show' },
      this.#add(
        toggles(
          shows,
          (key) => this.#board.show[key],
          (key, value) => this.#change(`show ${key}`, (b) => void (b.show[key] = value)),
        ),
      ),
    );
  }

  update(): void {
    const count = this.#board.links.length;
    if (count !== this.#linkCount) {
      this.#linkControls = this.#board.links.map((_, i) =>
        linkControl(this.#store, i, (label, edit) => this.#change(label, edit)),
      );
      fill(this.#links, ...this.#linkControls.map(({ element }) => element));
      this.#linkCount = count;
    }
    for (const control of [...this.#controls, ...this.#linkControls]) control.update();
  }
}
