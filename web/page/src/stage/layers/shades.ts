// shades.ts - the colours of shares from none to all, as in the program's maps: light to dark, so
// that they keep their order in grey.

import * as THREE from 'three';

/** sRGB, from 0 to 1 in equal steps. */
export const shades: readonly (readonly [number, number, number])[] = [
  [0.93, 0.95, 0.78],
  [0.63, 0.85, 0.72],
  [0.25, 0.71, 0.77],
  [0.17, 0.5, 0.72],
  [0.14, 0.2, 0.58],
];

/** The colour where shares mean nothing: all that is known is that the tip can be there. */
export const plainShare = 0.25;

/** The colour of a share. */
export function shade(share: number, out: THREE.Color): THREE.Color {
  const at = Math.min(Math.max(share, 0), 1) * (shades.length - 1);
  const i = Math.min(Math.floor(at), shades.length - 2);
  const [r, g, b] = shades[i]!.map((x, k) => x + (at - i) * (shades[i + 1]![k]! - x));
  return out.setRGB(r!, g!, b!, THREE.SRGBColorSpace);
}

/** All of them as a background from left to right. */
export const shadesGradient = `linear-gradient(to right, ${shades
  .map((rgb) => `rgb(${rgb.map((x) => Math.round(255 * x)).join(' ')})`)
  .join(', ')})`;
