// savings.ts - what of a motion can be saved: the figures' clips in each of their formats.

import type { Clip, ContactPoint, LimberWithClips, Model, RetargetMap } from 'limber';
import type { Saving } from '../app/saving';
import type { World } from '../stage/world';
import type { ClipFile, NoFile } from './formats';

/** A figure with the motion that it has now. */
export interface Played {
  who: 'source' | 'target';
  name: string;
  clip: Clip;
  saves: readonly ClipFile[];
  others: readonly NoFile[];
  /** When its feet rest. */
  contacts: readonly ContactPoint[];
}

const stem = (name: string): string => name.replace(/\.[^.]+$/, '').replace(/[^\w.-]+/g, '_');

export const mapSaving = (
  library: LimberWithClips,
  map: RetargetMap,
  source: Model,
  target: Model,
): Saving => ({
  id: 'map',
  label: 'Map, JSON',
  hint: 'What follows what, for limber retarget --map',
  save: () => ({
    name: 'map.json',
    blob: new Blob([library.clips.writeMap(map, source, target)]),
  }),
});

/** What is said of a clip that a format cannot hold comes with the click. */
export function motionSavings(
  library: LimberWithClips | null,
  played: readonly Played[],
  world: World,
): Saving[] {
  const files = played.flatMap(({ who, name, clip, saves, contacts }): Saving[] => {
    const begin = `${stem(name)}-${who === 'target' ? 'retargeted' : 'motion'}`;
    const motions = saves.map(({ id, ending, label, hint, write }) => ({
      id: `${who}-${id}`,
      label: `${name}, ${label}`,
      of: name,
      short: label,
      hint,
      save: () => ({ name: `${begin}.${ending}`, blob: new Blob([write(clip)]) }),
    }));
    if (!library || contacts.length === 0) return motions;
    const file = {
      id: `${who}-contacts`,
      label: `${name}, contacts`,
      of: name,
      short: 'Contacts',
      hint: 'When its feet rest, as JSON: for limber retarget --contacts and limber check --contacts',
      save: () => ({
        name: `${stem(name)}-contacts.json`,
        blob: new Blob([library.clips.writeContacts(contacts, clip.model)]),
      }),
    };
    return [...motions, file];
  });
  return [
    ...files,
    {
      id: 'png',
      label: 'Picture, PNG',
      hint: 'The view as it is',
      save: async () => ({ name: 'motion.png', blob: (await world.picture()) ?? new Blob() }),
    },
  ];
}
