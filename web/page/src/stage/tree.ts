// tree.ts - the model's structure: a node for each link, and on the way to it the joint, its arc.

import type { Model } from 'limber';
import { fill, h } from '../ui/dom';

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
    const depth: number[] = [];
    fill(
      this.element,
      ...model.links.map(({ index, name, parent }) => {
        depth[index] = parent < 0 ? 0 : depth[parent]! + 1;
        const joint = index > 0 ? model.joints[index - 1]! : null;
        return h(
          'div.node',
          {
            role: 'treeitem',
            tabindex: 0,
            'aria-level': depth[index]! + 1,
            style: `--depth:${depth[index]}`,
            onpointerenter: () => this.#point(index),
            onpointerleave: () => this.#point(-1),
            onfocus: () => this.#point(index),
            onblur: () => this.#point(-1),
          },
          joint &&
            h(
              'span.arc',
              { title: `joint '${joint.name}': ${joint.kind}` },
              `${joint.name} `,
              h('small', {}, joint.kind),
            ),
          h('span.link', {}, name),
        );
      }),
    );
  }
}
