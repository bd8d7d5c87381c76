// shapes.ts - paths and numbers as a picture writes them.

import type { Point } from './arm';

/** A link: two half circles of different radii and what is between. */
export function taper([ax, ay]: Point, [bx, by]: Point, ra: number, rb: number): string {
  const angle = Math.atan2(by - ay, bx - ax);
  const [nx, ny] = [-Math.sin(angle), Math.cos(angle)];
  return (
    `M${ax + ra * nx} ${ay + ra * ny}A${ra} ${ra} 0 0 1 ${ax - ra * nx} ${ay - ra * ny}` +
    `L${bx - rb * nx} ${by - rb * ny}A${rb} ${rb} 0 0 1 ${bx + rb * nx} ${by + rb * ny}z`
  );
}

/** A line with two barbs at its end. */
export function arrowPath([ax, ay]: Point, [bx, by]: Point): string {
  const angle = Math.atan2(by - ay, bx - ax);
  const barb = (turn: number): string =>
    `${bx - 10 * Math.cos(angle + turn)} ${by - 10 * Math.sin(angle + turn)}`;
  return `M${ax} ${ay}L${bx} ${by}M${barb(0.4)}L${bx} ${by}L${barb(-0.4)}`;
}

/** 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].find((k) => k * power >= least)! * power;
}

/** A coordinate in at most four digits. */
export function number(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

export function subscript(n: number): string {
  return String(n).replace(/\d/g, (d) => '₀₁₂₃₄₅₆₇₈₉'[Number(d)]!);
}
