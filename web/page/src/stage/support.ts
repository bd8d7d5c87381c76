// support.ts - what a figure stands on: the polygon around its planted links, on the floor.

import type { Model, State } from 'limber';
import type { TipState } from './document';

export type Vertex = [number, number];

/** Metres about each point that carry, as a share of the model's size. */
const margin = 0.03;
/** What the library takes at most. */
const mostVertices = 16;

/** Positive: c is to the left of the line from a to b. */
const side = (a: Vertex, b: Vertex, c: Vertex): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The convex polygon around points, counter-clockwise (Andrew 1979). */
export function hull(points: readonly Vertex[]): Vertex[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Vertex[]): Vertex[] => {
    const chain: Vertex[] = [];
    for (const p of list) {
      while (chain.length > 1 && side(chain.at(-2)!, chain.at(-1)!, p) <= 1e-9) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/**
 * The polygon around what is planted at a state: each planted tip and the origin of the link that
 * carries it (of a toe the ankle), with some room. To a millimetre, so that it stays the same while
 * the feet do. Empty where nothing is planted.
 */
export function supportOf(
  model: Model,
  state: State,
  tips: readonly TipState[],
  size: number,
): Vertex[] {
  const planted = tips.filter((tip) => tip.planted);
  const around = margin * size;
  const points = planted.flatMap(({ link }) => {
    const { parent, name } = model.links[model.findLink(link)]!;
    const links = parent >= 0 ? [name, model.links[parent]!.name] : [name];
    return links.flatMap((one): Vertex[] => {
      const pose = state.transform(one);
      const round = (x: number): number => Math.round(1000 * x) / 1000;
      return [-around, around].flatMap((dx) =>
        [-around, around].map((dy): Vertex => [round(pose[9]! + dx), round(pose[10]! + dy)]),
      );
    });
  });
  const polygon = hull(points);
  const each = Math.ceil(polygon.length / mostVertices);
  return polygon.filter((_, i) => i % each === 0);
}
