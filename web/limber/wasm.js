// wasm.js - finding, choosing and starting the WebAssembly module.

/** A module of some bytes that only engines with 128-bit SIMD accept: i8x16.splat. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

export function hasSimd() {
  return WebAssembly.validate(simdProbe);
}

let readFile = null;

/** How files are read where fetch does not read them: node.js says so. */
export function readFilesBy(read) {
  readFile = read;
}

async function bytesOf(url) {
  if (url.protocol === 'file:' && readFile) return readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** A compiled module from a URL. */
async function compileFrom(given) {
  // Vite's development server moves the JavaScript of a package away from its other files
  const url = new URL(given.href.replace('/.vite/deps/', '/limber/'));
  try {
    // a server may send .wasm with another type, which streaming refuses
    return await WebAssembly.compile(await bytesOf(url));
  } catch (error) {
    throw new Error(
      `limber's module is not at ${url} (${error.message}); put the file of the package there, ` +
        'or give load() its address as `module`',
      { cause: error },
    );
  }
}

/** Bundlers look for a file where an address is made from import.meta.url itself. */
const here = import.meta.url;

/** The files beside this one, as bundlers find them: with clips, and with SIMD. */
const files = {
  core: {
    plain: () => new URL('./limber.wasm', import.meta.url),
    simd: () => new URL('./limber-simd.wasm', import.meta.url),
  },
  clips: {
    plain: () => new URL('./limber-clips.wasm', import.meta.url),
    simd: () => new URL('./limber-clips-simd.wasm', import.meta.url),
  },
};

/**
 * @param {{simd?: boolean, clips?: boolean,
 *   module?: WebAssembly.Module | BufferSource | URL | string}} options
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile({ simd = hasSimd(), clips = false, module } = {}) {
  if (module === undefined)
    return compileFrom(files[clips ? 'clips' : 'core'][simd ? 'simd' : 'plain']());
  if (typeof module === 'string' || module instanceof URL)
    return compileFrom(new URL(module, here));
  return module instanceof WebAssembly.Module ? module : WebAssembly.compile(module);
}

/** A module that runs; the options are those of compile(). */
export async function instantiate(options = {}) {
  const { simd = hasSimd() } = options;
  return { instance: await WebAssembly.instantiate(await compile(options), {}), simd };
}
