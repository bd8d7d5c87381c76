// section.ts - the part of the panel for the derivation of a step; it is loaded when it is opened.

import { type Control, section } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { DerivationPanel, DerivedStep } from './panel';

/** What is derived now: the step of the method in front; null: no arm yet. */
export type Derived = () => DerivedStep | null;

export function derivationSection(derived: Derived): Control {
  let panel: Promise<DerivationPanel> | null = null;
  const place = h('div.derivation');
  const element = section('Derivation', { open: false, id: 'derivation' }, place);
  const update = (): void => void panel?.then((each) => each.update(element.open));
  element.addEventListener('toggle', () => {
    if (element.open)
      panel ??= import('./panel').then((each) => new each.DerivationPanel(place, derived));
    update();
  });
  return { element, update };
}
