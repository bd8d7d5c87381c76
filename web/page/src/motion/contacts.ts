// contacts.ts - when points of a figure rest: as the state keeps it, and how it is edited.

import type { ContactPoint, Model } from 'limber';
import type { HeldPoint } from './document';

export interface Span {
  begin: number;
  end: number;
}

/** A point of a figure on the timeline. */
export interface Lane {
  name: string;
  side: 'left' | 'right' | 'other';
  spans: readonly Span[];
}

/** One contact: of a point the first, the second ... */
export interface Chosen {
  point: number;
  index: number;
}

// ---- kept by the names of links ----

export const heldOf = (points: readonly ContactPoint[], model: Model): HeldPoint[] =>
  points.map(({ link, at, height, spans }) => ({
    link: model.links[link]!.name,
    at: [...at],
    height,
    spans: spans.map(({ begin, end }) => ({ begin, end })),
  }));

/** The same over a model; null: it lacks one of the links. */
export function pointsOf(held: readonly HeldPoint[], model: Model): ContactPoint[] | null {
  const byName = new Map(model.links.map(({ name, index }) => [name, index]));
  if (held.some(({ link }) => !byName.has(link))) return null;
  return held.map(({ link, at, height, spans }) => ({
    link: byName.get(link)!,
    at: at as [number, number, number],
    height,
    spans,
  }));
}

// ---- editing: each returns spans of its own, in order, those that touch as one ----

export function joined(spans: readonly Span[]): Span[] {
  const sorted = spans
    .map(({ begin, end }) => ({ begin, end }))
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
  const out: Span[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last && span.begin <= last.end) last.end = Math.max(last.end, span.end);
    else out.push(span);
  }
  return out;
}

export const withSpan = (spans: readonly Span[], index: number, span: Span): Span[] =>
  joined(spans.map((each, i) => (i === index ? span : each)));

export const withoutSpan = (spans: readonly Span[], index: number): Span[] =>
  joined(spans.filter((_, i) => i !== index));

/** Which of some spans a time is in, -1: none. */
export const spanAt = (spans: readonly Span[], time: number): number =>
  spans.findIndex(({ begin, end }) => begin <= time && time <= end);

// ---- lanes ----

const ends = ['heel', 'toe'];

function sideOf(name: string): Lane['side'] {
  if (/left|^l[_.]|[_.]l$|^L[A-Z]/.test(name) || /Left/.test(name)) return 'left';
  return /right|^r[_.]|[_.]r$|^R[A-Z]/.test(name) || /Right/.test(name) ? 'right' : 'other';
}

/**
 * Soles are two points of one link, left before right; of other points the links name the lanes.
 * `toShown`: when a time of theirs is shown.
 */
export function lanesOf(
  points: readonly ContactPoint[],
  model: Model,
  toShown: (time: number) => number,
): Lane[] {
  const [a, b, c, d] = points.map(({ link }) => link);
  const soles = points.length === 4 && a === b && c === d && a !== c;
  return points.map(({ link, spans: resting }, i) => {
    const spans = resting.map(({ begin, end }) => ({ begin: toShown(begin), end: toShown(end) }));
    const name = model.links[link]!.name;
    const side = soles ? (i < 2 ? 'left' : 'right') : sideOf(name);
    return { name: soles ? `${side} ${ends[i % 2]}` : name, side, spans };
  });
}
