// take.ts - a motion that was opened, as the page has it: its figure, and the files it can be saved as.

import type { Clip, ContactPoint, LimberWithClips, Model } from 'limber';
import type { Shelf } from '../app/database';
import { type ClipFile, filesFor, type NoFile } from './formats';
import type { Keys, Opened, Origin, SourceMade } from './maker/messages';
import type { SkinSource } from './skin';

export type { Files } from './maker/messages';

export interface Take {
  readonly origin: Origin;
  /** The file's name, for headings and messages. */
  readonly name: string;
  /** The same for the same file, opened again. */
  readonly id: string;
  readonly model: Model;
  /** What of it may be played: the animations of a glTF; one of other files. */
  readonly parts: readonly string[];
  /** What is known of it, name and value. */
  readonly facts: readonly (readonly [string, string])[];
  /** The mesh of a rigged character. */
  readonly skin: SkinSource | null;
  readonly saves: readonly ClipFile[];
  readonly others: readonly NoFile[];
  /** When feet rest, where that is known; null: it is found in the motion. */
  readonly contacts: readonly ContactPoint[] | null;
  /** Its first part without corrections; null: it has none. */
  readonly first: SourceMade | null;
  release(): void;
}

/** What a project keeps of a file that was opened: the file, and what is said of it. */
export function shelfOf({ files, path, figure }: Origin): Shelf {
  return { files, about: { path, figure } };
}

export const clipOf = (model: Model, { times, keys, interpolation }: Keys): Clip =>
  model.clip({ times, keys }, { interpolation });

export function takeOf(library: LimberWithClips, origin: Origin, opened: Opened): Take {
  const { name, id, parts, facts, skin, own, contacts, first } = opened;
  const model = library.model(opened.model);
  return {
    ...{ origin, name, id, model, parts, facts, contacts, first },
    skin: skin && { bytes: skin.bytes, linkOf: (node) => skin.links[node] ?? -1 },
    ...filesFor(model, own),
    release: () => model.release(),
  };
}

/** What a panel says of a motion, name and value. */
export function factsOf(
  take: Take | null,
  clip: Clip | undefined,
): readonly (readonly [string, string])[] {
  if (!take || !clip) return [];
  const rate = clip.rate(1e-3);
  return [
    ...take.facts,
    ['Frames', `${clip.count}, from 0 to ${clip.count - 1}`],
    ['Rate', rate > 0 ? `${Number(rate.toFixed(2))} a second` : 'uneven'],
    ['Length', `${(clip.end - clip.begin).toFixed(2)} s`],
  ];
}
