// svg_picture.ts - the board's pictures as files: every style of the style sheet is written into them.

import type { BoardView } from '../board/view';

/** The properties of style that a picture has. */
const looks = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-size',
  'font-style',
  'font-family',
  'font-weight',
  'text-anchor',
];

/** A self-contained picture: every style of the style sheet is written into it. */
export function standalone(svg: SVGElement): { text: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const to = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    const clone = to[i]!;
    for (const look of looks) {
      const value = style.getPropertyValue(look);
      if (value) clone.setAttribute(look, value);
    }
    // a hint for the pointer
    if (element.matches('.hint')) clone.remove();
    for (const attribute of [
      'class',
      'style',
      'tabindex',
      'role',
      'aria-label',
      'aria-valuetext',
      'aria-valuenow',
    ])
      clone.removeAttribute(attribute);
  });
  for (const handles of copy.querySelectorAll('[r="20"], [r="11"]'))
    if (handles.getAttribute('fill') === 'rgba(0, 0, 0, 0)') handles.remove();
  const box = svg.getBoundingClientRect();
  const paper = getComputedStyle(svg.closest('figure') ?? document.body).backgroundColor;
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: paper }))
    back.setAttribute(name, value);
  copy.prepend(back);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return {
    text: new XMLSerializer().serializeToString(copy),
    width: box.width,
    height: box.height,
  };
}

export async function pngOf(svg: SVGElement): Promise<Blob> {
  const { text: source, width, height } = standalone(svg);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await picture.decode();
  const canvas = Object.assign(document.createElement('canvas'), {
    width: 2 * width,
    height: 2 * height,
  });
  canvas.getContext('2d')!.drawImage(picture, 0, 0, 2 * width, 2 * height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'),
  );
}

const captionHeight = 22;

/** All pictures in rows of two with their captions above, and the plot below. */
export function sheetOf({ panes, plot }: BoardView['pictures']): string {
  const pictures = panes.map(({ svg, caption }) => ({ ...standalone(svg), caption }));
  const columns = pictures.length > 1 ? 2 : 1;
  const width = Math.max(...pictures.map((p) => p.width));
  const height = Math.max(...pictures.map((p) => p.height)) + captionHeight;
  const rows = Math.ceil(pictures.length / columns);
  const below = standalone(plot);
  const inner = (source: string, x: number, y: number): string =>
    source.replace('<svg ', `<svg x="${x}" y="${y}" `);
  const escaped = (words: string): string =>
    words.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);
  const total = {
    width: Math.max(columns * width, below.width),
    height: rows * height + below.height,
  };
  const parts = pictures.map((p, i) => {
    const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
    return (
      `<text x="${x + 8}" y="${y + 15}" font-family="sans-serif" font-size="12" fill="#1b2230">${escaped(p.caption)}</text>` +
      inner(p.text, x, y + captionHeight)
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total.width}" height="${total.height}" viewBox="0 0 ${total.width} ${total.height}">` +
    `<rect width="100%" height="100%" fill="#ffffff"/>${parts.join('')}${inner(below.text, 0, rows * height)}</svg>`
  );
}
