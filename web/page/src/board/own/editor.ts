// editor.ts - the field in which a method is typed, its examples, and the button that starts it.

import { button, choice, type Control } from '../../ui/controls';
import { fill, h, put, write } from '../../ui/dom';
import { type BoardState, longestCode } from '../document';
import { ownExamples } from './examples';

export interface OwnActions {
  board(): BoardState;
  /** The code into the state: it does not run by that. */
  type(code: string): void;
  /** Into the state, on show, and off. */
  run(code: string): void;
  /** What is to be said of the present code: how it ended, or why it does not run. */
  words(): string;
}

export function makeEditor(place: HTMLElement, actions: OwnActions): Control {
  const field = h('textarea.code', {
    ...{ rows: 12, spellcheck: 'false', autocapitalize: 'off', maxlength: longestCode },
    ...{ 'aria-label': 'Code of your method', id: 'own-code', wrap: 'off' },
    placeholder: 'function step(arm, q, target) {\n  return q;\n}',
    onchange: () => actions.type(field.value),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) actions.run(field.value);
    },
  });
  const examples = choice({
    label: 'Examples',
    hint: 'Puts a method into the field and runs it',
    choices: () => [
      { value: '', text: 'choose …' },
      ...ownExamples.map(({ id, title }) => ({ value: id, text: title })),
    ],
    get: () => ownExamples.find(({ code }) => code === actions.board().own)?.id ?? '',
    set: (id) => {
      const code = ownExamples.find((example) => example.id === id)?.code;
      if (code) actions.run((field.value = code));
    },
  });
  const words = h('p.note.own-words', { role: 'status' });
  const run = button('Run', () => actions.run(field.value), {
    ...{ class: 'primary', id: 'own-run', title: 'Run this code beside the methods (Ctrl Enter)' },
  });
  fill(
    place,
    examples.element,
    field,
    h('div.row', {}, run),
    words,
    h(
      'p.note',
      {},
      h('code', {}, 'step(arm, q, target)'),
      ' returns the next angles. ',
      h('code', {}, 'arm.points(q)'),
      ' has the joints and the tip, ',
      h('code', {}, 'arm.tip(q)'),
      ' the tip, ',
      h('code', {}, 'arm.jacobian(q)'),
      ' a column for each joint, ',
      h('code', {}, 'arm.lengths'),
      ' the links. Joints stop at their limits. A step that takes a second is stopped.',
    ),
  );
  const update = (): void => {
    if (document.activeElement !== field) put(field, 'value', actions.board().own);
    examples.update();
    write(words, actions.words());
  };
  update();
  return { element: place, update };
}
