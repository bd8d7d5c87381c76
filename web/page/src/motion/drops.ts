// drops.ts - whether files that were dropped are a motion, or a model with its meshes.

const has = (files: ReadonlyMap<string, unknown>, ending: RegExp): boolean =>
  [...files.keys()].some((path) => ending.test(path));

const stem = (path: string): string => path.split('/').at(-1)!.toLowerCase();

/**
 * A glTF is a motion unless it came with what describes a model, or with other meshes, or is one of
 * the meshes that the model on the stage lacks.
 */
export function isMotionDrop(
  files: ReadonlyMap<string, unknown>,
  missing: ReadonlyMap<string, string> = new Map(),
): boolean {
  if (has(files, /\.(bvh|csv|npz|vrma?)$/i)) return true;
  if (!has(files, /\.(glb|gltf)$/i) || has(files, /\.(urdf|xml|json|stl|dae|obj)$/i)) return false;
  const lacking = new Set([...missing.keys()].map(stem));
  return ![...files.keys()].some((path) => lacking.has(stem(path)));
}
