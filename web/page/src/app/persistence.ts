// persistence.ts - the state outlives a reload, and Back returns to the view before.
//
// The state is written to the browser's storage shortly after each change; the views are
// entries of its history. A page without storage works, and forgets.

import type { Host } from './host';
import { revive } from './link';
import type { AppState, View } from './state';

const key = 'limber-work';
/** Milliseconds after a change until it is written. */
const delay = 400;
/** Characters; a larger model file is not kept. */
const most = 2_000_000;

/** The state of the last visit, null: none. */
export function storedState(): AppState | null {
  try {
    const text = localStorage.getItem(key);
    return text ? revive(JSON.parse(text)) : null;
  } catch {
    return null;
  }
}

function write(state: AppState): void {
  const text = JSON.stringify(state);
  try {
    if (text.length <= most) localStorage.setItem(key, text);
  } catch {
    // storage is full or forbidden
  }
}

/**
 * Writes the state after each change, and keeps the views in the history. `remember` brings into
 * the state what is otherwise left out of it.
 */
export function startPersistence(host: Host, remember: () => void): void {
  const store = (): void => {
    remember();
    write(host.store.state);
  };
  let waiting = 0;
  let view = host.store.state.view;
  history.replaceState({ view }, '');
  host.store.subscribe(() => {
    clearTimeout(waiting);
    waiting = window.setTimeout(store, delay);
    if (host.store.state.view === view) return;
    view = host.store.state.view;
    history.pushState({ view }, '');
  });
  addEventListener('pagehide', store);
  addEventListener('popstate', ({ state }) => {
    const shown = (state as { view?: View } | null)?.view;
    if (!shown) return;
    view = shown;
    host.show(shown);
  });
}
