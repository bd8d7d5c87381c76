// meshes.ts - the mesh files that were opened along with a model, by the names it gives them.
//
// A name is "package://arm/meshes/link.stl" or a path; a file is found by the longest
// end of the name that any file's path has. Each kind of file has a loader of three's,
// fetched when the first such file comes.

import * as THREE from 'three';

/** The files that came with a model, by their paths: as they are, or where they are. */
export type File = Blob | string;
export type Files = ReadonlyMap<string, File>;

type Find = (name: string) => File | null;
type Reader = (blob: Blob, find: Find) => Promise<THREE.Object3D>;

const plain = new THREE.MeshStandardMaterial({ color: 0xb9c0cb, roughness: 0.55, metalness: 0.05 });

const readers: Record<string, Reader> = {
  stl: async (blob) => {
    const { STLLoader } = await import('three/addons/loaders/STLLoader.js');
    return new THREE.Mesh(new STLLoader().parse(await blob.arrayBuffer()), plain);
  },
  obj: async (blob) => {
    const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
    return new OBJLoader().parse(await blob.text());
  },
  dae: async (blob, find) => {
    const { ColladaLoader } = await import('three/addons/loaders/ColladaLoader.js');
    const scene = new ColladaLoader(managerFor(find)).parse(await blob.text(), '')?.scene;
    if (!scene) throw new Error('no scene in the file');
    // three turns scenes to its own up axis; a linkage wants the file's
    scene.rotation.set(0, 0, 0);
    scene.traverse((object) => {
      if (object instanceof THREE.Light || object instanceof THREE.Camera) object.visible = false;
    });
    return scene;
  },
  glb: async (blob, find) => readGltf(await blob.arrayBuffer(), find),
  gltf: async (blob, find) => readGltf(await blob.text(), find),
};

async function readGltf(data: ArrayBuffer | string, find: Find): Promise<THREE.Object3D> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  return (await new GLTFLoader(managerFor(find)).parseAsync(data, '')).scene;
}

/** Loads what a file refers to from the files that came along. */
function managerFor(find: Find): THREE.LoadingManager {
  const manager = new THREE.LoadingManager();
  manager.setURLModifier((url) => {
    const file = url.startsWith('blob:') || url.startsWith('data:') ? null : find(url);
    return file instanceof Blob ? URL.createObjectURL(file) : (file ?? url);
  });
  return manager;
}

const ending = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

export class MeshSource {
  readonly #files: Files;

  constructor(files: Files = new Map()) {
    this.#files = files;
  }

  has(name: string): boolean {
    return ending(name) in readers && this.#find(name) !== null;
  }

  /** Hands the mesh to `done` when it is there; says nothing when it cannot be read. */
  load(
    name: string,
    material: THREE.Material | null,
    done: (object: THREE.Object3D) => void,
  ): void {
    const file = this.#find(name);
    const reader = readers[ending(name)];
    if (file === null || !reader) return;
    // what a served file refers to is served beside it
    const beside = (other: string): File | null =>
      typeof file === 'string' ? new URL(other, new URL(file, location.href)).href : null;
    contentOf(file)
      .then((blob) => reader(blob, (other) => this.#find(other) ?? beside(other)))
      .then(
        (object) => {
          object.traverse((part) => {
            if (!(part instanceof THREE.Mesh)) return;
            part.castShadow = part.receiveShadow = true;
            if (material) part.material = material;
          });
          done(object);
        },
        (error: unknown) => console.info(`${name} could not be read: ${String(error)}`),
      );
  }

  // the file whose path agrees with the longest end of the name
  #find(name: string): File | null {
    const wanted = partsOf(name);
    let best: { file: File; agreed: number } | null = null;
    for (const [path, file] of this.#files) {
      const parts = partsOf(path);
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
  return path.split('/').filter(Boolean).reverse();
}

async function contentOf(file: File): Promise<Blob> {
  return typeof file === 'string' ? (await fetch(file)).blob() : file;
}
