// wasi.mjs - runs a WebAssembly program in node: node wasi.mjs PROGRAM [ARGUMENT ...]
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2) });
const { instance } = await WebAssembly.instantiate(
    await readFile(process.argv[2]), { wasi_snapshot_preview1: wasi.wasiImport });
wasi.start(instance);
