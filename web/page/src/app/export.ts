// export.ts - what can be saved: pictures, poses, motions.

import { armJson } from '../board/arm';
import type { BoardView } from '../board/view';
import { clipOf, lastTime } from '../stage/timeline';
import { movable } from '../stage/joints';
import type { StageView } from '../stage/view';
import { boardProblem, codeSavings, stageProblem } from './code';
import { csv, json, type Saving, text } from './saving';
import type { AppState } from './state';

/** Motions are written at this many frames a second. */
const rate = 30;

// ---- the board ----

/** A self-contained picture: every style of the style sheet is written into it. */
export function standalone(svg: SVGElement): { text: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const to = [copy, ...copy.querySelectorAll<SVGElement>('*')];
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

async function pngOf(svg: SVGElement): Promise<Blob> {
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
function sheetOf({ panes, plot }: BoardView['pictures']): string {
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

export function boardSavings(state: AppState, view: BoardView): Saving[] {
  const { board } = state;
  const joints = board.links.map((_, i) => `joint_${i + 1}`);
  const { panes } = view.pictures;
  const first = panes[0]!.svg;
  const frames = view.runs.flatMap((run) =>
    run.frames.map(({ q, tip, goal, error }, k) => ({
      method: run.method,
      frame: k,
      q: [...q],
      tip,
      goal,
      error,
    })),
  );
  return [
    {
      id: 'svg',
      label: 'Picture, SVG',
      hint: 'The first picture, for print',
      save: () => text('board.svg', standalone(first).text, 'image/svg+xml'),
    },
    {
      id: 'svg-all',
      label: 'Board, SVG',
      hint: 'All pictures with their captions, and the plot',
      save: () => text('board-all.svg', sheetOf(view.pictures), 'image/svg+xml'),
    },
    {
      id: 'png',
      label: 'Picture, PNG',
      hint: 'The first picture, at twice its size',
      save: async () => ({ name: 'board.png', blob: await pngOf(first) }),
    },
    {
      id: 'model',
      label: 'Arm, limber JSON',
      hint: 'The arm as a model file for the program and the library',
      save: () => json('arm.json', armJson(board.links)),
    },
    ...codeSavings(boardProblem(board)),
    {
      id: 'pose',
      label: 'Pose, JSON',
      hint: 'The last pose of each method, radians',
      save: () =>
        json(
          'pose.json',
          view.runs.map(({ method, frames: f }) => ({ method, q: [...f.at(-1)!.q] })),
        ),
    },
    {
      id: 'motion-csv',
      label: 'Motion, CSV',
      hint: 'Every frame of every method: joints in radians, tip, goal, error',
      save: () =>
        csv(
          'motion.csv',
          ['method', 'frame', ...joints, 'tip_x', 'tip_y', 'goal_x', 'goal_y', 'error'],
          frames.map(({ method, frame, q, tip, goal, error }) => [
            method,
            frame,
            ...q,
            ...tip,
            ...goal,
            error,
          ]),
        ),
    },
    {
      id: 'motion-json',
      label: 'Motion, JSON',
      hint: 'The same, for programs',
      save: () => json('motion.json', { links: board.links, frames }),
    },
  ];
}

// ---- the stage ----

export function stageSavings(state: AppState, view: StageView): Saving[] {
  const { stage } = state;
  const { model } = view;
  const columns = movable(model).flatMap(({ name, nq }) =>
    nq === 1 ? [name] : Array.from({ length: nq }, (_, i) => `${name}_${i + 1}`),
  );
  const motion = (): { time: number; q: number[] }[] => {
    const end = lastTime(stage.keys);
    const clip = clipOf(model, stage);
    const frames = Array.from({ length: Math.round(end * rate) + 1 }, (_, k) => {
      const time = Math.min(end, k / rate);
      return { time, q: [...(clip?.at(time) ?? view.q)] };
    });
    clip?.release();
    return frames;
  };
  const named = (q: readonly number[]): Record<string, number | number[]> =>
    Object.fromEntries(
      movable(model).map(({ name, q: at, nq }) => [name, nq === 1 ? q[at]! : q.slice(at, at + nq)]),
    );
  return [
    {
      id: 'png',
      label: 'Picture, PNG',
      hint: 'The view as it is',
      save: async () => ({
        name: `${model.name}.png`,
        blob: (await view.world.picture()) ?? new Blob(),
      }),
    },
    {
      id: 'png-large',
      label: 'Cut-out, PNG',
      hint: 'The model alone, four times larger, on a transparent ground',
      save: async () => ({
        name: `${model.name}-cut-out.png`,
        blob: (await view.cutOut(4)) ?? new Blob(),
      }),
    },
    {
      id: 'video',
      label: 'Motion, video',
      hint: 'The key poses played once, WebM',
      save: async () => ({ name: `${model.name}.webm`, blob: await view.film() }),
    },
    {
      id: 'model',
      label: 'Model, limber JSON',
      hint: 'For the program and the library, with the base as it is here',
      save: () => text(`${model.name}.json`, model.toJson(), 'application/json'),
    },
    {
      id: 'pose',
      label: 'Pose, JSON',
      hint: 'The joints by name, radians and metres',
      save: () => json('pose.json', { model: model.name, joints: named(view.q), q: [...view.q] }),
    },
    ...codeSavings(stageProblem(stage, model)),
    {
      id: 'motion-csv',
      label: 'Motion, CSV',
      hint: `The key poses played at ${rate} frames a second`,
      save: () =>
        csv(
          'motion.csv',
          ['time', ...columns],
          motion().map(({ time, q }) => [Number(time.toFixed(4)), ...q]),
        ),
    },
    {
      id: 'motion-json',
      label: 'Motion, JSON',
      hint: 'The key poses and the frames between',
      save: () => json('motion.json', { model: model.name, keys: stage.keys, frames: motion() }),
    },
  ];
}
