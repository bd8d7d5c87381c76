// looks.ts - methods by name, colour, line and mark: the same everywhere, never by colour alone.

import { h, s } from '../ui/dom';

export interface Look {
  /** A custom property of the style sheet, light and dark. */
  color: string;
  /** Of lines, in pixels. */
  dash: string;
  mark: 'circle' | 'square' | 'triangle' | 'diamond' | 'star' | 'plus';
}

interface MethodLook extends Look {
  title: string;
}

const row = (title: string, hue: number, mark: Look['mark'], dash: string): MethodLook => ({
  title,
  color: `var(--method-${hue})`,
  dash,
  mark,
});

/** The built-in methods, in words and as they look. */
const methods: Record<string, MethodLook> = {
  damped: row('Damped least squares', 1, 'circle', ''),
  ccd: row('Cyclic coordinate descent', 2, 'square', '9 5'),
  fabrik: row('FABRIK', 3, 'triangle', '2 4'),
  transpose: row('Jacobian transpose', 4, 'diamond', '12 4 2 4'),
  lm: row('Levenberg–Marquardt', 5, 'star', ''),
  pseudoinverse: row('Pseudoinverse', 6, 'square', ''),
  inverse: row('Jacobian inverse', 7, 'triangle', ''),
  selective: row('Selectively damped', 8, 'diamond', '6 3'),
  alternative: row('Alternative Jacobian', 9, 'star', '9 5'),
  'ccd-ranked': row('CCD, ranked', 10, 'circle', '9 5'),
  analytic: row('Closed form', 11, 'diamond', ''),
  own: row('Your method', 12, 'plus', '16 4'),
};

const unknown = row('', 11, 'circle', '');

/** Lines of further panes of one method. */
const repeats = ['', '3 3', '14 4', '6 3 2 3'];

/** How a method looks; `repeat` numbers the panes of one method. */
export function lookOf(method: string, repeat = 0): Look {
  const look = methods[method] ?? unknown;
  return repeat === 0 ? look : { ...look, dash: repeats[repeat % repeats.length]! };
}

/** The looks of panes, in order. */
export function looksOf(names: readonly string[]): Look[] {
  return names.map((name, i) => lookOf(name, names.slice(0, i).filter((n) => n === name).length));
}

/** A method's name in words. */
export function titleOf(method: string): string {
  return methods[method]?.title || method;
}

/** The name in words, and the name in code where they differ. */
export function nameOf(method: string): HTMLElement {
  const title = titleOf(method);
  return h('span.name', {}, h('b', {}, title), title !== method && h('code', {}, method));
}

/** A mark of radius r about a point. */
export function markPath(mark: Look['mark'], x: number, y: number, r: number): string {
  switch (mark) {
    case 'circle':
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case 'square':
      return `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`;
    case 'triangle':
      return `M${x} ${y - 1.1 * r}l${1.05 * r} ${1.9 * r}h${-2.1 * r}z`;
    case 'diamond':
      return `M${x} ${y - 1.25 * r}l${1.1 * r} ${1.25 * r}l${-1.1 * r} ${1.25 * r}l${-1.1 * r} ${-1.25 * r}z`;
    case 'plus': {
      const a = 0.8 * r;
      return `M${x - a / 2} ${y - 1.5 * a}h${a}v${a}h${a}v${a}h${-a}v${a}h${-a}v${-a}h${-a}v${-a}h${a}z`;
    }
    case 'star':
      return `M${Array.from({ length: 10 }, (_, k) => {
        const [angle, radius] = [(k * Math.PI) / 5, k % 2 ? 0.55 * r : 1.25 * r];
        return `${x + radius * Math.sin(angle)} ${y - radius * Math.cos(angle)}`;
      }).join('L')}z`;
  }
}

/** The sample beside a method's name: its line with its mark. */
export function swatch({ color, dash, mark }: Look): SVGElement {
  return s(
    'svg.swatch',
    { viewBox: '0 0 34 14', width: 34, height: 14, 'aria-hidden': 'true', style: `color:${color}` },
    s('path', { d: 'M1 7H33', 'stroke-dasharray': dash, class: 'line' }),
    s('path', { d: markPath(mark, 17, 7, 4.5), class: 'mark' }),
  );
}
