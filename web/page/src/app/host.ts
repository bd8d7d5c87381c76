// host.ts - what the page provides to its views.

import type { Limber } from 'limber';
import type { ModelWithMeshes } from '../motion/target_figures';
import type { AppState, View } from './state';
import type { Shelves } from './database';
import type { Store } from './store';

export interface Host {
  readonly limber: Limber;
  readonly store: Store<AppState>;
  show(view: View): void;
  /** The model on the stage, with the meshes that came along. */
  readonly stageModel: ModelWithMeshes;
  /** Files that were dropped or chosen, opened in the view that they are for. */
  openFiles(files: Map<string, Blob>): void;
  /** Motions among files that were dropped or chosen elsewhere. */
  openMotion(files: ReadonlyMap<string, Blob>): void;
  /** The files that a project began with, for views that are made later. */
  readonly kept: Shelves;
  /** A few words at the lower edge, for a while. */
  say(words: string, kind?: 'news' | 'warning' | 'error'): void;
}
