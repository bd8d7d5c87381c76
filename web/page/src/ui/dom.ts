// dom.ts - making and changing elements with little ceremony.

type Attributes = Record<string, unknown>;
export type Child = Node | string | null | undefined | false;

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * Sets attributes, listeners (onclick: ...) and properties that are not attributes. An attribute that
 * is there already is left alone: browsers lay out and draw anew whatever is set, the same or not.
 */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function')
      element.addEventListener(name.slice(2), value as EventListener);
    else if (value === undefined || value === null || value === false)
      element.removeAttribute(name);
    else if (name === 'value' || name === 'checked')
      (element as unknown as Record<string, unknown>)[name] = value;
    else {
      const text = value === true ? '' : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** Gives a property another value. */
export function put<T, K extends keyof T>(object: T, name: K, value: T[K]): void {
  if (object[name] !== value) object[name] = value;
}

/** Gives an element another text, in the node that has the old one if there is no other. */
export function write(element: Node, text: string): void {
  const only = element.childNodes.length === 1 ? element.firstChild : null;
  if (only instanceof Text && text !== '') put(only, 'data', text);
  else put(element, 'textContent', text);
}

/** An element of HTML: h('button.primary', {onclick}, 'Play'). */
export function h<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  attributes?: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[K];
export function h(
  selector: string,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElement {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag!);
  if (classes.length) element.className = classes.join(' ');
  set(element, attributes);
  append(element, children);
  return element;
}

/** An element of SVG. */
export function s(selector: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElementNS(svgSpace, tag!);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  set(element, attributes);
  append(element, children);
  return element;
}

export function append(element: Element | DocumentFragment, children: Child[]): void {
  element.append(
    ...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false),
  );
}

/** Puts these children in place of those there are. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** A shape of a drawing, which nothing listens to: shape('path.line', {d}), with others or a text in it. */
export interface Shape {
  selector: string;
  attributes: Attributes;
  inside: readonly Shape[];
  text: string;
}

export const shape = (
  selector: string,
  attributes: Attributes = {},
  ...inside: (Shape | string)[]
): Shape => ({
  ...{ selector, attributes },
  inside: inside.filter((each) => typeof each !== 'string'),
  text: inside.filter((each) => typeof each === 'string').join(''),
});

/** The element that shows a shape now, and those in it. */
interface Drawn {
  node: SVGElement;
  shape: Shape;
  inside: Drawn[];
}

const drawings = new WeakMap<Element, Drawn[]>();

/**
 * Shows these shapes in an element: of the elements that show others already only what differs is
 * changed, so that nothing else is made, laid out and painted.
 */
export function redraw(parent: Element, ...shapes: readonly Shape[]): void {
  const drawn = drawings.get(parent) ?? [];
  drawings.set(parent, drawn);
  bring(parent, drawn, shapes);
}

function bring(parent: Element, drawn: Drawn[], shapes: readonly Shape[]): void {
  while (drawn.length > shapes.length) drawn.pop()!.node.remove();
  shapes.forEach((shape, i) => {
    const old = drawn[i];
    if (old?.shape.selector === shape.selector) return become(old, shape);
    const { selector, attributes, inside, text } = shape;
    const made: Drawn = { node: s(selector, attributes, text), shape, inside: [] };
    bring(made.node, made.inside, inside);
    if (old) old.node.replaceWith(made.node);
    else parent.append(made.node);
    drawn[i] = made;
  });
}

function become(drawn: Drawn, shape: Shape): void {
  const { node, shape: was } = drawn;
  drawn.shape = shape;
  for (const name in shape.attributes)
    if (was.attributes[name] !== shape.attributes[name])
      set(node, { [name]: shape.attributes[name] });
  for (const name in was.attributes) if (!(name in shape.attributes)) node.removeAttribute(name);
  if (was.text !== shape.text) write(node, shape.text);
  bring(node, drawn.inside, shape.inside);
}

const keys = new WeakMap<Element, string>();

/**
 * Fills an element when what it shows has changed, by a key, and not else: what is pressed or has the
 * focus stays.
 */
export function refill(element: Element, key: unknown, make: () => Child[]): void {
  const text = JSON.stringify(key);
  if (keys.get(element) === text) return;
  keys.set(element, text);
  fill(element, ...make());
}

/** Brings a list of elements in a parent to `count`: makes those missing, removes those too many. */
export function resize<E extends Element>(
  parent: Element,
  list: E[],
  count: number,
  make: (i: number) => E,
): E[] {
  while (list.length > count) list.pop()!.remove();
  while (list.length < count) {
    const made = make(list.length);
    parent.append(made);
    list.push(made);
  }
  return list;
}

let serial = 0;
/** An id that no other element has. */
export function freshId(stem: string): string {
  return `${stem}-${++serial}`;
}

/** Scrolls a list so that an item of it is seen, and nothing around the list. */
export function reveal(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  const way = (from: number, to: number, low: number, high: number): number =>
    low < from ? low - from - 8 : high > to ? high - to + 8 : 0;
  list.scrollLeft += way(outer.left, outer.right, inner.left, inner.right);
  // of which more than half is seen stays where it is
  const middle = (inner.top + inner.bottom) / 2;
  if (middle < outer.top || middle > outer.bottom)
    list.scrollTop += way(outer.top, outer.bottom, inner.top, inner.bottom);
}

/** What is done in the next frame. */
const waiting = new Set<() => void>();

function run(action: () => void): void {
  if (waiting.delete(action)) action();
}

/** Calls at most once a frame, with whatever is current then. */
export function onNextFrame(action: () => void): () => void {
  return () => {
    if (waiting.has(action)) return;
    waiting.add(action);
    requestAnimationFrame(() => run(action));
  };
}

/** Does now what waits for this frame: for a picture that would else be drawn twice. */
export function finishFrame(): void {
  [...waiting].forEach(run);
}
