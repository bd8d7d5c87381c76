// wasm.js - finding, choosing and starting the WebAssembly module.

/** A module of some bytes that only engines with 128-bit SIMD accept: i8x16.splat. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

export function hasSimd() {
  return WebAssembly.validate(simdProbe);
}

/** A compiled module from a URL; in node, files are read without fetch. */
async function compileFrom(url) {
  if (url.protocol === 'file:') {
    const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // a server may send .wasm with another type, which streaming refuses
  return WebAssembly.compile(await response.arrayBuffer());
}

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
    return compileFrom(new URL(module, import.meta.url));
  return module instanceof WebAssembly.Module ? module : WebAssembly.compile(module);
}

/** A module that runs; the options are those of compile(). */
export async function instantiate(options = {}) {
  const { simd = hasSimd() } = options;
  return { instance: await WebAssembly.instantiate(await compile(options), {}), simd };
}
