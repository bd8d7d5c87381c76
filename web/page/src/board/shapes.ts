// shapes.ts - paths and numbers as a picture writes them.

import { type Shape, shape } from '../ui/dom';
import type { Point } from './arm';
import type { Look } from './looks';

/** A pixel to a hundredth: browsers read paths as text, and what moves less is the same text. */
export const short = (pixel: number): number => Math.round(100 * pixel) / 100;

/** A place in a path. */
export const place = (x: number, y: number): string => `${short(x)} ${short(y)}`;

/** A link: two half circles of different radii and what is between. */
export function taper([ax, ay]: Point, [bx, by]: Point, ra: number, rb: number): string {
  const angle = Math.atan2(by - ay, bx - ax);
  const [nx, ny] = [-Math.sin(angle), Math.cos(angle)];
  const side = (x: number, y: number, r: number): string => place(x + r * nx, y + r * ny);
  return (
    `M${side(ax, ay, ra)}A${short(ra)} ${short(ra)} 0 0 1 ${side(ax, ay, -ra)}` +
    `L${side(bx, by, -rb)}A${short(rb)} ${short(rb)} 0 0 1 ${side(bx, by, rb)}z`
  );
}

/** Where a joint may turn to: a sector about it. */
export function fan([x, y]: Point, from: number, to: number, { color }: Look): Shape {
  const r = 34;
  const wide = Math.min(to - from, 2 * Math.PI - 1e-6);
  const edge = (angle: number): string => place(x + r * Math.cos(angle), y - r * Math.sin(angle));
  const d = `M${x} ${y}L${edge(from)}A${r} ${r} 0 ${wide > Math.PI ? 1 : 0} 0 ${edge(from + wide)}z`;
  return shape('path.fan', { d, style: `color:${color}` });
}

/** A line with two barbs at its end. */
export function arrowPath([ax, ay]: Point, [bx, by]: Point): string {
  const angle = Math.atan2(by - ay, bx - ax);
  const barb = (turn: number): string =>
    place(bx - 10 * Math.cos(angle + turn), by - 10 * Math.sin(angle + turn));
  const [from, to] = [place(ax, ay), place(bx, by)];
  return `M${from}L${to}M${barb(0.4)}L${to}L${barb(-0.4)}`;
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
