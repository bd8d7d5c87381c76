// archives.ts - the files in ZIP archives, as if the folder in each had been dropped.

import { unzip } from '../../../limber/zip.js';

/** What some systems put beside the files. */
const besides = /(^|\/)(__MACOSX\/|\.(?![./]))/;

/** No files where none can be read; `refuse` is told why. */
export async function unpacked(
  archives: ReadonlyMap<string, Blob>,
  refuse: (words: string) => void,
): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  for (const [name, archive] of archives) {
    const bytes = new Uint8Array(await archive.arrayBuffer());
    const all = await unzip(bytes).catch(({ message }: Error) => refuse(`${name}: ${message}`));
    for (const [path, bytes] of Object.entries(all ?? {}))
      if (!path.endsWith('/') && !besides.test(path))
        files.set(path, new File([bytes as BlobPart], path.split('/').at(-1)!));
  }
  return files;
}
