// state.ts - everything the page shows, as one value.

import { type BoardState } from '../board/document';
import { exampleBoard } from '../board/examples';
import { type MotionState, plainMotion } from '../motion/document';
import { plainStage, type StageState } from '../stage/document';

export type View = 'board' | 'stage' | 'motion';

export interface AppState {
  view: View;
  board: BoardState;
  stage: StageState;
  motion: MotionState;
}

export function plainState(): AppState {
  return { view: 'board', board: exampleBoard('race'), stage: plainStage(), motion: plainMotion() };
}
