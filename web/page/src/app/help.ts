// help.ts - the keys, and a page of help that lists them.

import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { App } from './app';

export interface KeyRow {
  /** As KeyboardEvent.key has it, with Ctrl+ and Shift+ before. */
  keys: string[];
  text: string;
  /** Where it works; '' everywhere. */
  view: '' | 'board' | 'stage';
  action: (app: App, key: string) => void;
}

export const keyRows: readonly KeyRow[] = [
  { keys: ['b'], text: 'Board', view: '', action: (app) => app.show('board') },
  { keys: ['s'], text: 'Stage', view: '', action: (app) => app.show('stage') },
  { keys: ['Ctrl+z'], text: 'Undo', view: '', action: (app) => app.store.undo() },
  { keys: ['Ctrl+Shift+Z', 'Ctrl+y'], text: 'Redo', view: '', action: (app) => app.store.redo() },
  {
    keys: ['l'],
    text: 'Copy the link that restores all this',
    view: '',
    action: (app) => void app.copyLink(),
  },
  { keys: ['?'], text: 'This help', view: '', action: (app) => app.help() },
  { keys: [' '], text: 'Play or pause', view: 'board', action: (app) => app.board.play() },
  { keys: ['.'], text: 'One iteration on', view: 'board', action: (app) => app.board.step(1) },
  { keys: [','], text: 'One iteration back', view: 'board', action: (app) => app.board.step(-1) },
  { keys: ['r'], text: 'Back to the start', view: 'board', action: (app) => app.board.reset() },
  ...Array.from({ length: 9 }, (_, i): KeyRow => ({
    keys: [String(i + 1)],
    text: i === 0 ? 'Show the first method or take it away; 2, 3 … the others' : '',
    view: 'board',
    action: (app) => {
      const method = app.limber.methods[i];
      if (method) app.board.toggleMethod(method.name);
    },
  })),
  {
    keys: [' '],
    text: 'Play the key poses',
    view: 'stage',
    action: (app) => app.stage?.timeline.play(),
  },
  {
    keys: ['k'],
    text: 'Keep a key pose',
    view: 'stage',
    action: (app) => app.stage?.timeline.capture(),
  },
  { keys: ['Enter'], text: 'Solve', view: 'stage', action: (app) => app.stage?.solve() },
  { keys: ['r'], text: 'All joints at rest', view: 'stage', action: (app) => app.stage?.rest() },
  {
    keys: ['v'],
    text: 'The whole model in view',
    view: 'stage',
    action: (app) => app.stage?.look(),
  },
  {
    keys: ['g'],
    text: 'The gizmo moves',
    view: 'stage',
    action: (app) => app.setGizmo('translate'),
  },
  { keys: ['t'], text: 'The gizmo turns', view: 'stage', action: (app) => app.setGizmo('rotate') },
  {
    keys: ['Shift+ArrowLeft'],
    text: 'Turn the view',
    view: 'stage',
    action: (app) => app.stage?.turn(-1, 0),
  },
  { keys: ['Shift+ArrowRight'], text: '', view: 'stage', action: (app) => app.stage?.turn(1, 0) },
  { keys: ['Shift+ArrowUp'], text: '', view: 'stage', action: (app) => app.stage?.turn(0, 1) },
  { keys: ['Shift+ArrowDown'], text: '', view: 'stage', action: (app) => app.stage?.turn(0, -1) },
  {
    keys: ['+', '-'],
    text: 'Nearer and farther',
    view: 'stage',
    action: (app, key) => app.stage?.world.approach(key === '-' ? 1.15 : 1 / 1.15),
  },
  {
    keys: ['ArrowLeft'],
    text: 'Move the target: arrows, Page Up and Page Down',
    view: 'stage',
    action: (app) => app.stage?.nudge(0, -1, 0),
  },
  { keys: ['ArrowRight'], text: '', view: 'stage', action: (app) => app.stage?.nudge(0, 1, 0) },
  { keys: ['ArrowUp'], text: '', view: 'stage', action: (app) => app.stage?.nudge(-1, 0, 0) },
  { keys: ['ArrowDown'], text: '', view: 'stage', action: (app) => app.stage?.nudge(1, 0, 0) },
  { keys: ['PageUp'], text: '', view: 'stage', action: (app) => app.stage?.nudge(0, 0, 1) },
  { keys: ['PageDown'], text: '', view: 'stage', action: (app) => app.stage?.nudge(0, 0, -1) },
];

/** Fields and buttons keep the keys they need. */
function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'text') return true;
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return / |Arrow|Page|Home|End/.test(key);
  return /^( |Enter)$/.test(key) && target.closest('button, summary, a') !== null;
}

export function listenToKeys(app: App): void {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const ctrl = event.ctrlKey || event.metaKey;
    // of letters and signs, Shift is in the key itself
    const shift = event.shiftKey && (ctrl || event.key.length > 1);
    const name = `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${event.key}`;
    if (!name.startsWith('Ctrl+') && isBusy(event.target, event.key)) return;
    const { view } = app.store.state;
    const row = keyRows.find(
      (each) => each.keys.includes(name) && (each.view === '' || each.view === view),
    );
    if (!row) return;
    event.preventDefault();
    row.action(app, event.key);
  });
}

const faces: Record<string, string> = {
  ' ': 'space',
  ArrowLeft: '← → ↑ ↓',
  'Shift+ArrowLeft': 'Shift ← → ↑ ↓',
  '+': '+',
};

function keyList(view: KeyRow['view']): HTMLElement {
  return h(
    'dl.keys',
    {},
    ...keyRows
      .filter((row) => row.view === view && row.text)
      .flatMap(({ keys, text }) => [
        h('dt', {}, ...keys.map((key) => h('kbd', {}, faces[key] ?? key.replaceAll('+', ' ')))),
        h('dd', {}, text),
      ]),
  );
}

export function helpDialog(): HTMLDialogElement {
  const dialog = h(
    'dialog.help',
    { 'aria-label': 'Help' },
    button('', () => dialog.close(), {
      class: 'icon-button close',
      title: 'Close',
      icon: icon('close'),
    }),
    h('h1', {}, 'What is this?'),
    h(
      'p',
      {},
      'A linkage is a chain or tree of rigid links and joints. Forward kinematics computes where the tip is for given joints; inverse kinematics finds joints that bring the tip to a target. Here you can drag the target and watch every method of the library work. All numbers are computed by its C code, with the same bits as on any other machine.',
    ),
    h(
      'div.columns',
      {},
      h(
        'section',
        {},
        h('h2', {}, 'Board'),
        h(
          'p',
          {},
          'Drag the red target, or press anywhere to bring it there. Ctrl and the wheel zoom, Shift and a drag move the plane, a double click shows all. Drag a joint to choose another pose to start from. Pick an example on the left, methods on the right; the curve below shows how fast each comes near, and dragging in it goes back in time.',
        ),
        keyList('board'),
      ),
      h(
        'section',
        {},
        h('h2', {}, 'Stage'),
        h(
          'p',
          {},
          'Drag the arrows of a target, a link by its body, or a slider. Drag beside the model to turn the view, the wheel goes nearer. Drop a robot’s URDF, with its folder of meshes if you have it, or limber JSON.',
        ),
        keyList('stage'),
      ),
      h(
        'section',
        {},
        h('h2', {}, 'Everywhere'),
        h(
          'p',
          {},
          'Tab goes to the target and to every joint; arrow keys move what has the focus, with Shift by larger steps.',
        ),
        keyList(''),
      ),
    ),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}
