// keys.ts - the keys.

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
  help(): Promise<void>;
  readonly presenting: boolean;
  present(on?: boolean): void;
  stepExample(by: 1 | -1): void;
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
  {
    keys: ['p'],
    text: 'Present: the picture alone, with larger words',
    view: '',
    action: (page) => page.present(),
  },
  {
    keys: ['n', 'N'],
    text: 'The next example, or the one before',
    view: '',
    action: (page, key) => page.stepExample(key === 'n' ? 1 : -1),
  },
  { keys: ['?'], text: 'This help', view: '', action: (page) => void page.help() },
  { keys: [' '], text: 'Play or pause', view: 'board', action: (page) => page.board.play() },
  { keys: ['.'], text: 'One iteration on', view: 'board', action: (page) => page.board.step(1) },
  { keys: [','], text: 'One iteration back', view: 'board', action: (page) => page.board.step(-1) },
  { keys: ['r'], text: 'Back to the start', view: 'board', action: (page) => page.board.reset() },
  ...Array.from({ length: 9 }, (_, i): KeyRow => ({
    keys: [String(i + 1)],
    text: i === 0 ? 'Show or hide the first method; 2, 3 … the others' : '',
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
    text: 'The chosen contact begins or ends at the present time',
    view: 'motion',
    action: (page, key) => page.motion?.contacts.set(key === '[' ? 'begin' : 'end'),
  },
  {
    keys: ['Delete', 'Backspace'],
    text: 'Delete the chosen contact',
    view: 'motion',
    action: (page) => page.motion?.contacts.remove(),
  },
  {
    keys: ['z', 'Z', '0'],
    text: 'Zoom the timeline in, out, to all of the motion',
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

/** The keys of a presenter, while the page presents. */
const presenterRow = (name: string): Pick<KeyRow, 'action'> | undefined =>
  ({
    PageDown: { action: (page: KeyTarget) => page.stepExample(1) },
    PageUp: { action: (page: KeyTarget) => page.stepExample(-1) },
    Escape: { action: (page: KeyTarget) => page.present(false) },
  })[name];

const rowOf = (name: string, view: AppState['view']): KeyRow | undefined =>
  keyRows.find((each) => each.keys.includes(name) && (each.view === '' || each.view === view));

export function listenToKeys(page: KeyTarget): void {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    // what is typed has keys of its own, and its own undo
    if (event.target instanceof HTMLTextAreaElement) return;
    const ctrl = event.ctrlKey || event.metaKey;
    // of letters and signs, Shift is in the key itself
    const shift = event.shiftKey && (ctrl || event.key.length > 1);
    const name = `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${event.key}`;
    if (!name.startsWith('Ctrl+') && isBusy(event.target, event.key)) return;
    const row = (page.presenting && presenterRow(name)) || rowOf(name, page.store.state.view);
    if (!row) return;
    event.preventDefault();
    row.action(page, event.key);
  });
}
