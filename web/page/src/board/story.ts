// story.ts - the list of examples, and the words on the one that is open.

import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { fill, h, reveal } from '../ui/dom';
import { type Example, examples, sources } from './examples';

/** What the list and the words report when they are clicked. */
export interface StoryEvents {
  open(id: string): void;
  /** Words of the story that change the board are about to do so. */
  act(): void;
}

export class Story {
  readonly list: HTMLElement;
  readonly element = h('div.story');
  readonly #store: Store<AppState>;
  readonly #events: StoryEvents;

  constructor(store: Store<AppState>, events: StoryEvents) {
    this.#store = store;
    this.#events = events;
    this.list = this.#makeList();
  }

  #makeList(): HTMLElement {
    const groups = [...new Set(examples.map(({ group }) => group))];
    return h(
      'nav',
      {},
      ...groups.flatMap((group) => [
        h('h2', {}, group),
        h(
          'ul',
          {},
          ...examples
            .filter((example) => example.group === group)
            .map((example) => this.#makeItem(example)),
        ),
      ]),
    );
  }

  #makeItem({ id, figure, title }: Example): HTMLElement {
    return h(
      'li',
      {},
      h(
        'button.example',
        { type: 'button', 'data-example': id, onclick: () => this.#events.open(id) },
        h('span.figure', {}, figure || '·'),
        h('span', {}, title),
      ),
    );
  }

  update(): void {
    const { example } = this.#store.state.board;
    for (const item of this.list.querySelectorAll<HTMLElement>('.example')) {
      const current = item.dataset['example'] === example;
      if (current) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    if (this.element.dataset['example'] === example) return;
    this.element.dataset['example'] = example;
    const item = this.list.querySelector<HTMLElement>('[aria-current]');
    if (item) reveal(this.list.parentElement!, item);
    this.#write(examples.find(({ id }) => id === example));
  }

  #write(found: Example | undefined): void {
    const source = found ? sources[found.group] : '';
    fill(
      this.element,
      found &&
        h(
          'h1',
          {},
          this.#unit(found),
          found.figure && h('span.figure', {}, `${source}, figure ${found.figure} `),
          found.title,
        ),
      found && h('p', {}, ...this.#words(found)),
    );
  }

  // the text of the lesson that this board belongs to
  #unit({ unit }: Example): HTMLElement | undefined {
    if (!unit) return undefined;
    const onclick = (): void => void import('./lesson').then(({ openUnit }) => openUnit(unit));
    const title = `Unit ${unit} of the lesson`;
    return h('button.act', { type: 'button', title, onclick }, `Unit ${unit}`);
  }

  // the story's text, with a button for each {words} that act
  #words({ text, acts = {} }: Example): (string | HTMLElement)[] {
    return text.split(/[{}]/).map((part) => {
      const act = acts[part];
      if (!act) return part;
      const onclick = (): void => {
        this.#events.act();
        this.#store.change(part, ({ board }) => act(board));
      };
      return h('button.act', { type: 'button', onclick }, part);
    });
  }
}
