// export.ts - what can be saved: pictures, poses, motions.

import { armJson } from '../board/arm';
import type { BoardView } from '../board/view';
import { clipOf, lastTime } from '../stage/timeline';
import { movable } from '../stage/joints';
import type { StageView } from '../stage/view';
import { boardProblem, codeSavings, stageProblem } from './code';
import { csv, json, type Saving, text } from './saving';
import type { AppState } from './state';
import { pngOf, sheetOf, standalone } from './svg_picture';

/** Motions are written at this many frames a second. */
const rate = 30;

// ---- the board ----

export function boardSavings({ board }: AppState, view: BoardView): Saving[] {
  return [
    ...boardPictures(view),
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
          view.runs.map(({ method, frames }) => ({ method, q: [...frames.at(-1)!.q] })),
        ),
    },
    ...boardMotions(board, view),
  ];
}

function boardPictures({ pictures }: BoardView): Saving[] {
  const first = pictures.panes[0]!.svg;
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
      save: () => text('board-all.svg', sheetOf(pictures), 'image/svg+xml'),
    },
    {
      id: 'png',
      label: 'Picture, PNG',
      hint: 'The first picture, at twice its size',
      save: async () => ({ name: 'board.png', blob: await pngOf(first) }),
    },
  ];
}

function boardMotions({ links }: AppState['board'], view: BoardView): Saving[] {
  const joints = links.map((_, i) => `joint_${i + 1}`);
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
      save: () => json('motion.json', { links, frames }),
    },
  ];
}

// ---- the stage ----

export function stageSavings({ stage }: AppState, view: StageView): Saving[] {
  const { model } = view;
  const named = (q: readonly number[]): Record<string, number | number[]> =>
    Object.fromEntries(
      movable(model).map(({ name, q: at, nq }) => [name, nq === 1 ? q[at]! : q.slice(at, at + nq)]),
    );
  return [
    ...stagePictures(view),
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
    ...stageMotions(stage, view),
  ];
}

function stagePictures(view: StageView): Saving[] {
  const { name } = view.model;
  return [
    {
      id: 'png',
      label: 'Picture, PNG',
      hint: 'The view as it is',
      save: async () => ({
        name: `${name}.png`,
        blob: (await view.world.picture()) ?? new Blob(),
      }),
    },
    {
      id: 'png-large',
      label: 'Cut-out, PNG',
      hint: 'The model alone, four times larger, on a transparent ground',
      save: async () => ({
        name: `${name}-cut-out.png`,
        blob: (await view.cutOut(4)) ?? new Blob(),
      }),
    },
    {
      id: 'video',
      label: 'Motion, video',
      hint: 'The key poses played once, WebM',
      save: async () => ({ name: `${name}.webm`, blob: await view.film() }),
    },
  ];
}

function stageMotions(stage: AppState['stage'], view: StageView): Saving[] {
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
  return [
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
