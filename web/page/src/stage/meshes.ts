// meshes.ts - the mesh files that were opened along with a model, by the names it gives them.
//
// A name is "package://arm/meshes/link.stl" or a path; a file is found by the longest
// end of the name that any file's path has. Each kind of file has a loader of three's,
// fetched when the first such file comes.

import * as THREE from 'three';
import { ending, isMesh, type MeshEnding, meshEndings } from './kinds';

/** The files that came with a model, by their paths: as they are, or where they are. */
export type File = Blob | string;
export type Files = ReadonlyMap<string, File>;

type Find = (name: string) => File | null;
type Reader = (blob: Blob, find: Find) => Promise<THREE.Object3D>;

const plain = new THREE.MeshStandardMaterial({ color: 0xb9c0cb, roughness: 0.55, metalness: 0.05 });

const readers: Record<MeshEnding, Reader> = {
  stl: async (blob) => {
    const { STLLoader } = await import('three/addons/loaders/STLLoader.js');
    await checkStl(blob);
    const data = await blob.arrayBuffer();
    const geometry = quietly(() => new STLLoader().parse(data));
    if (!geometry.getAttribute('position')?.count) throw new Error('it has no triangles');
    return new THREE.Mesh(geometry, plain);
  },
  obj: async (blob, find) => {
    const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
    const text = await blob.text();
    const loader = new OBJLoader();
    const library = find(/^mtllib\s+(.+?)\s*$/m.exec(text)?.[1] ?? '');
    if (library) {
      const { MTLLoader } = await import('three/addons/loaders/MTLLoader.js');
      const words = await (await contentOf(library)).text();
      loader.setMaterials(quietly(() => new MTLLoader(managerFor(find)).parse(words, '')));
    }
    return quietly(() => loader.parse(text));
  },
  dae: async (blob, find) => {
    const { ColladaLoader } = await import('three/addons/loaders/ColladaLoader.js');
    // three would turn scenes to its own up axis; a linkage wants the file's
    const text = (await blob.text()).replace(/<up_axis>[^<]*<\/up_axis>/, '');
    const scene = quietly(() => new ColladaLoader(managerFor(find)).parse(text, '')?.scene);
    if (!scene) throw new Error('it is no Collada');
    scene.traverse((object) => {
      if (object instanceof THREE.Light || object instanceof THREE.Camera) object.visible = false;
      if (object instanceof THREE.Mesh) [object.material].flat().forEach(show);
    });
    return scene;
  },
  glb: async (blob, find) => readGltf(await blob.arrayBuffer(), find),
  gltf: async (blob, find) => readGltf(await blob.text(), find),
};

/** Refuses what has neither the word of a text nor the length that a binary file's header says. */
async function checkStl(blob: Blob): Promise<void> {
  const head = await blob.slice(0, 84).arrayBuffer();
  if (/^\s*solid/.test(new TextDecoder('latin1').decode(head))) return;
  const triangles = head.byteLength === 84 ? new DataView(head).getUint32(80, true) : NaN;
  if (!(84 + 50 * triangles <= blob.size)) throw new Error('it is no STL');
}

async function readGltf(data: ArrayBuffer | string, find: Find): Promise<THREE.Object3D> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  return (await new GLTFLoader(managerFor(find)).parseAsync(data, '')).scene;
}

/** A character of a GLB that has all of its buffers: its scene, and which node an object is. */
export async function readCharacter(data: ArrayBuffer): Promise<{
  scene: THREE.Object3D;
  nodeOf: (object: THREE.Object3D) => number | undefined;
}> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { scene, parser } = await new GLTFLoader(managerFor(() => null)).parseAsync(data, '');
  return { scene, nodeOf: (object) => parser.associations.get(object)?.nodes };
}

/** Some exporters write opacity for transparency: what could not be seen at all is solid. */
function show(material: THREE.Material): void {
  if (material.opacity === 0) [material.opacity, material.transparent] = [1, false];
}

/** What a reader says of a file is news: the file is at fault and not the page. */
function quietly<T>(read: () => T): T {
  const { warn, error } = console;
  console.warn = console.error = console.info;
  try {
    return read();
  } finally {
    Object.assign(console, { warn, error });
  }
}

/** A white point, in place of a picture that is not here. */
const white =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';

/** Loads what a file refers to from the files that came along, and from nowhere else. */
function managerFor(find: Find): THREE.LoadingManager {
  const manager = new THREE.LoadingManager();
  const addresses: string[] = [];
  manager.setURLModifier((url) => {
    if (/^(blob|data):/.test(url)) return url;
    const file = find(url);
    if (file === null) return /\.bin$/i.test(url) ? 'data:,' : white;
    if (typeof file === 'string') return file;
    addresses.push(URL.createObjectURL(file));
    return addresses.at(-1)!;
  });
  manager.onLoad = () => addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
  return manager;
}

/** Bytes of a mesh that is read; more would hold up the page. */
const largestMesh = 64e6;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export class MeshSource {
  /** The files with the parts of their paths. */
  readonly #files: readonly (readonly [string[], File])[];
  readonly #read = new Map<string, Promise<THREE.Object3D>>();

  constructor(files: Files = new Map()) {
    this.#files = [...files].map(([path, file]) => [partsOf(path), file]);
  }

  /** Why a mesh cannot be read, '': it may be. */
  refusal(name: string): string {
    if (!isMesh(name)) return `meshes are ${meshEndings.join(', ')}`;
    const file = this.#find(name);
    if (file === null) return 'not among the files';
    return file instanceof Blob && file.size > largestMesh
      ? `it has ${megabytes(file.size)}: up to ${megabytes(largestMesh)} are read`
      : '';
  }

  /** A mesh for one place; its file is read once for all. */
  async load(name: string): Promise<THREE.Object3D> {
    const { clone } = await import('three/addons/utils/SkeletonUtils.js');
    if (!this.#read.has(name)) this.#read.set(name, this.#load(name));
    return clone(await this.#read.get(name)!);
  }

  async #load(name: string): Promise<THREE.Object3D> {
    const file = this.#find(name)!;
    // what a served file refers to is served beside it, and not elsewhere
    const beside = (other: string): File | null => {
      if (typeof file !== 'string') return null;
      const here = new URL(file, location.href);
      const there = new URL(other, here);
      return there.origin === here.origin ? there.href : null;
    };
    const find: Find = (other) => this.#find(other) ?? beside(other);
    return readers[ending(name) as MeshEnding](await contentOf(file), find);
  }

  // the file whose path agrees with the longest end of the name
  #find(name: string): File | null {
    const wanted = partsOf(name);
    let best: { file: File; agreed: number } | null = null;
    for (const [parts, file] of this.#files) {
      let agreed = 0;
      while (agreed < wanted.length && parts[agreed] === wanted[agreed]) agreed++;
      if (agreed > (best?.agreed ?? 0)) best = { file, agreed };
    }
    return best?.file ?? null;
  }
}

/** The parts of a path or an address without its scheme, last first, in small letters. */
function partsOf(name: string): string[] {
  const path = name.replace(/^[a-z]+:\/\//i, '').toLowerCase();
  return path.split(/[/\\]/).filter(Boolean).reverse();
}

async function contentOf(file: File): Promise<Blob> {
  if (typeof file !== 'string') return file;
  const response = await fetch(file);
  if (!response.ok) throw new Error(`the server says ${response.status}`);
  return response.blob();
}
