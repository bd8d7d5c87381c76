// formats.ts - what a clip of a figure can be saved as, and why not as something else.
//
// A format is a row of the table below.

import type { Clip, LimberWithClips, Model } from 'limber';

/** A file that a clip of this figure can be saved as. */
export interface ClipFile {
  /** Of the button: 'csv', 'bones', 'npz' ... */
  id: string;
  ending: 'csv' | 'bvh' | 'glb' | 'npz' | 'json';
  label: string;
  hint: string;
  /** Frames a second at which it is read, as it has no times. */
  readAt?: number;
  write(clip: Clip): Uint8Array<ArrayBuffer>;
}

/** One that it cannot, and why. */
export interface NoFile {
  label: string;
  why: string;
}

interface Format {
  id: string;
  ending: ClipFile['ending'];
  label: string;
  hint: string;
  /** As in limber/formats/robot_csv.h. */
  readAt?: number;
  /** '': any figure's motion can be written. */
  refuse: (model: Model) => string;
  write: (library: LimberWithClips, clip: Clip) => Uint8Array<ArrayBuffer>;
}

/** Why a model is no robot: a root that moves, and joints of one value. */
export function robotRefusal({ joints }: Model): string {
  const [root, ...others] = joints;
  if (root?.kind !== 'floating') return 'its root does not float';
  const wide = others.find(({ nq }) => nq > 1);
  return wide
    ? `its joint '${wide.name}' is of kind ${wide.kind}, and a column holds one value`
    : '';
}

export const formats: readonly Format[] = [
  {
    id: 'csv',
    ending: 'csv',
    label: 'CSV',
    hint: 'A row a frame as LAFAN1’s robots have it: place, quaternion x y z w, joints in radians',
    readAt: 30,
    refuse: robotRefusal,
    write: ({ clips }, clip) => clips.writeRobotCsv(clip),
  },
  {
    id: 'bones',
    ending: 'csv',
    label: 'CSV with a header',
    hint: 'A table as BONES has it: centimetres and degrees, columns by the joints’ names',
    readAt: 120,
    refuse: robotRefusal,
    write: ({ clips }, clip) => clips.writeRobotCsv(clip, { kind: 'bones' }),
  },
  {
    id: 'npz',
    ending: 'npz',
    label: 'NPZ',
    hint: 'NumPy’s archive as training code reads it: joints and bodies with their velocities',
    refuse: robotRefusal,
    write: ({ clips }, clip) => clips.writeRobotNpz(clip),
  },
  {
    id: 'bvh',
    ending: 'bvh',
    label: 'BVH',
    hint: 'A capture of every link, centimetres',
    refuse: () => '',
    write: ({ clips }, clip) => clips.writeBvh(clip),
  },
  {
    id: 'glb',
    ending: 'glb',
    label: 'GLB',
    hint: '',
    refuse: () => 'only a figure from a glTF has the nodes and meshes that are in one',
    write: () => new Uint8Array(),
  },
  {
    id: 'json',
    ending: 'json',
    label: 'JSON',
    hint: 'limber’s own, of any model: joints by their names, every digit',
    refuse: () => '',
    write: ({ clips }, clip) => clips.writeClipJson(clip),
  },
];

/**
 * All formats for a figure: those it can be saved as, and the others with the reason. Some are
 * written by the file that the figure is from, in place of the row.
 */
export function filesFor(
  library: LimberWithClips,
  model: Model,
  own: readonly Pick<ClipFile, 'id' | 'hint' | 'write'>[] = [],
): { saves: ClipFile[]; others: NoFile[] } {
  const saves: ClipFile[] = [];
  const others: NoFile[] = [];
  for (const { refuse, write, ...format } of formats) {
    const given = own.find(({ id }) => id === format.id);
    const why = given ? '' : refuse(model);
    if (why) others.push({ label: format.label, why });
    else saves.push({ ...format, write: (clip) => write(library, clip), ...given });
  }
  return { saves, others };
}
