// sort.ts - what the files of a drop are: motions, a robot with its meshes, contacts, a map.

import type { Files } from './take';

export interface Sorted {
  /** Paths, those of captures first. */
  motions: string[];
  /** What describes a robot, with all that may be a mesh of it; null: nothing does. */
  robot: Files | null;
  /** Texts of JSON by their names. */
  contacts: { name: string; text: string } | null;
  map: { name: string; text: string } | null;
}

/** In the order in which they are opened. */
const motionEndings = [/\.bvh$/i, /\.(glb|gltf|vrma?)$/i, /\.(csv|npz)$/i];

/** JSON that is larger describes no robot, no map and no contacts. */
const largestJson = 200e6;

const kinds = {
  contacts: /"limber_contacts"\s*:/,
  map: /"limber_map"\s*:|"ik_match_table1"\s*:/,
  motion: /"limber_motion"\s*:/,
};

const nameOf = (path: string): string => path.split('/').at(-1)!;

/** What a file of JSON is by its keys; '': a robot, as far as can be seen. */
function kindOf(text: string): keyof typeof kinds | '' {
  const found = Object.entries(kinds).find(([, key]) => key.test(text));
  return (found?.[0] as keyof typeof kinds) ?? '';
}

export async function sortFiles(files: Files): Promise<Sorted> {
  const paths = [...files.keys()];
  const sorted: Sorted = {
    motions: motionEndings.flatMap((ending) => paths.filter((path) => ending.test(path))),
    robot: null,
    contacts: null,
    map: null,
  };
  const rest = new Map([...files].filter(([path]) => !/\.(bvh|csv|npz)$/i.test(path)));
  for (const [path, file] of files) {
    if (!/\.json$/i.test(path) || file.size > largestJson) continue;
    const text = await file.text();
    const kind = kindOf(text);
    if (kind === '') continue;
    rest.delete(path);
    if (kind === 'motion') sorted.motions.push(path);
    else sorted[kind] = { name: nameOf(path), text };
  }
  if ([...rest.keys()].some((path) => /\.(urdf|xml|json)$/i.test(path))) sorted.robot = rest;
  return sorted;
}
