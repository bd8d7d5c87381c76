// panel.ts - the stage's panel: tips and joints, the method, and what is shown.

import type { Limber } from 'limber';
import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { choice, type Control, section, segmented, toggles } from '../ui/controls';
import { h } from '../ui/dom';
import type { StageState } from './document';
import { layerRows } from './layers';
import { isWholeBody } from './whole_body';

export class StagePanel {
  readonly element: HTMLElement;
  readonly #store: Store<AppState>;
  readonly #limber: Limber;
  readonly #controls: Control[] = [];

  constructor(
    store: Store<AppState>,
    limber: Limber,
    parts: { tips: HTMLElement; joints: HTMLElement; solutions: HTMLElement },
  ) {
    this.#store = store;
    this.#limber = limber;
    this.element = h(
      'aside.panel',
      { 'aria-label': 'Controls' },
      section('Tips and targets', { id: 'tips' }, parts.tips),
      section('Joints', { id: 'joints' }, this.#unit(), parts.joints),
      section('Solutions', { id: 'solutions' }, parts.solutions),
      section(
        'Method',
        { id: 'solver', open: false },
        this.#method(),
        this.#aboutMethod(),
        this.#protocol(),
      ),
      section('Show', { id: 'layers' }, this.#layers(), this.#workspaceAs()),
    );
  }

  get #stage(): StageState {
    return this.#store.state.stage;
  }

  #change(label: string, edit: (stage: StageState) => void): void {
    this.#store.change(label, ({ stage }) => edit(stage));
  }

  #add(control: Control): HTMLElement {
    this.#controls.push(control);
    return control.element;
  }

  #unit(): HTMLElement {
    return this.#add(
      segmented<'degrees' | 'radians'>({
        label: 'Unit of angles',
        choices: [
          { value: 'degrees', text: 'Degrees' },
          { value: 'radians', text: 'Radians' },
        ],
        get: () => (this.#stage.degrees ? 'degrees' : 'radians'),
        set: (value) => this.#change('unit', (stage) => void (stage.degrees = value === 'degrees')),
      }),
    );
  }

  #method(): HTMLElement {
    return this.#add(
      choice({
        label: 'Method',
        choices: () => this.#limber.methods.map(({ name }) => ({ value: name, text: name })),
        get: () => this.#stage.method,
        set: (name) => this.#change('method', (stage) => void (stage.method = name)),
      }),
    );
  }

  #aboutMethod(): HTMLElement {
    const element = h('p.note');
    const update = (): void => {
      const found = this.#limber.methods.find(({ name }) => name === this.#stage.method);
      const whole = isWholeBody(this.#stage.tips, this.#stage.selected, this.#stage.balance);
      element.textContent = whole
        ? 'With planted tips the whole body is solved, in strict levels, and not by this method.'
        : found
          ? `${found.summary} (${found.source})`
          : '';
    };
    return this.#add({ element, update });
  }

  #protocol(): HTMLElement {
    return this.#add(
      choice({
        label: 'Solution',
        hint: 'Which of many solutions',
        choices: () => [
          { value: 'nearest', text: 'nearest to the present pose' },
          { value: 'any', text: 'the first one found' },
          { value: 'given', text: 'from this pose, without restarts' },
        ],
        get: () => this.#stage.protocol,
        set: (value) =>
          this.#change(
            'protocol',
            (stage) => void (stage.protocol = value as StageState['protocol']),
          ),
      }),
    );
  }

  #layers(): HTMLElement {
    return this.#add(
      toggles(
        layerRows,
        (key) => this.#stage.show[key],
        (key, value) => this.#change(`show ${key}`, (stage) => void (stage.show[key] = value)),
      ),
    );
  }

  #workspaceAs(): HTMLElement {
    const { element, update } = segmented<StageState['workspaceAs']>({
      label: 'Workspace as',
      choices: [
        { value: 'slice', text: 'Slice', hint: 'A vertical plane through the base and the tip' },
        { value: 'shell', text: 'Shell', hint: 'The surface around all places of the tip' },
      ],
      get: () => this.#stage.workspaceAs,
      set: (value) => this.#change('workspace', (stage) => void (stage.workspaceAs = value)),
    });
    const row = h('div.named', {}, h('span', {}, 'Workspace as'), element);
    return this.#add({
      element: row,
      update: () => {
        row.hidden = !this.#stage.show.workspace;
        update();
      },
    });
  }

  update(): void {
    for (const control of this.#controls) control.update();
  }
}
