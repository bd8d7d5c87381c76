// target_figures.ts - the figures that a motion can be retargeted onto.

import type { LimberWithClips, Model } from 'limber';
import { builtin } from '../stage/builtin';
import type { ModelOrigin } from '../stage/document';
import type { Files } from '../stage/meshes';
import { modelOf } from '../stage/open';
import { rooted, rootOf } from '../stage/defaults';
import type { SkinSource } from './skin';
import type { Shelf } from '../app/database';
import { type ClipFile, filesFor, type NoFile } from './formats';
import type { Figure } from './maker/messages';
import { shelfOf, type Take } from './take';

/** A model with the meshes that came with it. */
export interface ModelWithMeshes {
  origin: ModelOrigin;
  files: Files;
}

export interface TargetFigure {
  /** Of each that is opened another one. */
  serial: number;
  name: string;
  model: Model;
  files: Files;
  /** Of a rigged character. */
  skin: SkinSource | null;
  /** The same for the worker. */
  figure: Figure;
  saves: readonly ClipFile[];
  others: readonly NoFile[];
  release(): void;
}

/** The built-in figures with legs. */
const figures = ['human', 'biped'];

export class TargetFigures {
  readonly #stage: () => ModelWithMeshes;
  /** A model or character that was dropped here. */
  #dropped: ModelWithMeshes | null = null;
  #character: Take | null = null;
  #serial = 0;

  constructor(stage: () => ModelWithMeshes) {
    this.#stage = stage;
  }

  /** What a project keeps of the figure that was dropped; null: none was. */
  get shelf(): Shelf | null {
    if (this.#character) return shelfOf(this.#character.origin);
    if (!this.#dropped) return null;
    const { origin, files } = this.#dropped;
    return { files: files as ReadonlyMap<string, Blob>, about: { model: origin } };
  }

  // a character that was dropped before may be shown still: it goes when nothing refers to it
  drop(given: ModelWithMeshes): void {
    this.#character = null;
    this.#dropped = given;
  }

  dropCharacter(take: Take): void {
    this.#dropped = null;
    this.#character = take;
  }

  get choices(): { value: string; text: string }[] {
    const own = this.#dropped?.origin.name ?? this.#character?.name;
    const { origin } = this.#stage();
    const fromStage = origin.from === 'file' || !figures.includes(origin.name);
    return [
      { value: '', text: 'no other figure' },
      ...figures.map((name) => ({ value: `builtin:${name}`, text: `${name} (built in)` })),
      ...(own ? [{ value: 'file', text: own }] : []),
      ...(fromStage ? [{ value: 'stage', text: `${origin.name} (on the stage)` }] : []),
    ];
  }

  /** The figure of a choice, with a root that moves; null: nothing. Throws with its name. */
  open(library: LimberWithClips, choice: string): TargetFigure | null {
    const serial = ++this.#serial;
    if (choice === 'file' && this.#character) {
      const { name, model, skin, saves, others, origin } = this.#character;
      const figure = { serial, model: '', origin };
      return {
        serial,
        name,
        model,
        files: new Map(),
        skin,
        figure,
        saves,
        others,
        release: () => {},
      };
    }
    const given = this.#given(choice);
    if (!given) return null;
    const read = modelOf(library, given.origin);
    const model = rootOf(read) === 'fixed' ? rooted(read, 'floating') : read;
    return {
      serial,
      name: model.name || given.origin.name,
      model,
      files: given.files,
      skin: null,
      figure: { serial, model: model.toJson(), origin: null },
      ...filesFor(model),
      release: () => model.release(),
    };
  }

  #given(choice: string): ModelWithMeshes | null {
    const [from, name = ''] = choice.split(':');
    if (from === 'builtin' && builtin.has(name))
      return { origin: { from: 'builtin', name }, files: new Map() };
    if (from === 'file') return this.#dropped;
    return from === 'stage' ? this.#stage() : null;
  }
}
