// tour.ts - the first minute: four things to try, each ticked off when it is done, and a goal.

import { button } from '../ui/controls';
import { fill, h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { BoardView } from '../board/view';
import type { Host } from './host';
import type { AppState, View } from './state';

interface Step {
  text: string;
  /** Whether it has been done, between the state at its beginning and now. */
  done: (before: AppState, now: AppState, board: BoardView) => boolean;
}

const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

const steps: readonly Step[] = [
  {
    text: 'Drag the red target. Every arm follows it with a method of its own.',
    done: (before, now) => differ(before.board.target, now.board.target),
  },
  {
    text: 'Drag in the curves to go back through the iterations, then press play.',
    done: (_, now) => now.board.cursor >= 0,
  },
  {
    text: 'Show or hide a method: click its name under Methods.',
    done: (before, now) =>
      differ(
        before.board.panes.map(({ method }) => method),
        now.board.panes.map(({ method }) => method),
      ),
  },
  {
    text: 'Open a figure of the textbook: 5.21 shows what damping is good for.',
    done: (before, now) => now.board.example !== '' && before.board.example !== now.board.example,
  },
  {
    text: 'A goal: find a target within reach at which cyclic coordinate descent stops in a local minimum while damped least squares arrives.',
    done: (_before, _now, board) => {
      const kind = (method: string): string =>
        board.runs.find((run) => run.method === method)?.status.kind ?? '';
      return ['local minimum', 'stalled'].includes(kind('ccd')) && kind('damped') === 'arrived';
    },
  },
];

const key = 'limber-tour';

/** Whether the tour was finished or dismissed before. */
function seen(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export class Tour {
  readonly element = h('aside.tour', { role: 'status', 'aria-label': 'First steps' });
  readonly #host: Host;
  readonly #board: BoardView;
  #at = 0;
  #over: boolean;
  #before: AppState;

  constructor(host: Host, board: BoardView) {
    this.#host = host;
    this.#board = board;
    this.#before = host.store.state;
    this.element.hidden = this.#over = seen();
    if (!this.#over) this.#show();
  }

  update(view: View): void {
    if (this.#over) return;
    this.element.hidden = view !== 'board';
    if (this.element.hidden) return;
    const step = steps[this.#at]!;
    if (step.done(this.#before, this.#host.store.state, this.#board)) this.#next();
  }

  #next(): void {
    this.#at++;
    this.#before = this.#host.store.state;
    if (this.#at < steps.length) return this.#show();
    this.#host.say('Well done. Help (?) lists the keys; the stage has robots in space.');
    this.#end();
  }

  #end(): void {
    this.element.hidden = this.#over = true;
    try {
      localStorage.setItem(key, 'seen');
    } catch {
      // it comes again
    }
  }

  #show(): void {
    fill(
      this.element,
      h('b', {}, this.#at < 4 ? `${this.#at + 1} of 4` : 'Goal'),
      h('span', {}, steps[this.#at]!.text),
      button('Skip', () => this.#next(), { class: 'button', title: 'Go to the next step' }),
      button('', () => this.#end(), {
        class: 'icon-button',
        title: 'Dismiss these first steps',
        icon: icon('close'),
      }),
    );
  }
}
