// key_points.ts - key poses on their curves: a point is dragged in time and in value, or moved and deleted by keys.

import { h, resize, set } from '../ui/dom';

/** A key pose on one curve. */
export interface KeyPoint {
  key: number;
  curve: number;
  time: number;
  value: number;
  /** What an arrow key changes of the value; with Shift ten times that. */
  step: number;
  /** What a screen reader says. */
  words: string;
}

export interface KeyPointEvents {
  /** Until end() all moves are undone together. */
  begin(key: number): void;
  /** To another time or value, undefined: the same; returns the number that the key then has. */
  move(point: Pick<KeyPoint, 'key' | 'curve'>, time?: number, value?: number): number;
  end(): void;
  remove(key: number): void;
}

/** Where points are drawn. */
export interface Scales {
  pixel(time: number, value: number): [number, number];
  /** Seconds and units of a pixel, to the right and up. */
  perPixel(): [number, number];
}

/** Pixels along one axis before a drag changes what is on it. */
const slop = 4;
/** Seconds that an arrow key moves a key. */
const nudge = 0.1;

export class KeyPoints {
  readonly element = h('div.key-points');
  readonly #events: KeyPointEvents;
  readonly #scales: Scales;
  readonly #handles: HTMLElement[] = [];
  #points: readonly KeyPoint[] = [];

  constructor(events: KeyPointEvents, scales: Scales) {
    this.#events = events;
    this.#scales = scales;
  }

  /** `present`: the key whose points the Tab key goes to. */
  show(points: readonly KeyPoint[], present: number, color: (curve: number) => string): void {
    this.#points = points;
    resize(this.element, this.#handles, points.length, (i) => this.#make(i));
    points.forEach(({ key, curve, time, value, words }, i) => {
      const [x, y] = this.#scales.pixel(time, value);
      set(this.#handles[i]!, {
        style: `left:${x}px;top:${y}px;color:${color(curve)}`,
        tabindex: key === present ? 0 : -1,
        'aria-label': words,
        title: `${words}: drag it in time and value; Delete removes the key`,
      });
    });
  }

  #make(i: number): HTMLElement {
    return h('button.key-point', {
      type: 'button',
      onpointerdown: (event: PointerEvent) => this.#press(event, i),
      onkeydown: (event: KeyboardEvent) => this.#key(event, this.#points[i]!),
    });
  }

  #press(event: PointerEvent, i: number): void {
    if (event.button !== 0) return;
    // the plot beneath would go to this time
    event.stopPropagation();
    const handle = event.currentTarget as HTMLElement;
    const { curve, time, value } = this.#points[i]!;
    let { key } = this.#points[i]!;
    // the scale of the beginning: it fits what is dragged meanwhile
    const [seconds, units] = this.#scales.perPixel();
    let [inTime, inValue] = [false, false];
    const drag = new AbortController();
    const { signal } = drag;
    handle.setPointerCapture(event.pointerId);
    this.#events.begin(key);
    const move = ({ clientX, clientY }: PointerEvent): void => {
      const [right, up] = [clientX - event.clientX, event.clientY - clientY];
      inTime ||= Math.abs(right) > slop;
      inValue ||= Math.abs(up) > slop;
      if (!inTime && !inValue) return;
      key = this.#events.move(
        { key, curve },
        inTime ? time + seconds * right : undefined,
        inValue ? value + units * up : undefined,
      );
    };
    const end = (): void => {
      drag.abort();
      this.#events.end();
    };
    handle.addEventListener('pointermove', move, { signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      handle.addEventListener(name, end, { signal });
  }

  #key(event: KeyboardEvent, { key, curve, time, value, step }: KeyPoint): void {
    const by = event.shiftKey ? 10 * step : step;
    const to: Record<string, [number | undefined, number | undefined]> = {
      ArrowLeft: [time - nudge, undefined],
      ArrowRight: [time + nudge, undefined],
      ArrowUp: [undefined, value + by],
      ArrowDown: [undefined, value - by],
    };
    const moved = to[event.key];
    const removed = event.key === 'Delete' || event.key === 'Backspace';
    if (!moved && !removed) return;
    event.preventDefault();
    event.stopPropagation();
    if (removed) return this.#events.remove(key);
    this.#events.begin(key);
    this.#events.move({ key, curve }, ...moved!);
    this.#events.end();
  }
}
