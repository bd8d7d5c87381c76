// section.ts - the part of the panel for the user's own method; its field is loaded when it is opened.

import { type Control, section } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { BoardState } from '../document';
import type { Run } from '../run';
import type { OwnActions } from './editor';
import type { OwnMethod } from './method';

interface OwnEvents extends Pick<OwnActions, 'type'> {
  board(): BoardState;
  /** What the method does, if it is on show. */
  run(): Run | undefined;
  show(code: string): void;
}

export function ownSection(own: OwnMethod, { board, run, type, show }: OwnEvents): Control {
  let editor: Promise<Control> | null = null;
  let before = '';
  const actions: OwnActions = {
    code: () => board().own,
    words: () => (own.refusal(board()) || run()?.status.words) ?? 'It is not on show.',
    type,
    run: (code) => {
      own.start(code);
      show(code);
    },
  };
  const place = h('div.own');
  const element = section('Your method', { open: false, id: 'own' }, place);
  element.addEventListener('toggle', () => {
    if (element.open) editor ??= import('./editor').then((each) => each.makeEditor(place, actions));
  });
  const update = (): void => {
    // what came with a link is shown
    const code = board().own;
    if (code && code !== before && own.refusal(board())) element.open = true;
    before = code;
    void editor?.then((each) => each.update());
  };
  return { element, update };
}
