// layer.ts - something that can be shown with the figure.
//
// A layer is one file and one row in index.ts. It draws into its own group when it is on.

import type * as THREE from 'three';
import type { Files } from '../meshes';
import type { StageState } from '../document';
import type { Session } from '../session';

export interface Scene {
  session: Session;
  stage: StageState;
  /** The present configuration. */
  q: readonly number[];
  /** The meshes that came with the model. */
  files: Files;
  /** A length to draw by: how large the model is. */
  size: number;
}

export interface Layer {
  readonly group: THREE.Group;
  /** Shows the scene; called after each change while the layer is on. */
  update(scene: Scene): void;
  /** Called before each picture while it is on; true: draw another one. */
  frame?(now: number): boolean;
  /** How many times the model's size the view should take in when it is switched on. */
  readonly extent?: number;
  /** It lies in the floor's plane, and is looked at from above. */
  readonly flat?: boolean;
  /** What its colours and sizes mean, while it is on. */
  legend?(): Node | null;
  /** Forgets what belongs to the model. */
  reset(): void;
}
