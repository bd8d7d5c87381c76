// savings.ts - what of a motion can be saved: the figures' clips in each of their formats.

import type { Clip } from 'limber';
import type { Saving } from '../app/saving';
import type { World } from '../stage/world';
import type { ClipFile } from './take';

/** A figure with the motion that it has now. */
export interface Played {
  who: 'source' | 'target';
  name: string;
  clip: Clip;
  saves: readonly ClipFile[];
}

const stem = (name: string): string => name.replace(/\.[^.]+$/, '').replace(/[^\w.-]+/g, '_');

/** What is said of a clip that a format cannot hold comes with the click. */
export function motionSavings(played: readonly Played[], world: World): Saving[] {
  const files = played.flatMap(({ who, name, clip, saves }) =>
    saves.map(({ ending, hint, write }): Saving => ({
      id: `${who}-${ending}`,
      label: `${name}, ${ending.toUpperCase()}`,
      hint,
      save: () => ({
        name: `${stem(name)}-${who === 'target' ? 'retargeted' : 'motion'}.${ending}`,
        blob: new Blob([write(clip)]),
      }),
    })),
  );
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
