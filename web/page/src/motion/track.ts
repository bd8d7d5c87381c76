// track.ts - the line of time: where the motion is, when feet rest, what was corrected.
//
// A contact is a bar in the lane of its point: its ends are dragged, or it is as a whole; a double
// click beside bars adds one. What is dragged is shown at once, and passed on at the end.

import { clamp } from '../ui/controls';
import { fill, h, refill, set } from '../ui/dom';
import type { Chosen, Lane, Span } from './contacts';
import type { Correction } from './document';
import type { Player } from './player';

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
}

/** Of one point; further ones would be narrower than a pixel. */
const mostSpans = 600;
/** Pixels at the ends of a bar that drag the end alone, for a mouse and for a finger. */
const edge = { mouse: 7, touch: 16 };
/** Pixels that a pointer moves before it drags. */
const still = 3;

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
  #shown: readonly Lane[] = [];

  constructor(player: Player, events: TrackEvents) {
    this.#player = player;
    this.#events = events;
    this.#ruler = h('div.ruler', {
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time',
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    this.element = h(
      'div.track.motion-track',
      {
        onpointerdown: (event: PointerEvent) => this.#press(event),
        ondblclick: (event: MouseEvent) => this.#double(event),
      },
      this.#ruler,
      this.#lanes,
      this.#head,
      this.#tip,
    );
  }

  #share(time: number): number {
    const { begin, length } = this.#player;
    return length > 0 ? (100 * clamp(time - begin, 0, length)) / length : 0;
  }

  #timeAt(x: number): number {
    const box = this.element.getBoundingClientRect();
    const { begin, length } = this.#player;
    return begin + length * clamp((x - box.left) / box.width, 0, 1);
  }

  // ---- the pointer ----

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const bar = (event.target as Element).closest<HTMLElement>('.span');
    if (bar) return this.#grasp(event, bar);
    const seek = (e: PointerEvent): void => this.#events.seek(this.#timeAt(e.clientX));
    seek(event);
    this.#follow(event, seek, () => {});
  }

  #follow(event: PointerEvent, move: (e: PointerEvent) => void, end: () => void): void {
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
    bar.style.left = `${this.#share(span.begin)}%`;
    bar.style.width = `${this.#share(span.end) - this.#share(span.begin)}%`;
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
    for (const bar of this.#lanes.querySelectorAll('[aria-pressed="true"]'))
      bar.setAttribute('aria-pressed', 'false');
    const bar = chosen && this.#bar(chosen);
    bar?.setAttribute('aria-pressed', 'true');
    if (held && held !== bar) bar?.focus({ preventScroll: true });
    const marks = corrections.map(({ link, time }) =>
      h('span.mark', {
        style: `left:${this.#share(time)}%`,
        title: `${link} corrected at ${time.toFixed(2)} s`,
      }),
    );
    fill(this.#ruler, ...this.#seconds(), ...marks, hint !== '' && h('span.hint', {}, hint));
    this.place();
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
        style:
          `left:${this.#share(span.begin)}%;` +
          `width:${this.#share(span.end) - this.#share(span.begin)}%`,
      });
    });
    const title = `${name}: a double click beside its bars adds a contact`;
    return h(
      `div.lane.${side}`,
      { 'data-point': point, title },
      h('span.lane-name', {}, name.replace('left ', 'L ').replace('right ', 'R ')),
      ...bars,
    );
  }

  // a line for each second, or for as many as there is room for
  #seconds(): HTMLElement[] {
    const { begin, end, length } = this.#player;
    if (!(length > 0)) return [];
    const most = Math.max(2, (this.element.clientWidth || 700) / 80);
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];
    const step = steps.find((s) => length / s <= most) ?? 600;
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
