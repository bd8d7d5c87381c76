// progress.ts - what is waited for, in a corner of the picture, and for how long.

import { h, set } from '../ui/dom';

/** Milliseconds in which what comes is not announced. */
const soon = 200;

export class Progress {
  readonly element = h('div.progress', { role: 'status', hidden: true });
  readonly #working: () => string;
  #words = '';
  #begin = 0;
  #timer = 0;

  /** `working` says what is waited for now; '': nothing. */
  constructor(working: () => string) {
    this.#working = working;
  }

  /** What is waited for may be another thing. */
  update(): void {
    const words = this.#working();
    if (words !== this.#words) {
      this.#words = words;
      this.#begin = performance.now();
    }
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    const waited = performance.now() - this.#begin;
    const shown = this.#words !== '' && waited >= soon;
    const seconds = Math.floor(waited / 1000);
    set(this.element, { hidden: !shown });
    this.element.textContent = shown ? `${this.#words} …${seconds > 0 ? ` ${seconds} s` : ''}` : '';
    if (this.#words === '') return;
    this.#timer = window.setTimeout(() => this.update(), shown ? 250 : soon);
  }
}
