// help.ts - a page of help, with the keys; fetched when it is asked for.

import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import { type KeyRow, keyRows } from './keys';

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
    text: 'Drag the red target, or press anywhere to bring it there. Ctrl and the wheel zoom, Shift and a drag move the plane, a double click shows all. Drag a joint to choose another pose to start from. Pick an example, and methods in the table; the curve below shows how fast each comes near, and dragging in it goes back in time.',
  },
  {
    title: 'Stage',
    view: 'stage',
    text: 'Drag the arrows of a target, a link by its body, or a slider. Solid stops it where links would collide. Drag beside the model to turn the view, the wheel goes nearer. Keep key poses and play them; on the curves below, their points are dragged in time and value. Drop the folder of a robot (URDF or MJCF, with its meshes), or limber JSON.',
  },
  {
    title: 'Motion',
    view: 'motion',
    text: 'Drop a capture (BVH), a rigged character (GLB, glTF, VRM) or a robot’s motion (CSV, NPZ, JSON): it plays. The timeline shows when heels and toes rest: drag these bars or their ends, and the motion is retargeted again. Choose a figure to retarget the motion onto; the bone map says which bone each of its links follows. Drag a hand or a foot to correct a frame and those around it. Curves shows joints over time.',
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
