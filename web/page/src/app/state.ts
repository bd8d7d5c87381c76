// state.ts - everything the page shows, as one value.

import { type BoardState } from '../board/document';
import { exampleBoard } from '../board/examples';
import { plainStage, type StageState } from '../stage/document';

export type View = 'board' | 'stage';

export interface AppState {
  view: View;
  board: BoardState;
  stage: StageState;
}

export function plainState(): AppState {
  return { view: 'board', board: exampleBoard('race'), stage: plainStage() };
}
