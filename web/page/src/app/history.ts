// history.ts - what can be undone and redone, as it is kept: of each state what differs from the one before it.

import { isRecord, revive } from './link';
import type { AppState } from './state';

/** States before and after the present one, the nearest first. */
export interface History {
  past: AppState[];
  future: AppState[];
}

/** The same as changes: untrusted when they are read. */
export interface Steps {
  past: unknown[];
  future: unknown[];
}

/** Steps that are kept to either side. */
const most = 100;

/** What is different: values that are others in a list of one, in records by their keys; undefined: nothing. */
function changesOf(from: unknown, to: unknown): unknown {
  if (from === to) return undefined;
  const keys = isRecord(from) && isRecord(to) ? Object.keys(to) : null;
  if (!keys || Object.keys(from as object).join() !== keys.join())
    return JSON.stringify(from) === JSON.stringify(to) ? undefined : [to];
  const [before, after] = [from, to] as Record<string, unknown>[];
  const parts = keys.map((key) => [key, changesOf(before![key], after![key])] as const);
  const some = parts.filter(([, changes]) => changes !== undefined);
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

function changed(from: unknown, changes: unknown): unknown {
  if (Array.isArray(changes)) return changes[0];
  if (!isRecord(changes)) return from;
  const parts = Object.entries(changes);
  const known = isRecord(from) ? from : {};
  return {
    ...known,
    ...Object.fromEntries(parts.map(([k, part]) => [k, changed(known[k], part)])),
  };
}

// states never change: what is between two of them is found once
const found = new WeakMap<AppState, { from: AppState; changes: unknown }>();

function stepsFrom(others: readonly AppState[]): unknown[] {
  return others.slice(0, most).map((to, i) => {
    // the present state goes on changing, the nearest ones are whole
    if (i === 0) return [to];
    const from = others[i - 1]!;
    let known = found.get(to);
    if (known?.from !== from) found.set(to, (known = { from, changes: changesOf(from, to) }));
    return known.changes;
  });
}

export const stepsOf = ({ past, future }: History): Steps => ({
  past: stepsFrom(past),
  future: stepsFrom(future),
});

function statesFrom(state: AppState, steps: unknown): AppState[] {
  let last = state;
  const all = Array.isArray(steps) ? steps.slice(0, most) : [];
  return all.map((changes) => (last = revive(changed(last, changes))));
}

/** The states around this one that were kept. */
export const historyOf = (state: AppState, steps: Partial<Steps> | null): History => ({
  past: statesFrom(state, steps?.past),
  future: statesFrom(state, steps?.future),
});
