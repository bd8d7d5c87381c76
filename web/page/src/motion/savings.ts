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

/** A share by which rates of frames differ and are the same still, as in the program. */
const even = 1e-3;

/** What is said of files that have no times and are read at another rate than the clip's; '': nothing. */
export function timelessNote({ who, clip, saves }: Played): string {
  const rate = clip.rate(even);
  const timeless = saves.filter(
    ({ readAt }) => readAt && rate > 0 && Math.abs(rate / readAt - 1) > even,
  );
  if (timeless.length === 0) return '';
  const read = timeless.map(({ label, readAt }) => `${label} is read at ${readAt}`).join(', ');
  const resample = who === 'target' ? 'retarget with as many, or ' : '';
  const own = Number(rate.toPrecision(6));
  return `Without times in the file, ${read} frames a second, and this motion has ${own}: ${resample}pass --source-fps ${own} to the command that reads it.`;
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
  hint: 'The bone map, for limber retarget --map',
  save: () => ({
    name: 'map.json',
    blob: new Blob([library.clips.writeMap(map, source, target)]),
  }),
});

/** What is said of a clip that a format cannot hold comes with the click. */
export function motionSavings(
  library: LimberWithClips | null,
  played: readonly Played[],
  write: (who: Played['who'], format: string) => Promise<Uint8Array<ArrayBuffer>>,
  world: World,
): Saving[] {
  const files = played.flatMap(({ who, name, clip, saves, contacts }): Saving[] => {
    const begin = `${stem(name)}-${who === 'target' ? 'retargeted' : 'motion'}`;
    const motions = saves.map(({ id, ending, label, hint }) => ({
      id: `${who}-${id}`,
      label: `${name}, ${label}`,
      of: name,
      short: label,
      hint,
      save: async () => ({ name: `${begin}.${ending}`, blob: new Blob([await write(who, id)]) }),
    }));
    if (!library || contacts.length === 0) return motions;
    const file = {
      id: `${who}-contacts`,
      label: `${name}, contacts`,
      of: name,
      short: 'Contacts',
      hint: 'Its foot contacts as JSON, for limber retarget --contacts and limber check --contacts',
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
