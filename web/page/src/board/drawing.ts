// drawing.ts - one picture of the board: the arms, the target, and what belongs to them.
//
// Everything is SVG in pixels, made once and changed in place, so that lines keep their
// width and handles their size, and a picture can be saved as it is.

import { clamp } from '../ui/controls';
import { h, redraw, refill, resize, onNextFrame, s, set, type Shape, shape } from '../ui/dom';
import { jointName, type Point } from './arm';
import { innerReachOf, type LinkSpec, reachOf, type Show } from './document';
import { type Look, markPath } from './looks';
import { drawColumns } from './columns';
import { drawEllipses, type Ellipse } from './ellipse';
import { digit, gridLines, type View } from './grid';
import { fan, number, place, short, taper } from './shapes';

/** One arm in a picture. */
export interface DrawnArm {
  /** Its place among the methods on show. */
  place: number;
  look: Look;
  points: Point[];
  ghosts: { points: Point[]; label: string }[];
  trace: Point[];
  /** The tip's velocities for each joint's unit rate, from the tip. */
  changes: Point[];
  ellipses: Ellipse[];
}

export interface Scene {
  title: string;
  /** A word beside the target until it has been moved. */
  hint: string;
  links: readonly LinkSpec[];
  arms: DrawnArm[];
  start: Point[] | null;
  target: Point;
  /** The target's place on its path, in 'path'. */
  goal: Point | null;
  show: Show;
}

/** What a picture reports when something in it is moved. */
export interface DrawingEvents {
  begin(what: 'target' | 'joint'): void;
  target(to: Point): void;
  /** Joint `index` is to turn so that what follows it points there. */
  joint(place: number, index: number, to: Point): void;
  end(): void;
}

const grab = { mouse: 12, touch: 24 };
const armWidth = 15;
/** Pixels around a target that are always seen. */
const markRoom = 26;
/** Times the reach: how far out a target can be dragged. */
const farthest = 3;
/** Milliseconds in which the view eases to what fits, once a drag has ended. */
const easing = 260;
/** Pixels that a finger may move and still tap. */
const tapSlop = 8;

const layerNames = [
  'grid',
  'reach',
  'limits',
  'path',
  'traces',
  'ghosts',
  'start',
  'ellipses',
  'changes',
  'arms',
  'target',
  'marks',
  'handles',
] as const;
type Layer = (typeof layerNames)[number];

export class Drawing {
  readonly element: HTMLElement;
  readonly svg: SVGElement;
  readonly #layers = {} as Record<Layer, SVGElement>;
  readonly #events: DrawingEvents;
  /** Draws over the picture, from the plane to pixels; null: nothing. */
  overlay: ((pixel: (point: Point) => Point) => Shape[]) | null = null;
  readonly #targetHandle: SVGElement;
  #jointHandles: SVGElement[] = [];
  // the handles are to be placed anew
  #stale = true;
  #scene: Scene | null = null;
  #size = { width: 400, height: 300 };
  // pixels of the words above the picture
  #head = 30;
  // while something is dragged the view holds still; afterwards it eases to what fits
  #held: View | null = null;
  #ease: { from: View; begin: number } | null = null;
  // what a user has zoomed and moved to
  #zoom = 1;
  #shift: Point = [0, 0];
  // what is seen, and in it the places of points that are asked for again
  #view: View = { scale: 1, x: 0, y: 0 };
  #texts = new WeakMap<Point, string>();
  #redraw = onNextFrame(() => this.#draw());

  constructor(events: DrawingEvents) {
    this.#events = events;
    this.svg = s('svg.board', { role: 'group', tabindex: -1 });
    for (const name of layerNames) {
      this.#layers[name] = s(`g.${name}`);
      this.svg.append(this.#layers[name]);
    }
    this.element = h('div.drawing', {});
    this.element.append(this.svg);
    this.#targetHandle = this.#makeTarget();
    this.#layers.handles.append(this.#targetHandle);
    this.svg.addEventListener('pointerdown', (event) => this.#press(event as PointerEvent));
    this.svg.addEventListener('wheel', (event) => this.#wheel(event as WheelEvent), {
      passive: false,
    });
    this.svg.addEventListener('dblclick', () => this.fit());
    new ResizeObserver(() => {
      const { width, height } = this.element.getBoundingClientRect();
      if (width > 0) this.#size = { width, height };
      this.update();
    }).observe(this.element);
  }

  /** Draws this; handles, which are unseen, may stay where they were while much moves. */
  update(scene = this.#scene, handles = true): void {
    this.#scene = scene;
    this.#stale ||= handles;
    this.#redraw();
  }

  set head(pixels: number) {
    this.#head = pixels;
    this.#redraw();
  }

  // ---- from the plane to pixels and back ----

  // everything within reach and the target fit, with room for what marks the target
  #fitting(): View {
    const { width, height } = this.#size;
    const scene = this.#scene!;
    const half = Math.min(width, height) / 2;
    const reach = reachOf(scene.links);
    // the names of columns are beyond the tip
    const far = Math.max(...scene.target.map(Math.abs), scene.show.changes ? reach : 0);
    const fit = Math.min(half / (1.08 * reach), (half - markRoom) / far);
    const scale = fit * this.#zoom;
    return { scale, x: width / 2 + scale * this.#shift[0], y: height / 2 - scale * this.#shift[1] };
  }

  #frame(): View {
    if (this.#held) return this.#held;
    const to = this.#fitting();
    if (!this.#ease) return to;
    const share = Math.min(1, (performance.now() - this.#ease.begin) / easing);
    const t = share * share * (3 - 2 * share);
    const { from } = this.#ease;
    if (share === 1) this.#ease = null;
    else this.#redraw();
    return {
      scale: from.scale * (to.scale / from.scale) ** t,
      x: from.x + t * (to.x - from.x),
      y: from.y + t * (to.y - from.y),
    };
  }

  #look(): void {
    const next = this.#frame();
    const { scale, x, y } = this.#view;
    if (next.scale === scale && next.x === x && next.y === y) return;
    this.#view = next;
    this.#texts = new WeakMap();
    this.#stale = true;
  }

  /** Keeps the view as it is until letGo(). */
  hold(): void {
    this.#held = this.#view;
    this.#ease = null;
  }

  letGo(): void {
    if (!this.#held) return;
    this.#ease = { from: this.#held, begin: performance.now() };
    this.#held = null;
    this.#redraw();
  }

  /** Back to the view that shows all. */
  fit(): void {
    this.hold();
    [this.#zoom, this.#shift] = [1, [0, 0]];
    this.letGo();
  }

  // Ctrl and the wheel, or a pinch on a touchpad: nearer and farther, about the pointer
  #wheel(event: WheelEvent): void {
    if (!this.#scene || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const [wx, wy] = this.#world(event);
    const before = this.#zoom;
    this.#zoom = clamp(before * Math.exp(-0.004 * event.deltaY), 0.3, 20);
    // the point under the pointer keeps its pixel
    const ratio = before / this.#zoom;
    this.#shift = [ratio * (this.#shift[0] + wx) - wx, ratio * (this.#shift[1] + wy) - wy];
    this.#look();
    this.#redraw();
  }

  // Shift and a drag, or the middle button: the view moves along
  #pan(event: PointerEvent): void {
    const { scale } = this.#view;
    const [from, x, y] = [this.#shift, event.clientX, event.clientY];
    this.#track(event, {
      move: (at) => {
        this.#shift = [from[0] + (at.clientX - x) / scale, from[1] - (at.clientY - y) / scale];
        this.#redraw();
      },
      end: () => undefined,
    });
  }

  #pixel([x, y]: Point): Point {
    const f = this.#view;
    return [short(f.x + f.scale * x), short(f.y - f.scale * y)];
  }

  // of points that stay, as those of a trace, each is written once in a view
  #textOf(point: Point): string {
    let text = this.#texts.get(point);
    if (text === undefined) this.#texts.set(point, (text = place(...this.#pixel(point))));
    return text;
  }

  #world(event: { clientX: number; clientY: number }): Point {
    const box = this.svg.getBoundingClientRect();
    const f = this.#view;
    return [
      (event.clientX - box.left - f.x) / f.scale,
      (f.y - (event.clientY - box.top)) / f.scale,
    ];
  }

  // ---- drawing ----

  #draw(): void {
    const scene = this.#scene;
    if (!scene) return;
    const { width, height } = this.#size;
    this.#look();
    set(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-label': scene.title });
    this.#drawGrid();
    this.#drawReach(scene);
    this.#drawLimits(scene);
    this.#drawPath(scene);
    this.#drawTraces(scene);
    this.#drawGhosts(scene);
    this.#drawEllipses(scene);
    this.#drawChanges(scene);
    redraw(
      this.#layers.start,
      ...(scene.start ? [shape('g.start', {}, ...this.#bones(scene.start, 0.5))] : []),
    );
    redraw(this.#layers.arms, ...scene.arms.map((arm) => this.#arm(scene, arm)));
    this.#drawTarget(scene);
    redraw(this.#layers.marks, ...(this.overlay?.((p) => this.#pixel(p)) ?? []));
    if (this.#stale) this.#placeHandles(scene);
    this.#stale = false;
  }

  #drawGrid(): void {
    const f = this.#view;
    refill(this.#layers.grid, [f, this.#size, this.#head], () =>
      gridLines(f, this.#size, this.#head),
    );
  }

  // the annulus in which the tip can be
  #drawReach(scene: Scene): void {
    const { scale, x, y } = this.#view;
    const ring = (r: number): string =>
      `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    const [outer, inner] = [scale * reachOf(scene.links), scale * innerReachOf(scene.links)];
    const d = scene.show.reach ? ring(outer) + (inner > 0 ? ring(inner) : '') : '';
    refill(this.#layers.reach, d, () => [d && s('path.area', { d, 'fill-rule': 'evenodd' })]);
  }

  // a fan at each joint with limits, and where in it the joint is
  #drawLimits(scene: Scene): void {
    const parts: Shape[] = [];
    for (const { points, look } of scene.show.limits ? scene.arms : []) {
      let direction = 0;
      scene.links.forEach(({ lower, upper }, i) => {
        const [a, b] = [points[i]!, points[i + 1]!];
        const now = Math.atan2(b[1] - a[1], b[0] - a[0]);
        if ((upper ?? Math.PI) - (lower ?? -Math.PI) < 2 * Math.PI - 1e-9) {
          const [from, to] = [lower ?? -Math.PI, upper ?? Math.PI];
          parts.push(fan(this.#pixel(a), direction + from, direction + to, look));
        }
        direction = now;
      });
    }
    redraw(this.#layers.limits, ...parts);
  }

  // the straight path of the target
  #drawPath(scene: Scene): void {
    if (!scene.goal || !scene.start) return redraw(this.#layers.path);
    const [a, b] = [this.#pixel(scene.start.at(-1)!), this.#pixel(scene.target)];
    const goal = this.#pixel(scene.goal);
    redraw(
      this.#layers.path,
      shape('path.line', { d: `M${a}L${b}` }),
      shape('circle.goal', { cx: goal[0], cy: goal[1], r: 5 }),
    );
  }

  #drawTraces(scene: Scene): void {
    const traces = scene.show.trace ? scene.arms : [];
    redraw(
      this.#layers.traces,
      ...traces.flatMap(({ trace, look: { color, dash } }) => {
        if (trace.length < 2) return [];
        const places = trace.map((p) => this.#textOf(p));
        const dots = places.length <= 140 ? places : [];
        return [
          shape('path.trace', {
            d: `M${places.join('L')}`,
            style: `color:${color}`,
            'stroke-dasharray': dash,
          }),
          shape('path.dots', {
            d: dots.map((at) => `M${at}h0`).join(''),
            style: `color:${color}`,
          }),
        ];
      }),
    );
  }

  #drawGhosts(scene: Scene): void {
    const ghosts = scene.show.ghosts ? scene.arms : [];
    redraw(
      this.#layers.ghosts,
      ...ghosts.flatMap((arm) =>
        arm.ghosts.map(({ points, label }, i, all) => {
          const parts = this.#bones(points, 0.55);
          const [x, y] = this.#pixel(points.at(-1)!);
          // one that stays where the one before it was has no number over that one's
          const before = i > 0 ? this.#pixel(all[i - 1]!.points.at(-1)!) : [-1e3, 0];
          const left = Math.min(x + 7, this.#size.width - digit * label.length);
          if (Math.hypot(x - before[0]!, y - before[1]!) > 2 * digit)
            parts.push(shape('text', { x: left, y: y - 7 }, label));
          const strength = 0.16 + (0.26 * (i + 1)) / all.length;
          return shape(
            'g.ghost',
            { style: `color:${arm.look.color};--strength:${strength}` },
            ...parts,
          );
        }),
      ),
    );
  }

  #drawChanges(scene: Scene): void {
    const arms = scene.show.changes ? scene.arms : [];
    const parts = arms.map((arm) => drawColumns(arm.points, arm.changes, (p) => this.#pixel(p)));
    redraw(this.#layers.changes, ...parts.flat());
  }

  #drawEllipses(scene: Scene): void {
    const reach = reachOf(scene.links);
    const groups = (scene.show.ellipse ? scene.arms : []).map(({ ellipses, points, look }) =>
      shape(
        'g',
        { style: `color:${look.color}` },
        ...drawEllipses(ellipses, reach, points.at(-1)!, (p) => this.#pixel(p)),
      ),
    );
    redraw(this.#layers.ellipses, ...groups);
  }

  #arm(scene: Scene, arm: DrawnArm): Shape {
    const { color, mark } = arm.look;
    const parts = this.#bones(arm.points, 1);
    const tip = this.#pixel(arm.points.at(-1)!);
    parts.push(shape('path.tip', { d: markPath(mark, tip[0], tip[1], 6) }));
    if (scene.show.labels)
      arm.points.slice(0, -1).forEach((point, i) => {
        const [x, y] = this.#pixel(point);
        parts.push(shape('text.label', { x: x + 11, y: y + 20 }, jointName(i)));
      });
    return shape('g.arm', { style: `color:${color}` }, ...parts);
  }

  // tapered links with round ends, and the joints on top
  #bones(points: readonly Point[], width: number): Shape[] {
    const pixels = points.map((p) => this.#pixel(p));
    const n = pixels.length - 1;
    const half = (i: number): number => (width * armWidth * (1 - (0.62 * i) / Math.max(n, 3))) / 2;
    const links = pixels
      .slice(0, -1)
      .map((a, i) => shape('path.bone', { d: taper(a, pixels[i + 1]!, half(i), half(i + 1)) }));
    const joints = pixels
      .slice(0, -1)
      .map(([x, y], i) =>
        shape(i === 0 ? 'circle.joint.base' : 'circle.joint', { cx: x, cy: y, r: half(i) * 0.62 }),
      );
    return [...links, ...joints];
  }

  #makeTarget(): SVGElement {
    return s('circle.handle', {
      r: 20,
      tabindex: 0,
      role: 'slider',
      'aria-label': 'Target',
      onkeydown: (event: KeyboardEvent) => this.#nudge(event, 'target'),
    });
  }

  #drawTarget(scene: Scene): void {
    const [x, y] = this.#pixel(scene.target);
    const at = { cx: x, cy: y };
    const inside = clamp(x, 34, this.#size.width - 34);
    redraw(
      this.#layers.target,
      shape('circle.halo', { ...at, r: 15 }),
      shape('circle.ring', { ...at, r: 9 }),
      shape('path.cross', { d: `M${place(x - 15, y)}h10m10 0h10M${place(x, y - 15)}v10m0 10v10` }),
      shape('circle.point', { ...at, r: 2 }),
      ...(scene.hint ? [shape('text.hint', { x: inside, y: y + 33 }, scene.hint)] : []),
    );
  }

  // ---- moving things ----

  // handles serve the keyboard and a screen reader; a pointer may miss them by a little
  #placeHandles(scene: Scene): void {
    const [x, y] = this.#pixel(scene.target);
    const value = `x ${number(scene.target[0])}, y ${number(scene.target[1])}`;
    set(this.#targetHandle, {
      cx: x,
      cy: y,
      'aria-valuetext': value,
      'aria-valuenow': Math.round(scene.target[0]),
    });
    const arm = scene.arms[0];
    resize(this.#layers.handles, this.#jointHandles, arm ? scene.links.length : 0, (i) =>
      s('circle.handle', {
        r: 11,
        tabindex: 0,
        role: 'slider',
        onkeydown: (event: KeyboardEvent) => this.#nudge(event, i),
      }),
    );
    this.#jointHandles.forEach((handle, i) => {
      const [a, b] = [arm!.points[i]!, arm!.points[i + 1]!];
      const end = this.#pixel(b);
      const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
      set(handle, {
        cx: end[0],
        cy: end[1],
        'aria-label': i === scene.links.length - 1 ? 'Tip' : `End of link ${i + 1}`,
        'aria-valuenow': Math.round(angle),
        'aria-valuetext': `link ${i + 1} points to ${Math.round(angle)} degrees`,
      });
    });
  }

  #press(event: PointerEvent): void {
    const scene = this.#scene;
    if (!scene) return;
    if (event.button === 1 || (event.button === 0 && event.shiftKey)) return this.#pan(event);
    if (event.button !== 0) return;
    const joint = this.#under(scene, event);
    const onTarget = this.#distance(event, scene.target) <= grabOf(event) + 4;
    // a finger beside the handles scrolls the page, unless it only taps
    if (event.pointerType === 'touch' && !joint && !onTarget) return this.#awaitTap(event);
    event.preventDefault();
    this.#drag(event, joint);
  }

  #drag(event: PointerEvent, joint: { place: number; index: number } | null): void {
    (joint ? this.#jointHandles[joint.index] : this.#targetHandle)?.focus({ preventScroll: true });
    this.#events.begin(joint ? 'joint' : 'target');
    const move = (at: PointerEvent): void => {
      const to = this.#world(at);
      if (joint) this.#events.joint(joint.place, joint.index, to);
      else this.#events.target(this.#within(to));
    };
    // a press beside everything brings the target there
    if (!joint) move(event);
    this.#track(event, { move, end: () => this.#events.end() });
  }

  // a target stays within a few times the reach
  #within([x, y]: Point): Point {
    const most = farthest * reachOf(this.#scene!.links);
    const far = Math.hypot(x, y);
    return far <= most ? [x, y] : [(most * x) / far, (most * y) / far];
  }

  // follows a pointer until it is lifted
  #track(
    event: PointerEvent,
    { move, end }: { move: (e: PointerEvent) => void; end: () => void },
  ): void {
    const drag = new AbortController();
    const done = (): void => {
      drag.abort();
      end();
    };
    this.svg.setPointerCapture(event.pointerId);
    const options = { signal: drag.signal };
    this.svg.addEventListener('pointermove', (e) => move(e as PointerEvent), options);
    this.svg.addEventListener('pointerup', done, options);
    this.svg.addEventListener('pointercancel', done, options);
  }

  #awaitTap(event: PointerEvent): void {
    const wait = new AbortController();
    const options = { signal: wait.signal };
    this.svg.addEventListener('pointercancel', () => wait.abort(), options);
    this.svg.addEventListener(
      'pointerup',
      (e) => {
        wait.abort();
        const up = e as PointerEvent;
        if (Math.hypot(up.clientX - event.clientX, up.clientY - event.clientY) > tapSlop) return;
        this.#events.begin('target');
        this.#events.target(this.#within(this.#world(up)));
        this.#events.end();
      },
      options,
    );
  }

  #distance(event: PointerEvent, point: Point): number {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = this.#pixel(point);
    return Math.hypot(x - (event.clientX - box.left), y - (event.clientY - box.top));
  }

  // the joint under a pointer, unless the target is nearer
  #under(scene: Scene, event: PointerEvent): { place: number; index: number } | null {
    let least = grabOf(event);
    if (this.#distance(event, scene.target) <= least + 4) return null;
    let found: { place: number; index: number } | null = null;
    for (const arm of scene.arms)
      arm.points.slice(1).forEach((point, index) => {
        const distance = this.#distance(event, point);
        if (distance <= least) [least, found] = [distance, { place: arm.place, index }];
      });
    return found;
  }

  #nudge(event: KeyboardEvent, what: 'target' | number): void {
    const arrows: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const direction = arrows[event.key];
    const scene = this.#scene;
    if (!direction || !scene) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 5 : 1;
    this.#events.begin(what === 'target' ? 'target' : 'joint');
    if (what === 'target') {
      const step = (size * reachOf(scene.links)) / 100;
      this.#events.target(
        this.#within([
          scene.target[0] + step * direction[0],
          scene.target[1] + step * direction[1],
        ]),
      );
    } else {
      const { points, place } = scene.arms[0]!;
      const [a, b] = [points[what]!, points[what + 1]!];
      const angle =
        Math.atan2(b[1] - a[1], b[0] - a[0]) +
        ((direction[0] > 0 || direction[1] < 0 ? -1 : 1) * size * Math.PI) / 180;
      this.#events.joint(place, what, [a[0] + Math.cos(angle), a[1] + Math.sin(angle)]);
    }
    this.#events.end();
  }
}

const grabOf = ({ pointerType }: PointerEvent): number =>
  pointerType === 'touch' ? grab.touch : grab.mouse;
