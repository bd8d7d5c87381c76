// kinds.ts - kinds of files by their names: descriptions, meshes, and those that are dropped in vain.
//
// The page knows them before it loads the stage.

/** Each has a reader in meshes.ts. */
export const meshEndings = ['stl', 'obj', 'dae', 'glb', 'gltf'] as const;
export type MeshEnding = (typeof meshEndings)[number];

export const ending = (path: string): string =>
  /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';

export const nameOf = (path: string): string => path.split('/').at(-1)!;

/** Whether a file could be a mesh or belong to one. */
export const isMesh = (path: string): boolean => meshEndings.includes(ending(path) as MeshEnding);

export const isArchive = (path: string): boolean => ending(path) === 'zip';

export const isDescription = (path: string): boolean => /\.(urdf|json|xml)$/i.test(path);

/** Whether there are meshes, and nothing that describes a model. */
export function onlyMeshes(files: ReadonlyMap<string, unknown>): boolean {
  const paths = [...files.keys()];
  return paths.some(isMesh) && !paths.some(isDescription);
}

// ---- files of other kinds ----

/** What is said of a file of joint limits without its robot. */
export const limitsOnly = 'has limits of a robot and not the robot: drop it together with its URDF';

/** Kinds of files that are dropped in vain, by their endings: what to do instead. */
const wrongKinds: readonly (readonly [string, string])[] = [
  ['fbx', 'FBX is not read: export the character as GLB, or its motion as BVH'],
  [
    'xacro',
    'xacro is expanded first, as by “xacro NAME > robot.urdf”; drop the URDF with its meshes',
  ],
  ['srdf', 'an SRDF has named poses of a robot and not the robot: drop it together with its URDF'],
  ['yaml yml', `a YAML ${limitsOnly}`],
  ['sdf world', 'SDF is not read: drop a URDF or an MJCF of the robot'],
  [
    'usd usda usdc usdz',
    'USD is not read: drop a URDF or an MJCF of the robot, or export the character as GLB',
  ],
  ['blend ma mb max', 'this is not read: export the character as GLB, or its motion as BVH'],
  ['c3d trc', 'it has markers and no skeleton: export BVH from the program that recorded it'],
  ['step stp iges igs', 'a CAD file has no joints: export the robot as URDF'],
  ['zip gz tgz xz 7z rar tar', 'unpack it, and drop the folder'],
  [
    'png jpg jpeg webp gif svg bmp',
    'a picture opens nothing: drop the folder of the model that it belongs to',
  ],
];

export const noModel =
  'none of these files describes a model: a URDF, an MJCF or limber JSON is wanted';

/** What to do with files of which none can be opened; '': they are of no kind that is often tried. */
export function wrongKind(files: ReadonlyMap<string, unknown>): string {
  for (const [endings, words] of wrongKinds) {
    const ending = new RegExp(`\\.(${endings.replaceAll(' ', '|')})$`, 'i');
    // a robot has a shorter path than its parts
    const [path] = [...files.keys()]
      .filter((each) => ending.test(each))
      .sort((a, b) => a.length - b.length);
    const name = nameOf(path ?? '');
    if (name) return `${name}: ${words.replace('NAME', name)}`;
  }
  return '';
}

/** Why none of the files can be shown; '': one may be a model, or belong to the one that is here. */
export function refusalOf(files: ReadonlyMap<string, unknown>): string {
  const paths = [...files.keys()];
  if (paths.some((path) => isDescription(path) || isMesh(path))) return '';
  const wrong = wrongKind(files);
  // what has any other name may be a description all the same
  if (wrong !== '' || files.size === 1) return wrong;
  return noModel;
}
