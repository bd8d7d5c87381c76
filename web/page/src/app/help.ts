// help.ts - the keys, and a page of help that lists them.

import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { BoardView } from '../board/view';
import type { MotionView } from '../motion/view';
import type { StageView } from '../stage/view';
import type { Host } from './host';
import type { AppState } from './state';

/** What keys act on. */
export interface KeyTarget extends Host {
  readonly board: BoardView;
  /** Null until it is shown for the first time. */
  readonly stage: StageView | null;
  readonly motion: MotionView | null;
  help(): void;
  copyLink(): Promise<string>;
  setGizmo(gizmo: AppState['stage']['gizmo']): void;
}

export interface KeyRow {
  /** As KeyboardEvent.key has it, with Ctrl+ and Shift+ before. */
  keys: string[];
  text: string;
  /** Where it works; '' everywhere. */
  view: '' | 'board' | 'stage' | 'motion';
  action: (page: KeyTarget, key: string) => void;
}

/** To the right and up, and of a target above the floor. */
const directions: Record<string, readonly [number, number, number?]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

export const keyRows: readonly KeyRow[] = [
  { keys: ['b'], text: 'Board', view: '', action: (page) => page.show('board') },
  { keys: ['s'], text: 'Stage', view: '', action: (page) => page.show('stage') },
  { keys: ['m'], text: 'Motion', view: '', action: (page) => page.show('motion') },
  { keys: ['Ctrl+z'], text: 'Undo', view: '', action: (page) => page.store.undo() },
  { keys: ['Ctrl+Shift+Z', 'Ctrl+y'], text: 'Redo', view: '', action: (page) => page.store.redo() },
  {
    keys: ['l'],
    text: 'Copy the link that restores all this',
    view: '',
    action: (page) => void page.copyLink(),
  },
  { keys: ['?'], text: 'This help', view: '', action: (page) => page.help() },
  { keys: [' '], text: 'Play or pause', view: 'board', action: (page) => page.board.play() },
  { keys: ['.'], text: 'One iteration on', view: 'board', action: (page) => page.board.step(1) },
  { keys: [','], text: 'One iteration back', view: 'board', action: (page) => page.board.step(-1) },
  { keys: ['r'], text: 'Back to the start', view: 'board', action: (page) => page.board.reset() },
  ...Array.from({ length: 9 }, (_, i): KeyRow => ({
    keys: [String(i + 1)],
    text: i === 0 ? 'Show the first method or take it away; 2, 3 … the others' : '',
    view: 'board',
    action: (page) => {
      const method = page.limber.methods[i];
      if (method) page.board.toggleMethod(method.name);
    },
  })),
  {
    keys: [' '],
    text: 'Play the key poses',
    view: 'stage',
    action: (page) => page.stage?.timeline.play(),
  },
  {
    keys: ['k'],
    text: 'Keep a key pose',
    view: 'stage',
    action: (page) => page.stage?.timeline.capture(),
  },
  { keys: ['Enter'], text: 'Solve', view: 'stage', action: (page) => page.stage?.solve() },
  { keys: ['r'], text: 'All joints at rest', view: 'stage', action: (page) => page.stage?.rest() },
  {
    keys: ['v'],
    text: 'The whole model in view',
    view: 'stage',
    action: (page) => page.stage?.look(),
  },
  {
    keys: ['g'],
    text: 'The gizmo moves',
    view: 'stage',
    action: (page) => page.setGizmo('translate'),
  },
  {
    keys: ['t'],
    text: 'The gizmo turns',
    view: 'stage',
    action: (page) => page.setGizmo('rotate'),
  },
  {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowDown'],
    text: 'Turn the view',
    view: 'stage',
    action: (page, key) => page.stage?.turn(directions[key]![0], directions[key]![1]),
  },
  {
    keys: ['+', '-'],
    text: 'Nearer and farther',
    view: 'stage',
    action: (page, key) => page.stage?.world.approach(key === '-' ? 1.15 : 1 / 1.15),
  },
  {
    keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'],
    text: 'Move the target: arrows, Page Up and Page Down',
    view: 'stage',
    action: (page, key) => {
      const [right, up, height = 0] = directions[key]!;
      page.stage?.nudge(-up, right, height);
    },
  },
  { keys: [' '], text: 'Play or pause', view: 'motion', action: (page) => page.motion?.play() },
  {
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'One frame back or on; with Shift ten',
    view: 'motion',
    action: (page, key) => page.motion?.step(key === 'ArrowLeft' ? -1 : 1),
  },
  {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    text: '',
    view: 'motion',
    action: (page, key) => page.motion?.step(key === 'ArrowLeft' ? -10 : 10),
  },
  {
    keys: ['Home', 'End'],
    text: 'To the first and the last frame',
    view: 'motion',
    action: (page, key) => {
      const player = page.motion?.player;
      if (player) page.motion?.seek(key === 'Home' ? player.begin : player.end);
    },
  },
  {
    keys: ['c'],
    text: 'A contact at the present time',
    view: 'motion',
    action: (page) => page.motion?.contacts.add(),
  },
  {
    keys: ['[', ']'],
    text: 'The contact that is chosen begins or ends at the present time',
    view: 'motion',
    action: (page, key) => page.motion?.contacts.set(key === '[' ? 'begin' : 'end'),
  },
  {
    keys: ['Delete', 'Backspace'],
    text: 'Take the contact that is chosen away',
    view: 'motion',
    action: (page) => page.motion?.contacts.remove(),
  },
  {
    keys: ['z', 'Z', '0'],
    text: 'Enlarge the line of time, less of it, all of it',
    view: 'motion',
    action: (page, key) => page.motion?.zoom(key === 'z' ? 1 : key === 'Z' ? -1 : 0),
  },
  {
    keys: ['v'],
    text: 'All figures in view',
    view: 'motion',
    action: (page) => page.motion?.look(),
  },
  {
    keys: ['+', '-'],
    text: 'Nearer and farther',
    view: 'motion',
    action: (page, key) => page.motion?.room.world.approach(key === '-' ? 1.15 : 1 / 1.15),
  },
];

/** Fields and buttons keep the keys they need. */
function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'text') return true;
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return / |Arrow|Page|Home|End/.test(key);
  return /^( |Enter)$/.test(key) && target.closest('button, summary, a') !== null;
}

export function listenToKeys(page: KeyTarget): void {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const ctrl = event.ctrlKey || event.metaKey;
    // of letters and signs, Shift is in the key itself
    const shift = event.shiftKey && (ctrl || event.key.length > 1);
    const name = `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${event.key}`;
    if (!name.startsWith('Ctrl+') && isBusy(event.target, event.key)) return;
    const { view } = page.store.state;
    const row = keyRows.find(
      (each) => each.keys.includes(name) && (each.view === '' || each.view === view),
    );
    if (!row) return;
    event.preventDefault();
    row.action(page, event.key);
  });
}

const faces: Record<string, string> = {
  ' ': 'space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'page up',
  PageDown: 'page down',
};

/** A key as it is printed on keyboards; + itself is one. */
const faceOf = (key: string): string =>
  (key.match(/[^+]+|\+$/g) ?? []).map((part) => faces[part] ?? part).join(' ');

function keyList(view: KeyRow['view']): HTMLElement {
  return h(
    'dl.keys',
    {},
    ...keyRows
      .filter((row) => row.view === view && row.text)
      .flatMap(({ keys, text }) => [
        h('dt', {}, ...keys.map((key) => h('kbd', {}, faceOf(key)))),
        h('dd', {}, text),
      ]),
  );
}

/** The columns of the help: a heading, what can be done, and keys. */
const columns: readonly { title: string; view: KeyRow['view']; text: string }[] = [
  {
    title: 'Board',
    view: 'board',
    text: 'Drag the red target, or press anywhere to bring it there. Ctrl and the wheel zoom, Shift and a drag move the plane, a double click shows all. Drag a joint to choose another pose to start from. Pick an example on the left, methods on the right; the curve below shows how fast each comes near, and dragging in it goes back in time.',
  },
  {
    title: 'Stage',
    view: 'stage',
    text: 'Drag the arrows of a target, a link by its body, or a slider. Drag beside the model to turn the view, the wheel goes nearer. Drop a robot’s URDF, with its folder of meshes if you have it, or limber JSON.',
  },
  {
    title: 'Motion',
    view: 'motion',
    text: 'Drop a capture (BVH), a rigged character (GLB, glTF, VRM) or a robot’s motion (CSV, NPZ, JSON): it plays. The line of time has when heels and toes rest: drag these bars or their ends, and the motion is retargeted again. Choose a figure to have the motion on it, beside its own, and in the table which bone each of its links follows. Drag a hand or a foot to correct a frame and those around it.',
  },
  {
    title: 'Everywhere',
    view: '',
    text: 'Tab goes to the target and to every joint; arrow keys move what has the focus, with Shift by larger steps.',
  },
];

const introduction =
  'A linkage is a chain or tree of rigid links and joints. Forward kinematics computes where the tip is for given joints; inverse kinematics finds joints that bring the tip to a target. Here you can drag the target and watch every method of the library work. All numbers are computed by its C code, with the same bits as on any other machine.';

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
    h('p', {}, introduction),
    h(
      'div.columns',
      {},
      ...columns.map(({ title, view, text }) =>
        h('section', {}, h('h2', {}, title), h('p', {}, text), keyList(view)),
      ),
    ),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}
