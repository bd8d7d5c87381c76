// editor.ts - the field in which a method is typed, its examples, and the button that starts it.

import { button, choice, type Control } from '../../ui/controls';
import { fill, h, put, write } from '../../ui/dom';
import { ownExamples } from './examples';

export interface OwnActions {
  /** The code of the state. */
  code(): string;
  /** The code into the state: it does not run by that. */
  type(code: string): void;
  /** Into the state, on show, and off. */
  run(code: string): void;
  /** How the present code ended, or why it does not run. */
  words(): string;
}

const help =
  'step(arm, q, target) returns the next angles. arm.points(q) has the joints and the tip, arm.tip(q) the tip, ' +
  'arm.jacobian(q) a column [x, y] for each joint, arm.lengths the links. Joints stop at their limits.';

export function makeEditor(place: HTMLElement, { code, type, run, words }: OwnActions): Control {
  const field = h('textarea.code', {
    ...{ id: 'own-code', 'aria-label': 'Code of your method', rows: 13, spellcheck: 'false' },
    onchange: () => type(field.value),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(field.value);
    },
  });
  const examples = choice({
    label: 'Examples',
    hint: 'Puts a method into the field and runs it',
    choices: () => ['', ...ownExamples.keys()].map((value) => ({ value, text: value || '…' })),
    get: () => [...ownExamples].find(([, each]) => each === code())?.[0] ?? '',
    set: (title) => title && run((field.value = ownExamples.get(title)!)),
  });
  const said = h('p.note.own-words', { role: 'status' });
  const title = 'Run this code beside the methods (Ctrl Enter)';
  const start = button('Run', () => run(field.value), { id: 'own-run', title });
  fill(place, examples.element, field, h('div.row', {}, start), said, h('p.note', {}, help));
  const update = (): void => {
    if (document.activeElement !== field) put(field, 'value', code());
    examples.update();
    write(said, words());
  };
  update();
  return { element: place, update };
}
