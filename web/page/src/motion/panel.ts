// panel.ts - the panel beside a motion: what it is, what it is retargeted onto, corrections, files.

import type { AppState } from '../app/state';
import { download, type Saving } from '../app/saving';
import type { Store } from '../app/store';
import { button, choice, type Control, section, slider } from '../ui/controls';
import { h, refill } from '../ui/dom';
import { pathsOf } from '../ui/files';
import type { CrowdFigures } from './crowd';
import { type Correction, mostOfCrowd, type MotionState } from './document';
import { optionGroup } from './options';
import type { Outcome } from './report';
import { type Played, timelessNote } from './savings';
import type { Files } from './take';

export interface PanelSource {
  /** What is known of the motion; empty: there is none. */
  facts(): readonly (readonly [string, string])[];
  parts(): readonly string[];
  part(): number;
  setPart(part: number): void;
  onto(): readonly { value: string; text: string }[];
  /** A figure from files is what the motion is to be on. */
  openOnto(files: Files): void;
  /** What came of retargeting, or why nothing did. */
  outcome(): Outcome;
  /** Another outcome is waited for. */
  working(): boolean;
  readonly contacts: Control;
  readonly map: Control;
  readonly pose: Control;
  corrections(): readonly Correction[];
  /** What a crowd takes; null: there is none. */
  crowd(): CrowdFigures | null;
  savings(): Saving[];
  /** What is played, with what it cannot be saved as. */
  played(): readonly Played[];
  /** Shows why a file could not be made. */
  refuse(error: unknown): void;
}

export class MotionPanel {
  readonly element: HTMLElement;
  readonly #store: Store<AppState>;
  readonly #source: PanelSource;
  readonly #controls: Control[] = [];
  readonly #facts = h('dl.facts');
  readonly #outcome = h('div.note.retargeted', { 'aria-live': 'polite' });
  readonly #list = h('ul.corrections');
  readonly #crowd = h('p.note.crowd');
  readonly #files = h('div.files');

  constructor(store: Store<AppState>, source: PanelSource) {
    this.#store = store;
    this.#source = source;
    this.element = h(
      'aside.panel',
      { 'aria-label': 'Motion' },
      section('Motion', { id: 'motion-facts' }, this.#part(), this.#facts),
      section(
        'Retarget onto',
        { id: 'retarget' },
        this.#onto(),
        this.#picker(),
        this.#options(),
        this.#outcome,
      ),
      section('Bone map', { id: 'map', open: false }, this.#add(source.map)),
      section('Contacts', { id: 'contacts' }, this.#add(source.contacts)),
      section(
        'Correct by hand',
        { id: 'corrections' },
        h(
          'p.note',
          {},
          'Drag a hand, a foot or any other part of a figure: the frames around follow, the farther the less.',
        ),
        this.#width(),
        this.#list,
      ),
      this.#pose(),
      section(
        'Crowd',
        { id: 'crowd', open: false },
        h('p.note', {}, 'Copies of the figure, each at another time of the motion.'),
        this.#copies(),
        this.#crowd,
      ),
      section('Save', { id: 'motion-files' }, this.#files),
    );
  }

  get #motion(): MotionState {
    return this.#store.state.motion;
  }

  #change(label: string, edit: (motion: MotionState) => void): void {
    this.#store.change(label, ({ motion }) => edit(motion));
  }

  #add(control: Control): HTMLElement {
    this.#controls.push(control);
    return control.element;
  }

  #part(): HTMLElement {
    const { element, update } = choice({
      label: 'Animation',
      choices: () => this.#source.parts().map((text, i) => ({ value: String(i), text })),
      get: () => String(this.#source.part()),
      set: (value) => this.#source.setPart(Number(value)),
    });
    return this.#add({
      element,
      update: () => {
        element.hidden = this.#source.parts().length < 2;
        update();
      },
    });
  }

  // it shows values while it is open alone
  #pose(): HTMLElement {
    const { pose } = this.#source;
    const element = section('Pose', { id: 'pose', open: false }, this.#add(pose));
    element.addEventListener('toggle', () => pose.update());
    return element;
  }

  #onto(): HTMLElement {
    return this.#add(
      choice({
        label: 'Figure',
        hint: 'The figure to retarget the motion onto',
        choices: () => this.#source.onto(),
        get: () =>
          this.#source.onto().some(({ value }) => value === this.#motion.onto)
            ? this.#motion.onto
            : '',
        set: (value) => this.#change('onto', (motion) => void (motion.onto = value)),
      }),
    );
  }

  #picker(): HTMLElement {
    const picker = h('input', {
      type: 'file',
      multiple: true,
      accept: '.urdf,.xml,.json,.bvh,.glb,.gltf,.vrm,.vrma,.bin,.stl,.dae,.obj',
      hidden: true,
      onchange: () => {
        this.#source.openOnto(pathsOf([...(picker.files ?? [])]));
        picker.value = '';
      },
    });
    const open = button('Onto a file …', () => picker.click(), {
      class: 'button',
      id: 'open-onto',
      title: 'A robot (URDF, MJCF, JSON), a character (glTF, GLB, VRM), the skeleton of a BVH',
    });
    return h('div.row', {}, open, picker);
  }

  #copies(): HTMLElement {
    return this.#add(
      slider({
        label: 'Figures',
        min: () => 0,
        max: () => mostOfCrowd,
        step: 10,
        get: () => this.#motion.crowd,
        set: (value) => this.#store.adjust(({ motion }) => void (motion.crowd = Math.round(value))),
        disabled: () => this.#source.played().length === 0,
      }),
    );
  }

  #options(): HTMLElement {
    return this.#add(
      optionGroup({
        get: () => this.#motion.options,
        change: (label, edit) => this.#change(label, ({ options }) => edit(options)),
        disabled: () => this.#motion.onto === '',
      }),
    );
  }

  #width(): HTMLElement {
    return this.#add(
      slider({
        label: 'Reach in time',
        hint: 'How long before and after the corrected frame others are moved, too',
        min: () => 0.05,
        max: () => 2,
        step: 0.05,
        unit: 's',
        get: () => this.#motion.width,
        set: (value) => this.#store.adjust(({ motion }) => void (motion.width = value)),
      }),
    );
  }

  #correction({ link, joint, time }: Correction, i: number): HTMLElement {
    const words = `${joint || link} at ${time.toFixed(2)} s`;
    const takeBack = (): void =>
      this.#change('correction', (motion) => void motion.corrections.splice(i, 1));
    return h(
      'li',
      {},
      h('span', {}, words),
      button('Take back', takeBack, {
        class: 'button',
        'aria-label': `Take back the correction of ${words}`,
      }),
    );
  }

  // by what the figures have at the time of the click
  async #save(id: string): Promise<void> {
    try {
      const saving = this.#source.savings().find((each) => each.id === id);
      if (saving) download(await saving.save());
    } catch (error) {
      this.#source.refuse(error);
    }
  }

  update(): void {
    for (const control of this.#controls) control.update();
    const facts = this.#source.facts();
    refill(this.#facts, facts, () =>
      facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    );
    const outcome = this.#source.outcome();
    refill(this.#outcome, outcome, () =>
      [outcome.words, ...outcome.remarks].filter(Boolean).map((words) => h('p', {}, words)),
    );
    this.#outcome.dataset['kind'] = outcome.kind;
    this.#outcome.ariaBusy = String(this.#source.working());
    const corrections = this.#source.corrections();
    refill(this.#list, corrections, () => corrections.map((each, i) => this.#correction(each, i)));
    this.#showFiles();
    this.showCrowd();
  }

  /** What changes with every picture. */
  showCrowd(): void {
    const crowd = this.#source.crowd();
    this.#crowd.hidden = crowd === null;
    if (!crowd) return;
    const rate =
      crowd.framesPerSecond > 0 ? `${crowd.framesPerSecond.toFixed(0)} pictures/s, ` : '';
    this.#crowd.textContent =
      `${crowd.count} figures: ${rate}poses in ${crowd.sampling.toFixed(2)} ms and matrices in ` +
      `${crowd.placing.toFixed(2)} ms a picture, ${(crowd.matrices / 1e6).toFixed(1)} million matrices/s.`;
  }

  // under the name of each figure what it can be saved as, and why not as something else
  #showFiles(): void {
    const savings = this.#source.savings().map(({ id, label, of = '', short = label, hint }) => ({
      ...{ id, of, short, hint },
    }));
    const others = this.#source.played().map((each) => {
      const words = [reasons(each.others), timelessNote(each)].filter(Boolean).join(' ');
      return [each.name, words] as const;
    });
    refill(this.#files, [savings, others], () => {
      const groups = [...new Set(savings.map(({ of }) => of))];
      return groups.flatMap((group) => [
        group !== '' && h('h3', {}, group),
        h(
          'div.row',
          {},
          ...savings
            .filter(({ of }) => of === group)
            .map(({ id, short, hint }) =>
              button(short, () => void this.#save(id), {
                class: 'button',
                'data-file': id,
                title: hint,
                'aria-label': group ? `${group}, ${short}` : short,
              }),
            ),
        ),
        ...others
          .filter(([name, words]) => name === group && words)
          .map(([, words]) => h('p.note', {}, words)),
      ]);
    });
  }
}

/** 'Not as CSV or NPZ: its root does not float.' */
function reasons(others: Played['others']): string {
  const whys = [...new Set(others.map(({ why }) => why))];
  return whys
    .map((why) => {
      const labels = others.filter((each) => each.why === why).map(({ label }) => label);
      const last = labels.pop()!;
      return `Not as ${labels.length > 0 ? `${labels.join(', ')} or ` : ''}${last}: ${why}.`;
    })
    .join(' ');
}
