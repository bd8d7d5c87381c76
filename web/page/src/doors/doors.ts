// doors.ts - the first screen: what the page is for, as three doors, each with a picture that moves.

import type { Limber } from 'limber';
import type { View } from '../app/state';
import { h } from '../ui/dom';
import '../style/doors.css';
import { chase, type Picture, robot, walker } from './pictures';

interface Door {
  view: View;
  name: string;
  text: string;
  picture: (limber: Limber) => Picture;
}

const doors: readonly Door[] = [
  {
    view: 'board',
    name: 'Learn',
    text: 'Every method of inverse kinematics side by side, on an arm that you drag.',
    picture: chase,
  },
  {
    view: 'stage',
    name: 'Robot',
    text: 'A robot of yours or a built-in one: drag its tool, see every solution, keep key poses.',
    picture: robot,
  },
  {
    view: 'motion',
    name: 'Motion',
    text: 'Play a capture, retarget it onto another figure, edit its contacts, save the result.',
    picture: walker,
  },
];

/** Shows the doors above the page until one is taken, or Escape leads to the page as it is. */
export function openDoors(limber: Limber, go: (view: View) => void): HTMLDialogElement {
  const pictures = doors.map(({ picture }) => picture(limber));
  const dialog = h(
    'dialog.doors',
    { 'aria-labelledby': 'doors-title' },
    h('h1', { id: 'doors-title' }, 'limber'),
    h('p', {}, 'Kinematic linkages: learn how they are solved, pose robots, move figures.'),
    h(
      'div.three',
      {},
      ...doors.map(({ view, name, text }, i) =>
        h(
          'button',
          {
            type: 'button',
            'data-door': view,
            onclick: () => {
              dialog.close();
              go(view);
            },
          },
          pictures[i]!.element as unknown as HTMLElement,
          h('b', {}, name),
          h('span', {}, text),
        ),
      ),
    ),
    h(
      'p.note',
      {},
      'Files can be dropped anywhere on the page. Nothing leaves this computer. Escape closes this.',
    ),
  );
  dialog.addEventListener('close', () => {
    for (const picture of pictures) picture.release();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // the arms have caught up with their targets
  for (let i = 0; i < 60; i++) pictures[0]!.draw(1);
  const begin = performance.now();
  const draw = (now: number): void => {
    if (!dialog.open) return;
    for (const picture of pictures) picture.draw(1 + Math.max(0, now - begin) / 1000);
    if (!still) requestAnimationFrame(draw);
  };
  draw(begin);
  return dialog;
}
