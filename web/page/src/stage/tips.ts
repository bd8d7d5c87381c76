// tips.ts - the list of tips, and the numbers of the selected one's target.

import type { Limber, Model } from 'limber';
import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { button, choice, type Control, segmented, slider, toggle, fixed } from '../ui/controls';
import { fill, h } from '../ui/dom';
import { icon } from '../ui/icons';
import { plainTip, type Root, type TipState } from './document';

export interface TipActions {
  change(label: string, edit: (tips: TipState[]) => void): void;
  select(index: number): void;
  /** Puts the target where its tip is. */
  home(index: number): void;
  /** A planted tip stays where it is now. */
  plant(index: number, planted: boolean): void;
  root(root: Root): void;
  /** Keeps the centre of mass above what is planted. */
  balance(on: boolean): void;
}

export class TipPanel {
  readonly element: HTMLElement;
  readonly #store: Store<AppState>;
  readonly #limber: Limber;
  readonly #actions: TipActions;
  readonly #list = h('div.tips', { role: 'listbox', 'aria-label': 'Tips' });
  readonly #numbers = h('div');
  readonly #controls: Control[] = [];
  #model: Model | null = null;
  #size = 1;

  constructor(store: Store<AppState>, limber: Limber, actions: TipActions) {
    this.#store = store;
    this.#limber = limber;
    this.#actions = actions;
    const kind = this.#add(this.#kind());
    const planted = this.#add(this.#planted());
    fill(
      this.#numbers,
      kind,
      ...this.#coordinates(),
      planted,
      h(
        'div.row',
        {},
        button('Target to tip', () => actions.home(this.#selected), {
          id: 'home-target',
          title: 'Puts the target where the tip is',
        }),
        button('Remove tip', () => this.#remove(), { id: 'remove-tip', icon: icon('close') }),
      ),
    );
    const base = h('div.named', {}, h('span', {}, 'Base'), this.#add(this.#base()));
    this.element = h(
      'div.tip-panel',
      {},
      base,
      this.#add(this.#balance()),
      this.#list,
      this.#numbers,
      this.#add(this.#more()),
    );
  }

  #add(control: Control): HTMLElement {
    this.#controls.push(control);
    return control.element;
  }

  #kind(): Control {
    return segmented<'pose' | 'position' | 'free'>({
      label: 'What counts',
      choices: [
        { value: 'pose', text: 'Pose', hint: 'Place and orientation' },
        {
          value: 'free',
          text: 'Pose, free roll',
          hint: 'Place and the direction of the tool; it may turn about its z axis',
        },
        { value: 'position', text: 'Position', hint: 'The position alone' },
      ],
      get: () => (this.#tip?.kind === 'pose' ? (this.#tip.free ? 'free' : 'pose') : 'position'),
      set: (value) =>
        this.#edit('what counts', (tip) => {
          tip.kind = value === 'position' ? 'position' : 'pose';
          tip.free = value === 'free';
        }),
    });
  }

  #planted(): Control {
    return toggle({
      label: 'Planted',
      hint: 'It stays where it is while another target or a link is dragged; nothing comes before it',
      get: () => this.#tip?.planted ?? false,
      set: (value) => this.#actions.plant(this.#selected, value),
    });
  }

  #more(): Control {
    return choice({
      label: 'Add a tip',
      choices: () => [
        { value: '', text: 'choose a link …' },
        ...(this.#model?.links ?? [])
          .filter(({ parent }) => parent >= 0)
          .map(({ name }) => ({ value: name, text: name })),
      ],
      get: () => '',
      set: (link) => {
        if (!link) return;
        this.#actions.change('add tip', (tips) => void tips.push(plainTip(link)));
        this.#actions.select(this.#store.state.stage.tips.length - 1);
      },
    });
  }

  #balance(): Control {
    return toggle({
      label: 'Balanced',
      hint: 'The centre of mass stays above what is planted; what is dragged gives way to that',
      get: () => this.#store.state.stage.balance,
      set: (on) => this.#actions.balance(on),
      disabled: () => !this.#store.state.stage.tips.some((tip) => tip.planted),
    });
  }

  #base(): Control {
    return segmented<Root>({
      label: 'Base',
      choices: [
        { value: 'fixed', text: 'Fixed', hint: 'The root stays where it is' },
        {
          value: 'planar',
          text: 'Planar',
          hint: 'The root moves along the floor, and turns on it',
        },
        { value: 'floating', text: 'Free', hint: 'The root moves and turns in space' },
      ],
      get: () => this.#store.state.stage.root,
      set: (root) => this.#actions.root(root),
    });
  }

  get #selected(): number {
    return this.#store.state.stage.selected;
  }

  get #tip(): TipState | undefined {
    return this.#store.state.stage.tips[this.#selected];
  }

  #edit(label: string, edit: (tip: TipState) => void): void {
    const selected = this.#selected;
    this.#actions.change(label, (tips) => edit(tips[selected]!));
  }

  #remove(): void {
    const selected = this.#selected;
    this.#actions.change('remove tip', (tips) => void tips.splice(selected, 1));
    this.#actions.select(Math.max(0, selected - 1));
  }

  // x y z, then roll pitch yaw
  #coordinates(): HTMLElement[] {
    const { transforms } = this.#limber;
    const degrees = (): boolean => this.#store.state.stage.degrees;
    const target = (): number[] =>
      this.#tip?.target.length === 12 ? this.#tip.target : [...transforms.from()];
    const xyz = ['x', 'y', 'z'].map((label, i) =>
      this.#add(
        slider({
          label,
          unit: ' m',
          step: 0.001,
          gesture: this.#store,
          min: () => -1.5 * this.#size,
          max: () => 1.5 * this.#size,
          get: () => target()[9 + i]!,
          set: (value) => this.#edit(`target ${label}`, (tip) => void (tip.target[9 + i] = value)),
          format: (x) => fixed(x, 3),
          parse: (text) => Number(text.replace('−', '-')),
        }),
      ),
    );
    const angles = ['roll', 'pitch', 'yaw'].map((label, i) => {
      const factor = (): number => (degrees() ? 180 / Math.PI : 1);
      const control = slider({
        label,
        step: Math.PI / 1800,
        gesture: this.#store,
        unit: () => (degrees() ? '°' : ' rad'),
        min: () => (i === 1 ? -Math.PI / 2 : -Math.PI),
        max: () => (i === 1 ? Math.PI / 2 : Math.PI),
        get: () => transforms.rpy(target())[i]!,
        set: (value) =>
          this.#edit(`target ${label}`, (tip) => {
            const rpy = transforms.rpy(tip.target);
            rpy[i] = value;
            tip.target = [...transforms.from({ xyz: tip.target.slice(9), rpy })];
          }),
        format: (x) => fixed(x * factor(), degrees() ? 1 : 3),
        parse: (text) => Number(text.replace('−', '-')) / factor(),
        disabled: () => this.#tip?.kind === 'position',
      });
      return this.#add(control);
    });
    return [...xyz, ...angles];
  }

  update(model: Model, size: number): void {
    this.#model = model;
    this.#size = size;
    const { tips, selected } = this.#store.state.stage;
    fill(
      this.#list,
      ...tips.map(({ link, planted }, i) =>
        h(
          'button.tip',
          {
            type: 'button',
            role: 'option',
            'aria-selected': String(i === selected),
            onclick: () => this.#actions.select(i),
          },
          link,
          planted && h('small', {}, ' planted'),
        ),
      ),
    );
    this.#numbers.hidden = tips.length === 0;
    for (const control of this.#controls) control.update();
  }
}
