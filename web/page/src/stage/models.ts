// models.ts - the models to choose from: files, built in, figures of Parent 2012, with their texts.

import { button, section } from '../ui/controls';
import { fill, h, reveal } from '../ui/dom';
import { builtin } from './builtin';
import type { ModelOrigin } from './document';
import { stageExamples } from './examples';
import type { Candidate } from './open';
import { pathsOf } from '../ui/files';

export interface ModelActions {
  open(model: ModelOrigin): void;
  /** Another description of the same files. */
  choose(model: ModelOrigin): void;
  openFiles(files: Map<string, Blob>): void;
}

/** Whether a model is the one from there of this name, as an attribute. */
const current = (
  model: ModelOrigin,
  from: ModelOrigin['from'],
  name: string,
): string | undefined => (model.from === from && model.name === name ? 'true' : undefined);

const list = (items: HTMLElement[]): HTMLElement =>
  h('ul', {}, ...items.map((item) => h('li', {}, item)));

export class ModelList {
  readonly element: HTMLElement;
  /** The text of a figure. */
  readonly story = h('div.story', { hidden: true });
  readonly #actions: ModelActions;
  readonly #structure: HTMLDetailsElement;
  readonly #models = h('nav');

  constructor(tree: HTMLElement, actions: ModelActions) {
    this.#actions = actions;
    this.#structure = section(
      'Structure',
      { open: false, id: 'structure' },
      h('p.note', {}, 'Each link is a node, each joint the arc that leads to it.'),
      tree,
    );
    this.element = h('aside.examples', { 'aria-label': 'Models' }, this.#structure, this.#models);
  }

  /** Shows which model is here. */
  update(model: ModelOrigin, candidates: readonly Candidate[]): void {
    fill(
      this.#models,
      this.#picker(),
      h(
        'p.note.drop-note',
        {},
        'Or drop files anywhere: the folder of a robot (URDF or MJCF, with its meshes), also as a ZIP, one file of these, or limber JSON.',
      ),
      model.from === 'file' && h('h2', {}, 'Your own'),
      model.from === 'file' && list(this.#own(model, candidates)),
      h('h2', {}, 'Built in'),
      list(this.#builtin(model)),
      h('h2', {}, 'Parent 2012'),
      list(this.#figures(model)),
    );
    this.#showStory(model.from === 'figure' ? model.name : '');
    const item = this.#models.querySelector<HTMLElement>('[aria-current]');
    // a figure's tree is at the top of the list
    if (this.#structure.open) this.element.scrollTop = 0;
    else if (item) reveal(this.element, item);
  }

  // the model that is here, and the others of its folder
  #own(model: ModelOrigin, candidates: readonly Candidate[]): HTMLElement[] {
    const key = JSON.stringify(model);
    const keys = candidates.map(({ origin }) => JSON.stringify(origin));
    const known = keys.includes(key) ? candidates : [{ origin: model, words: '' }];
    return known.map(({ origin, words }, i) =>
      h(
        'button.example.model',
        {
          type: 'button',
          'data-own': origin.name,
          'aria-current': known.length === 1 || keys[i] === key ? 'true' : undefined,
          onclick: () => this.#actions.choose(origin),
        },
        h('b', {}, origin.name),
        words !== '' && h('small', {}, words),
      ),
    );
  }

  #builtin(model: ModelOrigin): HTMLElement[] {
    return [...builtin].map(([name, { summary }]) =>
      h(
        'button.example.model',
        {
          type: 'button',
          'data-model': name,
          title: summary,
          'aria-current': current(model, 'builtin', name),
          onclick: () => this.#actions.open({ from: 'builtin', name }),
        },
        h('b', {}, name),
        h('small', {}, summary),
      ),
    );
  }

  #figures(model: ModelOrigin): HTMLElement[] {
    return stageExamples.map(({ id, figure, title }) =>
      h(
        'button.example',
        {
          type: 'button',
          'data-figure': id,
          'aria-current': current(model, 'figure', id),
          onclick: () => this.#actions.open({ from: 'figure', name: id }),
        },
        h('span.figure', {}, figure),
        h('span', {}, title),
      ),
    );
  }

  #picker(): HTMLElement {
    const picker = h('input', {
      type: 'file',
      multiple: true,
      accept:
        '.limber,.zip,.json,.urdf,.xml,.srdf,.yaml,.yml,.stl,.dae,.obj,.glb,.gltf,.vrm,.vrma,.bvh,.csv,.bin,.png,.jpg',
      hidden: true,
      onchange: () => this.#actions.openFiles(pathsOf([...(picker.files ?? [])])),
    });
    return h(
      'div.row',
      {},
      button('Open files …', () => picker.click(), { id: 'open-files' }),
      picker,
    );
  }

  #showStory(id: string): void {
    const example = stageExamples.find((each) => each.id === id);
    this.story.hidden = !example;
    this.#structure.open = example !== undefined;
    if (!example) return;
    fill(
      this.story,
      h('h1', {}, h('span.figure', {}, `Parent 2012, figure ${example.figure} `), example.title),
      h('p', {}, example.text),
    );
  }
}

/** A frame marks the place while files are dragged over an element; the page opens them. */
export function markDrops(element: HTMLElement, frame: HTMLElement): void {
  element.addEventListener('dragover', () => frame.classList.add('dropping'));
  for (const end of ['dragleave', 'drop'])
    element.addEventListener(end, () => frame.classList.remove('dropping'));
}
