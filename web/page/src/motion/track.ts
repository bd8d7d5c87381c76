// track.ts - the line of time: where the motion is, when feet rest, what was corrected.

import type { ContactPoint } from 'limber';
import { clamp } from '../ui/controls';
import { fill, h, set } from '../ui/dom';
import type { Correction } from './document';
import type { Player } from './player';

/** When the feet of a figure rest: a lane for each foot, of heel and toe. */
export interface Lane {
  name: string;
  side: 'left' | 'right';
  points: readonly ContactPoint[];
}

export interface TrackEvents {
  seek(time: number): void;
  /** Frames, negative: back. */
  step(by: number): void;
  /** A frame's number and how many there are. */
  frameOf(time: number): [number, number];
}

/** Of one point; further ones would be narrower than a pixel. */
const mostSpans = 600;

export class Track {
  readonly element: HTMLElement;
  readonly #player: Player;
  readonly #events: TrackEvents;
  readonly #head = h('div.head');
  readonly #marks = h('div.marks');
  readonly #lanes = h('div.lanes');

  constructor(player: Player, events: TrackEvents) {
    this.#player = player;
    this.#events = events;
    this.element = h(
      'div.track.motion-track',
      {
        role: 'slider',
        tabindex: 0,
        'aria-label': 'Time',
        onpointerdown: (event: PointerEvent) => this.#press(event),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#marks,
      this.#lanes,
      this.#head,
    );
  }

  #share(time: number): number {
    const { begin, length } = this.#player;
    return length > 0 ? (100 * clamp(time - begin, 0, length)) / length : 0;
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const box = this.element.getBoundingClientRect();
    const { begin, length } = this.#player;
    const seek = (e: PointerEvent): void =>
      this.#events.seek(begin + length * clamp((e.clientX - box.left) / box.width, 0, 1));
    this.element.setPointerCapture(event.pointerId);
    seek(event);
    const drag = new AbortController();
    this.element.addEventListener('pointermove', seek, { signal: drag.signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      this.element.addEventListener(name, () => drag.abort(), { signal: drag.signal });
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

  /** Shows where the time is. */
  place(): void {
    const { time } = this.#player;
    const [frame, count] = this.#events.frameOf(time);
    this.#head.style.left = `${this.#share(time)}%`;
    set(this.element, {
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(0, count - 1),
      'aria-valuenow': frame,
      'aria-valuetext': `frame ${frame}, ${time.toFixed(2)} seconds`,
    });
  }

  update(lanes: readonly Lane[], corrections: readonly Correction[], hint: string): void {
    const spans = lanes.flatMap((lane) =>
      lane.points.flatMap(({ spans: all }, half) =>
        all.slice(0, mostSpans).map(({ begin, end }) =>
          h(`span.span.${lane.side}`, {
            'data-foot': lane.side,
            title: `${lane.name} ${half === 0 ? 'heel' : 'toe'} rests, ${begin.toFixed(2)} to ${end.toFixed(2)} s`,
            style:
              `left:${this.#share(begin)}%;width:${this.#share(end) - this.#share(begin)}%;` +
              `top:${(lane.side === 'left' ? 20 : 34) + 5 * half}px`,
          }),
        ),
      ),
    );
    const marks = corrections.map(({ link, time }) =>
      h('span.mark', {
        style: `left:${this.#share(time)}%`,
        title: `${link} corrected at ${time.toFixed(2)} s`,
      }),
    );
    fill(
      this.#lanes,
      ...lanes.map(({ side, name }) =>
        h(`span.lane.${side}`, { title: name }, side === 'left' ? 'L' : 'R'),
      ),
    );
    fill(
      this.#marks,
      ...this.#seconds(),
      ...spans,
      ...marks,
      hint !== '' && h('span.hint', {}, hint),
    );
    this.place();
  }

  // a line for each second, or for as many as there is room for
  #seconds(): HTMLElement[] {
    const { begin, end, length } = this.#player;
    if (!(length > 0)) return [];
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300].find((s) => length / s <= 8) ?? 600;
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
