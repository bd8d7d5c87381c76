// tree.ts - the model's structure: a node for each link, and on the way to it the joint, its arc.
//
// Small trees are drawn as in Parent 2012, larger ones listed.

import type { Model } from 'limber';
import { fill, h, s } from '../ui/dom';

/** Links up to which a tree is drawn. */
const drawable = 14;
const row = 58;

export class Tree {
  readonly element = h('div.tree', { role: 'tree', 'aria-label': 'Links and joints' });
  readonly #point: (link: number) => void;
  #model: Model | null = null;

  /** `point` is called with the link that is pointed at, -1: none. */
  constructor(point: (link: number) => void) {
    this.#point = point;
  }

  update(model: Model): void {
    if (model === this.#model) return;
    this.#model = model;
    const depths = depthsOf(model);
    if (model.links.length <= drawable) fill(this.element, this.#drawing(model, depths));
    else fill(this.element, ...this.#list(model, depths));
  }

  /** Shows where a traversal is, -1: none, and the nodes that it has come to. */
  mark(current: number, visited: ReadonlySet<number>): void {
    for (const part of this.element.querySelectorAll<SVGElement>('[data-link]')) {
      const link = Number(part.dataset['link']);
      part.classList.toggle('current', link === current && part.matches('.node'));
      part.classList.toggle('visited', visited.has(link));
    }
  }

  // what an element needs to light up its link
  #pointing(link: number): Record<string, unknown> {
    return {
      role: 'treeitem',
      tabindex: 0,
      onpointerenter: () => this.#point(link),
      onpointerleave: () => this.#point(-1),
      onfocus: () => this.#point(link),
      onblur: () => this.#point(-1),
    };
  }

  #list(model: Model, depths: readonly number[]): HTMLElement[] {
    return model.links.map(({ index, name }) => {
      const joint = index > 0 ? model.joints[index - 1]! : null;
      return h(
        'div.node',
        {
          ...this.#pointing(index),
          'aria-level': depths[index]! + 1,
          style: `--depth:${depths[index]}`,
        },
        joint && h('span.arc', {}, `${joint.name} `, h('small', {}, joint.kind)),
        h('span.link', {}, name),
      );
    });
  }

  // leaves side by side, every other node above the middle of its children
  #drawing(model: Model, depths: readonly number[]): SVGElement {
    const x = placesOf(model);
    const width = 248;
    const columns = Math.max(...x) + 1;
    const at = (link: number): [number, number] => [
      ((x[link]! + 0.5) * width) / columns,
      24 + row * depths[link]!,
    ];
    // labels side by side are of different heights
    const shift = (link: number): number => {
      const beside = depths.flatMap((depth, i) => (depth === depths[link] ? [i] : []));
      return beside.length < 2 ? 0 : beside.indexOf(link) % 2 === 0 ? -8 : 8;
    };
    const arcs = model.joints.map(({ name, kind, parent, child }) => {
      const [ax, ay] = at(parent);
      const [bx, by] = at(child);
      const label = kind === 'fixed' ? name : `${name} · R(θ)`.replace('R(θ)', sign(kind));
      return s(
        'g.arc',
        {},
        s('path', { d: `M${ax} ${ay + 12}L${bx} ${by - 12}`, 'data-link': child }),
        s(
          'text',
          {
            y: (ay + by) / 2 + 4 + shift(child),
            ...besideArc((ax + bx) / 2, bx < ax - 1, label, width),
          },
          label,
        ),
      );
    });
    const nodes = model.links.map(({ index, name }) => {
      const [nx, ny] = at(index);
      const half = Math.min(6.2 * name.length + 14, (width - 8) / Math.max(1, columns)) / 2;
      return s(
        'g.node',
        { ...this.#pointing(index), 'aria-label': name, 'data-link': index },
        s('rect', { x: nx - half, y: ny - 12, width: 2 * half, height: 24, rx: 12 }),
        s('text', { x: nx, y: ny + 4 }, name),
      );
    });
    const height = 48 + row * Math.max(...depths);
    return s('svg', { viewBox: `0 0 ${width} ${height}`, width, height }, ...arcs, ...nodes);
  }
}

/** Where a label of an arc is: on the outer side of it, or the inner one where it would be cut off. */
function besideArc(x: number, outerIsLeft: boolean, label: string, width: number): object {
  const length = 5.9 * label.length;
  const left = outerIsLeft ? x - 5 - length >= 0 : x + 5 + length > width;
  return left ? { x: x - 5, 'text-anchor': 'end' } : { x: x + 5 };
}

/** What a joint does, in a sign. */
function sign(kind: string): string {
  return kind === 'prismatic' ? 'D(d)' : kind === 'ball' ? 'R(q)' : 'R(θ)';
}

function depthsOf({ links }: Model): number[] {
  const depths: number[] = [];
  for (const { index, parent } of links) depths[index] = parent < 0 ? 0 : depths[parent]! + 1;
  return depths;
}

/** Columns of the links: depth first, so that a parent is done after its children backwards. */
function placesOf({ links }: Model): number[] {
  const places: number[] = [];
  const children = links.map(({ index }) => links.filter(({ parent }) => parent === index));
  let column = 0;
  for (const { index } of links) if (children[index]!.length === 0) places[index] = column++;
  for (const { index } of [...links].reverse()) {
    const own = children[index]!.map((child) => places[child.index]!);
    if (own.length > 0) places[index] = (Math.min(...own) + Math.max(...own)) / 2;
  }
  return places;
}
