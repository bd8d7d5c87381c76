// node.js - the package in Node.js: the same, and files are read from the disk.

import { readFile } from 'node:fs/promises';
import { readFilesBy } from './wasm.js';

readFilesBy(readFile);

export * from './index.js';
