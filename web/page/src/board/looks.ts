// looks.ts - how the methods on show are told apart: colour, line and mark, never colour alone.

import { s } from '../ui/dom';

export interface Look {
  /** A custom property of the style sheet, light and dark. */
  color: string;
  /** Of lines, in pixels. */
  dash: string;
  mark: 'circle' | 'square' | 'triangle' | 'diamond';
}

export const looks: readonly Look[] = [
  { color: 'var(--method-1)', dash: '', mark: 'circle' },
  { color: 'var(--method-2)', dash: '9 5', mark: 'square' },
  { color: 'var(--method-3)', dash: '2 4', mark: 'triangle' },
  { color: 'var(--method-4)', dash: '12 4 2 4', mark: 'diamond' },
];

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
  }
}

/** The sample beside a method's name: its line with its mark. */
export function swatch(place: number): SVGElement {
  const { color, dash, mark } = looks[place]!;
  return s(
    'svg.swatch',
    { viewBox: '0 0 34 14', width: 34, height: 14, 'aria-hidden': 'true', style: `color:${color}` },
    s('path', { d: 'M1 7H33', 'stroke-dasharray': dash, class: 'line' }),
    s('path', { d: markPath(mark, 17, 7, 4.5), class: 'mark' }),
  );
}
