// grid.ts - the lines of a picture's plane, with their numbers along its left and lower edges.

import { s } from '../ui/dom';
import { niceStep, number } from './shapes';

/** From the plane to pixels: a scale, and the pixel of the origin. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** Pixels of a digit on the grid, at most. */
export const digit = 8;

/** `head`: pixels of the words above the picture, where no number comes. */
export function gridLines(
  f: View,
  { width, height }: { width: number; height: number },
  head: number,
): SVGElement[] {
  const step = niceStep(70 / f.scale);
  const lines: SVGElement[] = [];
  const line = (k: number, vertical: boolean): void => {
    const at = vertical ? f.x + k * step * f.scale : f.y - k * step * f.scale;
    const d = vertical ? `M${at} 0V${height}` : `M0 ${at}H${width}`;
    lines.push(s(k === 0 ? 'path.axis' : 'path.line', { d }));
    const words = number(k * step);
    // those on the left end above those along the lower edge
    const seen = vertical
      ? at + 3 + digit * words.length <= width
      : at >= head + 13 && at <= height - 16;
    if (k === 0 || !seen) return;
    const place = vertical ? { x: at + 3, y: height - 5 } : { x: 4, y: at - 3 };
    lines.push(s('text', place, words));
  };
  for (let k = Math.ceil(-f.x / f.scale / step); k * step * f.scale < width - f.x; k++)
    line(k, true);
  for (let k = Math.ceil(-(height - f.y) / f.scale / step); k * step * f.scale < f.y; k++)
    line(k, false);
  return lines;
}
