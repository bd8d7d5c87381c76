// track.ts - the timeline: where the motion is, when feet rest, what was corrected.
//
// A contact is a bar in the lane of its point: its ends are dragged, or it is as a whole; a double
// click beside bars adds one. What is dragged is shown at once, and passed on at the end. A wheel, two
// fingers and keys enlarge it, down to single frames; the bar below it moves what is seen.

import { button, clamp } from '../ui/controls';
import { type Child, fill, h, refill, set } from '../ui/dom';
import { icon } from '../ui/icons';
import type { Chosen, Lane, Span } from './contacts';
import type { Correction } from './document';
import type { Player } from './player';
import { Zoom } from './zoom';

export interface TrackEvents {
  seek(time: number): void;
  /** Frames, negative: back. */
  step(by: number): void;
  /** A frame's number and how many there are. */
  frameOf(time: number): [number, number];
  /** The time of the nearest frame. */
  snap(time: number): number;
  choose(point: number, index: number): void;
  change(chosen: Chosen, span: Span): void;
  add(point: number, time: number): void;
  /** Another part of the motion is seen. */
  viewed(): void;
}

/** Of one point; further ones would be narrower than a pixel. */
const mostSpans = 600;
/** Pixels at the ends of a bar that drag the end alone, for a mouse and for a finger. */
const edge = { mouse: 7, touch: 16 };
/** Pixels that a pointer moves before it drags. */
const still = 3;
/** Pixels of a frame from which each has a line. */
const lined = 6;
/** One step of keys and buttons; a pixel of a wheel, and a line of one in pixels. */
const zoomStep = 1.6;
const perPixel = 0.0025;
const linePixels = 16;

export const timesOf = ({ begin, end }: Span): string =>
  `${begin.toFixed(2)} to ${end.toFixed(2)} s`;

export class Track {
  readonly element: HTMLElement;
  readonly #player: Player;
  readonly #events: TrackEvents;
  readonly #head = h('div.head');
  readonly #ruler: HTMLElement;
  readonly #lanes = h('div.lanes', { role: 'group', 'aria-label': 'Contacts' });
  /** The times of what is dragged. */
  readonly #tip = h('div.tip', { hidden: true });
  /** What is on the ruler, in a strip. */
  readonly #marks = h('div.strip');
  readonly #seen = h('div.seen');
  readonly #overview: HTMLElement;
  readonly #zoom: Zoom;
  /** Fingers on it, by their pointers. */
  readonly #fingers = new Map<number, number>();
  #shown: readonly Lane[] = [];
  #corrected: Child[] = [];
  /** The time that was shown last, and the seconds of its motion. */
  #placed = 0;
  #spanned = 0;
  /** Pixels; 0: it was not laid out yet. */
  #width = 0;

  constructor(player: Player, events: TrackEvents) {
    this.#player = player;
    this.#events = events;
    this.#ruler = h('div.ruler', {
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time',
      'aria-description': 'Arrows: a frame; Page Up and Down: ten; plus and minus: enlarge; 0: all',
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    this.#ruler.append(this.#marks);
    this.#zoom = new Zoom(player);
    this.#overview = h(
      'div.overview',
      {
        role: 'scrollbar',
        tabindex: 0,
        hidden: true,
        'aria-label': 'Part of the motion that is seen',
        'aria-orientation': 'horizontal',
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        title: 'Drag it; a double click: all of the motion',
        onpointerdown: (event: PointerEvent) => this.#slide(event),
        ondblclick: () => this.step(0),
        onkeydown: (event: KeyboardEvent) => this.#slideKey(event),
      },
      this.#seen,
    );
    this.element = h(
      'div.track.motion-track',
      {
        onpointerdown: (event: PointerEvent) => this.#press(event),
        ondblclick: (event: MouseEvent) => this.#double(event),
      },
      h(
        'div.zooms',
        { role: 'group', 'aria-label': 'Timeline' },
        this.#zoomButton(-1, 'minus', 'Zoom the timeline out (Z; all of the motion: 0)'),
        this.#zoomButton(1, 'plus', 'Zoom the timeline in around the present frame (z)'),
      ),
      this.#ruler,
      this.#lanes,
      h('div.strip-box', {}, h('div.strip', {}, this.#head, this.#tip)),
      this.#overview,
    );
    this.element.addEventListener('wheel', (event) => this.wheel(event, this.#at(event.clientX)), {
      passive: false,
    });
    new ResizeObserver(() => {
      this.#width = this.element.clientWidth;
      this.#view();
    }).observe(this.element);
    // a finger that left does so wherever it is
    for (const name of ['pointerup', 'pointercancel'] as const)
      this.element.addEventListener(name, ({ pointerId }) => this.#fingers.delete(pointerId));
  }

  #zoomButton(direction: -1 | 1, name: 'plus' | 'minus', title: string): HTMLElement {
    return button('', () => this.step(direction), {
      ...{ class: 'icon-button', title, 'aria-label': title, icon: icon(name) },
      onpointerdown: (event: PointerEvent) => event.stopPropagation(),
    });
  }

  #share(time: number): number {
    return 100 * this.#zoom.share(time);
  }

  // where a bar is, as style
  #extent({ begin, end }: Span): string {
    return `--at:${this.#share(begin)}%;--wide:${this.#share(end) - this.#share(begin)}%`;
  }

  // the share of the line that a place on the screen is at
  #at(x: number): number {
    const box = this.element.getBoundingClientRect();
    return clamp((x - box.left) / box.width, 0, 1);
  }

  #timeAt(x: number): number {
    return this.#zoom.timeAt(this.#at(x));
  }

  // ---- what is seen ----

  get #pixels(): number {
    return this.#width || 700;
  }

  #frames(): number {
    return this.#events.frameOf(this.#player.time)[1];
  }

  /** Enlarges around a share of the line; by default where the time is. */
  enlarge(factor: number, at?: number): void {
    const now = (this.#zoom.share(this.#player.time) - this.#zoom.from) * this.#zoom.scale;
    const most = Zoom.most(this.#frames(), this.#pixels);
    this.#zoom.by(factor, at ?? (now >= 0 && now <= 1 ? now : 0.5), most);
    this.#view();
  }

  /** One step in or out; 0: all of the motion. */
  step(direction: -1 | 0 | 1): void {
    if (direction !== 0) return this.enlarge(zoomStep ** direction);
    this.#zoom.reset();
    this.#view();
  }

  #pan(share: number): void {
    this.#zoom.pan(share);
    this.#view();
  }

  // strips are moved, seconds and frames are marked anew
  #view(): void {
    const { scale, from, whole } = this.#zoom;
    const { style } = this.element;
    style.setProperty('--scale', String(scale));
    style.setProperty('--from', String(from));
    const frames = Math.max(1, this.#frames() - 1);
    const lines = (this.#pixels * scale) / frames >= lined;
    style.setProperty('--frames', String(frames));
    this.#marks.classList.toggle('lined', lines);
    this.#overview.hidden = whole;
    this.#seen.style.left = `${100 * from}%`;
    this.#seen.style.width = `${100 / scale}%`;
    set(this.#overview, {
      'aria-valuenow': Math.round(whole ? 0 : (100 * from) / (1 - 1 / scale)),
      'aria-valuetext': `${timesOf({ begin: this.#zoom.timeAt(0), end: this.#zoom.timeAt(1) })}`,
    });
    this.#mark();
    this.#events.viewed();
  }

  /** The seconds that are seen, from and to. */
  get seen(): [number, number] {
    return [this.#zoom.timeAt(0), this.#zoom.timeAt(1)];
  }

  /** A wheel over the line, or over what goes along with it, at a share of the width. */
  wheel(event: WheelEvent, share: number): void {
    if (!(this.#player.length > 0)) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1;
    const [x, y] = [unit * event.deltaX, unit * event.deltaY];
    if (event.shiftKey || Math.abs(x) > Math.abs(y)) this.#pan((x || y) / this.#pixels);
    else this.enlarge(Math.exp(-perPixel * y), share);
  }

  // the part that is seen is dragged along the bar below, or goes where that is pressed
  #slide(event: PointerEvent): void {
    event.stopPropagation();
    const box = this.#overview.getBoundingClientRect();
    const { scale } = this.#zoom;
    const to = (x: number): number => (scale * (x - box.left)) / box.width;
    if (event.target !== this.#seen) this.#pan(to(event.clientX) - scale * this.#zoom.from - 0.5);
    let last = event.clientX;
    this.#follow(event, ({ clientX }) => {
      this.#pan(to(clientX) - to(last));
      last = clientX;
    });
  }

  #slideKey(event: KeyboardEvent): void {
    const shares: Record<string, number> = {
      ...{ ArrowLeft: -0.1, ArrowRight: 0.1, PageUp: -0.9, PageDown: 0.9 },
      ...{ Home: -Infinity, End: Infinity },
    };
    const share = shares[event.key];
    if (share === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#pan(share);
  }

  // ---- the pointer ----

  #press(event: PointerEvent): void {
    if (event.pointerType === 'touch') this.#fingers.set(event.pointerId, event.clientX);
    if (this.#fingers.size === 2) return this.#pinch(event);
    if (event.button === 1) return this.#drag(event);
    if (event.button !== 0) return;
    const bar = (event.target as Element).closest<HTMLElement>('.span');
    if (bar) return this.#grasp(event, bar);
    const seek = (e: PointerEvent): void => {
      if (this.#fingers.size < 2) this.#events.seek(this.#timeAt(e.clientX));
    };
    seek(event);
    this.#follow(event, seek);
  }

  // the middle button takes along what is seen
  #drag(event: PointerEvent): void {
    event.preventDefault();
    let last = event.clientX;
    this.#follow(event, ({ clientX }) => {
      this.#pan((last - clientX) / this.#pixels);
      last = clientX;
    });
  }

  // what is between two fingers stays between them
  #pinch(event: PointerEvent): void {
    const spread = (): [number, number] => {
      const [a, b] = [...this.#fingers.values()] as [number, number];
      return [Math.max(20, Math.abs(a - b)), (a + b) / 2];
    };
    let [wide, middle] = spread();
    this.#follow(event, ({ pointerId, clientX }) => {
      if (!this.#fingers.has(pointerId)) return;
      this.#fingers.set(pointerId, clientX);
      if (this.#fingers.size !== 2) return;
      const [nowWide, nowMiddle] = spread();
      this.#pan((middle - nowMiddle) / this.#pixels);
      this.enlarge(nowWide / wide, this.#at(nowMiddle));
      [wide, middle] = [nowWide, nowMiddle];
    });
  }

  #follow(event: PointerEvent, move: (e: PointerEvent) => void, end: () => void = () => {}): void {
    const drag = new AbortController();
    const { signal } = drag;
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener('pointermove', move, { signal });
    const done = (): void => {
      drag.abort();
      end();
    };
    for (const name of ['pointerup', 'pointercancel'] as const)
      this.element.addEventListener(name, done, { signal });
  }

  #grasp(event: PointerEvent, bar: HTMLElement): void {
    const chosen = { point: Number(bar.dataset['point']), index: Number(bar.dataset['index']) };
    const span = this.#shown[chosen.point]?.spans[chosen.index];
    if (!span) return;
    const box = bar.getBoundingClientRect();
    const near = Math.min(edge[event.pointerType === 'touch' ? 'touch' : 'mouse'], box.width / 3);
    const [left, right] = [event.clientX < box.left + near, event.clientX > box.right - near];
    let now = span;
    let moved = false;
    bar.focus();
    this.#events.choose(chosen.point, chosen.index);
    const move = (e: PointerEvent): void => {
      moved ||= Math.abs(e.clientX - event.clientX) > still;
      if (!moved) return;
      const by = this.#timeAt(e.clientX) - this.#timeAt(event.clientX);
      now = this.#moved(span, by, { left, right });
      this.#place(bar, now);
    };
    this.#follow(event, move, () => {
      bar.classList.remove('held');
      this.#tip.hidden = true;
      if (moved) this.#events.change(chosen, now);
    });
  }

  // one end, or the whole bar, to frames
  #moved(span: Span, by: number, { left, right }: { left: boolean; right: boolean }): Span {
    const { begin, end } = this.#player;
    const { snap } = this.#events;
    if (left) return { begin: snap(Math.min(span.begin + by, span.end)), end: span.end };
    if (right) return { begin: span.begin, end: snap(Math.max(span.end + by, span.begin)) };
    const from = snap(clamp(span.begin + by, begin, Math.max(begin, end - span.end + span.begin)));
    return { begin: from, end: from + span.end - span.begin };
  }

  #place(bar: HTMLElement, span: Span): void {
    bar.classList.add('held');
    this.#tip.hidden = false;
    this.#tip.textContent = timesOf(span);
    this.#tip.style.left = `${this.#share((span.begin + span.end) / 2)}%`;
    bar.setAttribute('style', this.#extent(span));
  }

  #double(event: MouseEvent): void {
    // the events of a pointer that was caught are the whole track's
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const lane = target?.closest<HTMLElement>('.lane');
    if (lane && !target?.closest('.span'))
      this.#events.add(Number(lane.dataset['point']), this.#timeAt(event.clientX));
  }

  #key(event: KeyboardEvent): void {
    const { begin, end } = this.#player;
    const actions: Record<string, () => void> = {
      Home: () => this.#events.seek(begin),
      End: () => this.#events.seek(end),
      PageUp: () => this.#events.step(10),
      PageDown: () => this.#events.step(-10),
      '+': () => this.step(1),
      '-': () => this.step(-1),
      '0': () => this.step(0),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // ---- showing ----

  /** Shows where the time is. */
  place(): void {
    const { time } = this.#player;
    // a time that stays may be out of sight
    if (time !== this.#placed && this.#zoom.reveal(time)) this.#view();
    this.#placed = time;
    const [frame, count] = this.#events.frameOf(time);
    this.#head.style.left = `${this.#share(time)}%`;
    set(this.#ruler, {
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(0, count - 1),
      'aria-valuenow': frame,
      'aria-valuetext': `frame ${frame}, ${time.toFixed(2)} seconds`,
    });
  }

  update(
    lanes: readonly Lane[],
    chosen: Chosen | null,
    corrections: readonly Correction[],
    hint: string,
  ): void {
    this.#shown = lanes;
    // the focus stays on the contact that has it, and what is dragged stays where it is
    const held = document.activeElement?.closest<HTMLElement>('.motion-track .span');
    const { begin, length } = this.#player;
    refill(this.#lanes, [lanes, begin, length], () =>
      lanes.map((lane, point) => this.#lane(lane, point)),
    );
    // another motion is seen as a whole
    if (this.#spanned !== length) this.#zoom.reset();
    this.#spanned = length;
    for (const bar of this.#lanes.querySelectorAll('[aria-pressed="true"]'))
      bar.setAttribute('aria-pressed', 'false');
    const bar = chosen && this.#bar(chosen);
    bar?.setAttribute('aria-pressed', 'true');
    if (held && held !== bar) bar?.focus({ preventScroll: true });
    const marks = corrections.map(({ link, joint, time }) =>
      h('span.mark', {
        style: `left:${this.#share(time)}%`,
        title: `${joint || link} corrected at ${time.toFixed(2)} s`,
      }),
    );
    this.#corrected = [...marks, hint !== '' && h('span.hint', {}, hint)];
    this.#view();
    this.place();
  }

  #mark(): void {
    fill(this.#marks, ...this.#seconds(), ...this.#corrected);
  }

  #bar({ point, index }: Chosen): HTMLElement | null {
    return this.#lanes.querySelector(`.span[data-point="${point}"][data-index="${index}"]`);
  }

  #lane({ name, side, spans }: Lane, point: number): HTMLElement {
    const bars = spans.slice(0, mostSpans).map((span, index) => {
      const words = `${name} rests, ${timesOf(span)}`;
      return h('button.span', {
        type: 'button',
        'data-point': point,
        'data-index': index,
        'data-foot': side,
        'aria-label': words,
        'aria-pressed': 'false',
        title: `${words}: drag it or its ends`,
        onclick: () => this.#events.choose(point, index),
        style: this.#extent(span),
      });
    });
    const title = `${name}: a double click beside its bars adds a contact`;
    return h(
      `div.lane.${side}`,
      { 'data-point': point, title },
      h('span.lane-name', {}, name.replace('left ', 'L ').replace('right ', 'R ')),
      h('div.strip-box', {}, h('div.strip', {}, ...bars)),
    );
  }

  // a line for each second that is seen, or for as many as there is room for
  #seconds(): HTMLElement[] {
    if (!(this.#player.length > 0)) return [];
    const [begin, end] = [this.#zoom.timeAt(0), this.#zoom.timeAt(1)];
    const most = Math.max(2, this.#pixels / 80);
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];
    const step = steps.find((s) => (end - begin) / s <= most) ?? 600;
    const first = Math.ceil(begin / step);
    const count = Math.floor(end / step) - first + 1;
    return Array.from({ length: count }, (_, i) => {
      const time = (first + i) * step;
      return h(
        'span.second',
        { style: `left:${this.#share(time)}%` },
        `${Number(time.toFixed(2))} s`,
      );
    });
  }
}
