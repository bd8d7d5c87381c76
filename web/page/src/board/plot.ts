// plot.ts - the distance to the target against the iteration, on a logarithmic scale.

import { h, onNextFrame, redraw, s, set, type Shape, shape } from '../ui/dom';
import { trim } from '../ui/controls';
import { type Look, markPath } from './looks';
import { place, short } from './shapes';

export interface Curve {
  name: string;
  /** null: of a method that is not on show, drawn faintly. */
  look: Look | null;
  /** Errors, the first before any iteration. */
  values: number[];
}

export interface PlotScene {
  curves: Curve[];
  /** What one step along is called. */
  unit: string;
  /** The number of the first value. */
  first: number;
  cursor: number;
  tolerance: number;
  /** The steps at which the target moved. */
  moves: readonly number[];
  /** More steps come: the axis has room for some. */
  grows: boolean;
}

/** A curve of a method on show. */
type Shown = Curve & { look: Look };
const isShown = (curve: Curve): curve is Shown => curve.look !== null;

/** How many steps, and powers of ten; `zero`: some value is 0, which has a line of its own below. */
interface Ranges {
  steps: number;
  low: number;
  high: number;
  zero: boolean;
}

/** From steps and errors to pixels. */
interface Scale {
  x: (step: number) => number;
  y: (value: number) => number;
}

// above is what is measured, where no curve comes
const margin = { left: 44, top: 22, bottom: 22 };

export class Plot {
  readonly element: HTMLElement;
  readonly svg: SVGElement;
  #scene: PlotScene | null = null;
  #size = { width: 600, height: 150 };
  // room for the longest name
  #right = 84;
  // the step under the pointer
  #hover: number | null = null;
  readonly #seek: (step: number) => void;
  #redraw = onNextFrame(() => this.#draw());

  /** `seek` is called with the step that is pointed at. */
  constructor(seek: (step: number) => void) {
    this.#seek = seek;
    this.svg = s('svg.plot', { role: 'img' });
    this.element = h('div.plot-box');
    this.element.append(this.svg);
    new ResizeObserver(() => {
      const { width, height } = this.element.getBoundingClientRect();
      if (width > 0) this.#size = { width, height };
      this.#redraw();
    }).observe(this.element);
    this.svg.addEventListener('pointerdown', (event) => this.#press(event as PointerEvent));
    this.svg.addEventListener('pointermove', (event) => this.#point(event as PointerEvent));
    this.svg.addEventListener('pointerleave', () => this.#point(null));
  }

  update(scene: PlotScene): void {
    this.#scene = scene;
    this.#redraw();
  }

  #ranges(): Ranges {
    const { curves, tolerance, grows } = this.#scene!;
    const longest = (some: readonly Curve[]): number =>
      Math.max(4, ...some.map(({ values }) => values.length - 1));
    // faint curves do not compress the others
    const shown = longest(curves.filter(isShown));
    const longer = Math.max(shown, Math.min(longest(curves), 2 * shown));
    const steps = grows ? roomFor(longer) : longer;
    let [most, least, zero] = [2 * tolerance, tolerance, false];
    for (const { values, look } of curves)
      for (let k = Math.min(steps, values.length - 1); k >= 0; k--) {
        const value = values[k]!;
        most = Math.max(most, value);
        if (look && value > 0) least = Math.min(least, value);
        if (look && value === 0) zero = true;
      }
    const high = Math.ceil(Math.log10(most));
    const low = Math.max(Math.floor(Math.log10(least)), high - 12);
    return { steps, high, low, zero };
  }

  #scale({ steps, low, high, zero }: Ranges): Scale {
    const { width, height } = this.#size;
    const [w, t] = [width - margin.left - this.#right, height - margin.top - margin.bottom];
    return {
      x: (step) => margin.left + (w * step) / steps,
      y: (value) => {
        const bottom = zero ? low - 1 : low;
        const log = value > 0 ? Math.max(Math.log10(value), low) : bottom;
        return margin.top + Math.max(0, (t * (high - log)) / (high - bottom || 1));
      },
    };
  }

  #draw(): void {
    const scene = this.#scene;
    if (!scene) return;
    const { width, height } = this.#size;
    const names = scene.curves.filter(isShown).map(({ name }) => name.length);
    this.#right = 38 + 7.2 * Math.max(6, ...names);
    const ranges = this.#ranges();
    const { steps, low } = ranges;
    const at = this.#scale(ranges);
    set(this.svg, {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      'aria-label': `Distance to the target by ${scene.unit}: ` + describe(scene),
    });
    const others = scene.curves.filter((curve) => !isShown(curve));
    const shown = scene.curves.filter(isShown);
    redraw(
      this.svg,
      this.#axes(scene, ranges, at),
      ...others.map(({ values }) =>
        shape('path.other', { d: path(values.slice(0, steps + 1), at, 10 ** low) }),
      ),
      ...shown.map((curve, i) => this.#curve(curve, i, at)),
      ...this.#labels(shown, at),
      this.#cursor(scene, at),
      ...this.#crosshair(scene, shown, at),
    );
  }

  #axes(scene: PlotScene, { steps, low, high, zero }: Ranges, at: Scale): Shape {
    const { width, height } = this.#size;
    const parts: Shape[] = [];
    const right = width - this.#right;
    const line = (y: number, words: string): void => {
      parts.push(shape('path.line', { d: `M${margin.left} ${y}H${right}` }));
      parts.push(shape('text.y', { x: margin.left - 6, y: y + 3.5 }, words));
    };
    const every = Math.ceil((high - low) / 5);
    for (let k = high; k >= low; k -= every) line(at.y(10 ** k), power(k));
    if (zero) line(at.y(0), '0');
    const step = Math.max(1, niceWhole((steps * 60) / (right - margin.left)));
    for (let k = 0; k <= steps; k += step)
      parts.push(shape('text.x', { x: at.x(k), y: height - 6 }, String(k + scene.first)));
    parts.push(shape('text.x.title', { x: right + 22, y: height - 6 }, scene.unit));
    parts.push(shape('text.y', { x: right, y: 10 }, 'distance to the target'));
    // where the target moved
    const moves = scene.moves
      .map((move) => at.x(move - scene.first))
      .filter((x) => x >= margin.left && x <= right);
    const ticks = moves.map((x) => `M${short(x)} ${margin.top}v5`).join('');
    parts.push(shape('path.move', { d: ticks }));
    const y = at.y(scene.tolerance);
    parts.push(shape('path.tolerance', { d: `M${margin.left} ${y}H${right}` }));
    return shape('g.axes', {}, ...parts);
  }

  #curve({ values, look: { color, dash, mark } }: Shown, i: number, at: Scale): Shape {
    // marks here and there, not on top of those of the others
    const every = Math.max(6, Math.ceil(values.length / 8));
    const marks = values
      .map((value, k) =>
        (k + 2 * i) % every === 0 ? markPath(mark, at.x(k), at.y(value), 3.2) : '',
      )
      .join('');
    return shape(
      'g.curve',
      { style: `color:${color}` },
      shape('path.line', { d: path(values, at), 'stroke-dasharray': dash }),
      shape('path.mark', { d: marks }),
    );
  }

  // names at the ends of the lines, moved apart where they would touch
  #labels(shown: readonly Shown[], at: Scale): Shape[] {
    const { width, height } = this.#size;
    const rows = shown
      .map(({ name, look, values }) => ({ name, look, y: at.y(values.at(-1) ?? 1) }))
      .sort((a, b) => a.y - b.y);
    for (let pass = 0; pass < 8; pass++)
      for (let i = 1; i < rows.length; i++) {
        const overlap = 13 - (rows[i]!.y - rows[i - 1]!.y);
        if (overlap <= 0) continue;
        rows[i]!.y = Math.min(rows[i]!.y + overlap / 2, height - margin.bottom - 2);
        rows[i - 1]!.y = Math.max(rows[i - 1]!.y - overlap / 2, margin.top);
      }
    const x = width - this.#right + 13;
    return rows.map(({ name, look: { color, dash, mark }, y }) => {
      return shape(
        'g.curve',
        { style: `color:${color}` },
        shape('path.sample', { d: `M${x - 9} ${y}H${x + 9}`, 'stroke-dasharray': dash }),
        shape('path.mark', { d: markPath(mark, x, y, 3.6) }),
        shape('text.name', { x: x + 13, y: y + 4 }, name),
      );
    });
  }

  #cursor({ cursor, first }: PlotScene, at: Scale): Shape {
    const x = at.x(cursor - first);
    return shape('path.cursor', {
      d: `M${x} ${margin.top - 4}V${this.#size.height - margin.bottom}`,
    });
  }

  // the step under the pointer, with the value of each method there
  #crosshair({ first, unit }: PlotScene, shown: readonly Shown[], at: Scale): Shape[] {
    const step = this.#hover;
    if (step === null) return [];
    const { height } = this.#size;
    const x = at.x(step);
    const rows = shown
      .filter(({ values }) => values.length > 0)
      .map(({ name, look, values }) => {
        const value = values[Math.min(step, values.length - 1)]!;
        return { name, look, value, y: at.y(value) };
      });
    const left = x > this.#size.width / 2;
    const text = left ? { x: x - 8, 'text-anchor': 'end' } : { x: x + 8, 'text-anchor': 'start' };
    return [
      shape(
        'g.crosshair',
        {},
        shape('path', { d: `M${x} ${margin.top}V${height - margin.bottom}` }),
        ...rows.map(({ look, y }) =>
          shape('circle', { cx: x, cy: y, r: 3.5, style: `color:${look.color}` }),
        ),
        shape('text', { ...text, y: margin.top + 12 }, `${unit} ${step + first}`),
        ...rows.map(({ name, look, value }, i) =>
          shape(
            'text.value',
            { ...text, y: margin.top + 26 + 13 * i, style: `color:${look.color}` },
            `${name} ${trim(value, 3)}`,
          ),
        ),
      ),
    ];
  }

  #point(event: PointerEvent | null): void {
    const step = event && this.#stepAt(event);
    if (step === this.#hover) return;
    this.#hover = step;
    this.#redraw();
  }

  // the step at a place of the window, null: beside the curves
  #stepAt({ clientX }: { clientX: number }): number | null {
    if (!this.#scene) return null;
    const { steps } = this.#ranges();
    const box = this.svg.getBoundingClientRect();
    const share =
      (clientX - box.left - margin.left) / (this.#size.width - margin.left - this.#right);
    return share < -0.02 || share > 1.02
      ? null
      : Math.round(Math.min(1, Math.max(0, share)) * steps);
  }

  #press(event: PointerEvent): void {
    event.preventDefault();
    const seek = (e: { clientX: number }): void => {
      const { steps } = this.#ranges();
      const box = this.svg.getBoundingClientRect();
      const share =
        (e.clientX - box.left - margin.left) / (this.#size.width - margin.left - this.#right);
      this.#seek(Math.round(Math.min(1, Math.max(0, share)) * steps) + this.#scene!.first);
    };
    seek(event);
    const drag = new AbortController();
    this.svg.setPointerCapture(event.pointerId);
    this.svg.addEventListener('pointermove', (e) => seek(e as PointerEvent), {
      signal: drag.signal,
    });
    for (const end of ['pointerup', 'pointercancel'])
      this.svg.addEventListener(end, () => drag.abort(), { signal: drag.signal });
  }
}

// what is below `least` is left out
function path(values: readonly number[], at: Scale, least = 0): string {
  return values
    .map((value, k) =>
      value < least ? '' : `${values[k - 1]! >= least ? 'L' : 'M'}${place(at.x(k), at.y(value))}`,
    )
    .join('');
}

// half as many again at a time, so that the axis rests in between
const growth = 1.5;
const roomFor = (steps: number): number =>
  Math.ceil(growth ** Math.ceil(Math.log(steps) / Math.log(growth) - 1e-9));

function power(k: number): string {
  if (k >= 0 && k <= 2) return String(10 ** k);
  return `10${String(k)
    .replace('-', '⁻')
    .replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]!)}`;
}

function niceWhole(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].find((k) => k * ten >= least)! * ten;
}

function describe({ curves }: PlotScene): string {
  return curves
    .filter(isShown)
    .map(
      ({ name, values }) => `${name} ${values.at(-1)?.toPrecision(2)} after ${values.length - 1}`,
    )
    .join('; ');
}
