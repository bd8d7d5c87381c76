// host.ts - what the page provides to its views.

import type { Limber } from 'limber';
import type { AppState, View } from './state';
import type { Store } from './store';

export interface Host {
  readonly limber: Limber;
  readonly store: Store<AppState>;
  show(view: View): void;
  /** A few words at the lower edge, for a while. */
  say(words: string, kind?: 'news' | 'warning' | 'error'): void;
}
