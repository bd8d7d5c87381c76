// dialog.ts - a window above the page that is made when it is asked for, and gone when it is closed.

import { button } from './controls';
import { type Child, h } from './dom';
import { icon } from './icons';

/** Opens a dialog; `closed` is called with the value that it was closed with, '' by Escape. */
export function openDialog(
  title: string,
  content: Child[],
  closed: (value: string) => void = () => {},
): HTMLDialogElement {
  const close = button('', () => dialog.close(), {
    class: 'icon-button close',
    title: 'Close',
    icon: icon('close'),
  });
  const dialog = h('dialog.help', { 'aria-label': title }, close, h('h1', {}, title), ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
