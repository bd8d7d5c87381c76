// formats.ts - what a clip of a figure can be saved as, and why not as something else.
//
// A format is a row of the table below.

import type { Clip, Clips, Model } from 'limber';

/** A file that a clip of this figure can be saved as. */
export interface ClipFile {
  /** Of the button: 'csv', 'bones', 'npz' ... */
  id: string;
  ending: 'csv' | 'bvh' | 'glb' | 'npz' | 'json';
  label: string;
  hint: string;
  /** Frames a second at which it is read, as it has no times. */
  readAt?: number | undefined;
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
  readAt?: number | undefined;
  /** '': any figure's motion can be written. */
  refuse: (model: Model) => string;
  write: (clip: Clip, clips: Clips) => Uint8Array<ArrayBuffer>;
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
    write: (clip, clips) => clips.writeRobotCsv(clip),
  },
  {
    id: 'bones',
    ending: 'csv',
    label: 'CSV with a header',
    hint: 'A table as BONES has it: centimetres and degrees, columns by the joints’ names',
    readAt: 120,
    refuse: robotRefusal,
    write: (clip, clips) => clips.writeRobotCsv(clip, { kind: 'bones' }),
  },
  {
    id: 'npz',
    ending: 'npz',
    label: 'NPZ',
    hint: 'NumPy’s archive as training code reads it: joints and bodies with their velocities',
    refuse: robotRefusal,
    write: (clip, clips) => clips.writeRobotNpz(clip),
  },
  {
    id: 'bvh',
    ending: 'bvh',
    label: 'BVH',
    hint: 'A capture of every link, centimetres',
    refuse: () => '',
    write: (clip, clips) => clips.writeBvh(clip),
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
    write: (clip, clips) => clips.writeClipJson(clip),
  },
];

/**
 * All formats for a figure: those it can be saved as, and the others with the reason. Some are
 * written by the file that the figure is from, in place of the row.
 */
export function filesFor(
  model: Model,
  own: readonly Pick<ClipFile, 'id' | 'hint'>[] = [],
): { saves: ClipFile[]; others: NoFile[] } {
  const saves: ClipFile[] = [];
  const others: NoFile[] = [];
  for (const { id, ending, label, hint, readAt, refuse } of formats) {
    const given = own.find((each) => each.id === id);
    const why = given ? '' : refuse(model);
    if (why) others.push({ label, why });
    else saves.push({ ...{ id, ending, label, readAt }, hint: given?.hint ?? hint });
  }
  return { saves, others };
}
