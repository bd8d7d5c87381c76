// section.ts - the part of the panel for the user's own method; its field is loaded when it is opened.

import { type Control, section } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { BoardState } from '../document';
import type { Run } from '../run';
import type { OwnMethod } from './method';

interface OwnEvents {
  board(): BoardState;
  /** What the method does, if it is on show. */
  run(): Run | undefined;
  type(code: string): void;
  show(code: string): void;
}

export class OwnSection {
  readonly element: HTMLDetailsElement;
  readonly #own: OwnMethod;
  readonly #events: OwnEvents;
  readonly #place = h('div.own');
  #editor: Control | null = null;
  #loading = false;
  /** The code that was there when the part opened by itself. */
  #opened = '';

  constructor(own: OwnMethod, events: OwnEvents) {
    this.#own = own;
    this.#events = events;
    this.element = section('Your method', { open: false, id: 'own' }, this.#place);
    this.element.addEventListener('toggle', () => this.element.open && void this.#load());
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { makeEditor } = await import('./editor');
      this.#editor = makeEditor(this.#place, {
        ...this.#events,
        words: () => this.#words(),
        run: (code) => {
          if (code.trim() === '') return;
          this.#own.start(code);
          this.#events.show(code);
        },
      });
    } catch {
      this.#place.textContent = 'The field could not be loaded. Fold this and open it again.';
      this.#loading = false;
    }
  }

  #words(): string {
    const board = this.#events.board();
    if (board.own === '') return 'Choose an example, or type ten lines.';
    const words = this.#own.refusal(board) || this.#events.run()?.status.words;
    return words ?? 'It is taken away: show it under Methods.';
  }

  update(): void {
    const board = this.#events.board();
    // what came with a link is shown
    if (board.own !== this.#opened && this.#own.refusal(board) && board.own !== '')
      this.element.open = true;
    this.#opened = board.own;
    this.#editor?.update();
  }
}
