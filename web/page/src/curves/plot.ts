// plot.ts - curves over time, drawn by uPlot: limits dashed, the present time a line.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { trim } from '../ui/controls';
import { h } from '../ui/dom';
import { type KeyPoint, type KeyPointEvents, KeyPoints } from './key_points';

export interface Curve {
  name: string;
  values: number[];
  /** Dashed and grey, not among what is listed by name. */
  limit?: boolean;
}

export interface CurveScene {
  /** Seconds, rising; from the first to the last is what is seen. */
  times: number[];
  curves: Curve[];
  unit: string;
  /** Seconds; later there is no motion, and nothing is drawn but the limits. */
  until?: number;
  /** Key poses on the curves. */
  points: KeyPoint[];
}

export interface CurveEvents {
  seek(time: number): void;
  /** A wheel turned by so many pixels, at a share of the width. */
  wheel(event: WheelEvent, share: number): void;
  /** Pixels left and right of what is drawn. */
  margins(): [number, number];
  readonly points: KeyPointEvents;
}

const height = 170;

const colorOf = (curve: number): string => `--method-${(curve % 11) + 1}`;

export class Curves {
  readonly element = h('div.curves-plot');
  readonly #events: CurveEvents;
  readonly #head = h('div.head');
  readonly #points: KeyPoints;
  #plot: uPlot | null = null;
  #made = '';
  /** What is drawn. */
  scene: CurveScene | null = null;
  #time = 0;
  #pointed = false;

  constructor(events: CurveEvents) {
    this.#events = events;
    this.#points = new KeyPoints(events.points, {
      pixel: (time, value) => [this.#plot!.valToPos(time, 'x'), this.#plot!.valToPos(value, 'y')],
      perPixel: () => [
        this.#plot!.posToVal(1, 'x') - this.#plot!.posToVal(0, 'x'),
        this.#plot!.posToVal(0, 'y') - this.#plot!.posToVal(1, 'y'),
      ],
    });
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  #color(name: string): string {
    return getComputedStyle(this.element).getPropertyValue(name).trim();
  }

  #options({ curves, unit }: CurveScene): uPlot.Options {
    const ink = (): string => this.#color('--ink-2');
    const line = (): string => this.#color('--line-2');
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const names = curves.filter(({ limit }) => !limit);
    const color = (curve: Curve): string =>
      this.#color(curve.limit ? '--ink-3' : colorOf(names.indexOf(curve)));
    return {
      ...{ width: this.element.clientWidth || 600, height },
      padding: [8, () => this.#events.margins()[1], 0, 0],
      scales: { x: { time: false, range: (_, low, high) => [low, high] } },
      axes: [
        { ...axis, size: 24, values: (_, ticks) => ticks.map((t) => `${t} s`) },
        { ...axis, size: () => this.#events.margins()[0] },
      ],
      series: [
        { label: 'time', value: (_, t) => (t === null ? '' : `${t.toFixed(2)} s`) },
        ...curves.map((curve) => ({
          label: curve.name,
          stroke: () => color(curve),
          width: curve.limit ? 1 : 1.6,
          ...(curve.limit ? { dash: [5, 4] } : {}),
          value: (_: uPlot, y: number | null) => (y === null ? '' : `${trim(y)} ${unit}`),
        })),
      ],
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
      legend: { live: true },
      hooks: { draw: [() => this.#showPoints()] },
    };
  }

  /** Shows what is there now. */
  draw(scene: CurveScene): void {
    this.scene = scene;
    const { times, until = Infinity } = scene;
    const rows = scene.curves.map(({ values, limit }) =>
      values.map((value, i) => (limit || times[i]! <= until ? value : null)),
    );
    const data: uPlot.AlignedData = [times, ...rows];
    const made = JSON.stringify([scene.unit, scene.curves.map(({ name, limit }) => [name, limit])]);
    if (this.#plot && made === this.#made) this.#plot.setData(data);
    else {
      this.#plot?.destroy();
      this.#plot = new uPlot(this.#options(scene), data, this.element);
      this.#made = made;
      this.#listen(this.#plot.over);
    }
    this.place(this.#time);
    // a picture, which is drawn next, empties the legend
    queueMicrotask(() => this.#name());
  }

  #listen(over: HTMLElement): void {
    over.append(this.#head, this.#points.element);
    const share = ({ clientX }: MouseEvent): number => {
      const { left, width } = over.getBoundingClientRect();
      return (clientX - left) / width;
    };
    const seek = (event: PointerEvent): void => {
      const { times } = this.scene!;
      const [begin, end] = [times[0]!, times.at(-1)!];
      this.#events.seek(begin + (end - begin) * Math.min(1, Math.max(0, share(event))));
    };
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) seek(event);
    });
    over.addEventListener('pointerenter', () => (this.#pointed = true));
    over.addEventListener('mouseleave', () => {
      this.#pointed = false;
      queueMicrotask(() => this.#name());
    });
    over.addEventListener('wheel', (event) => this.#events.wheel(event, share(event)), {
      passive: false,
    });
  }

  #showPoints(): void {
    const { points } = this.scene!;
    if (!this.#plot) return;
    const far = ({ time }: KeyPoint): number => Math.abs(time - this.#time);
    const { key = -1 } = points.reduce<Partial<KeyPoint>>(
      (best, each) => (best.time === undefined || far(each) < far(best as KeyPoint) ? each : best),
      {},
    );
    this.#points.show(points, key, (curve) => `var(${colorOf(curve)})`);
  }

  /** The line of the present time. */
  place(time: number): void {
    this.#time = time;
    const { times = [] } = this.scene ?? {};
    const share = (time - (times[0] ?? 0)) / ((times.at(-1) ?? 0) - (times[0] ?? 0));
    this.#head.hidden = !(share >= 0 && share <= 1);
    this.#head.style.left = `${100 * share}%`;
    this.#name();
  }

  // without a pointer the values are those of the present time
  #name(): void {
    if (!this.#plot || this.#pointed || this.#head.hidden) return;
    this.#plot.setLegend({ idx: this.#plot.valToIdx(this.#time) });
  }

  #fit(): void {
    const width = this.element.clientWidth;
    if (this.#plot && width > 0 && width !== this.#plot.width)
      this.#plot.setSize({ width, height });
  }

  /** Colours are others. */
  recolor(): void {
    this.#plot?.redraw(false);
  }
}
