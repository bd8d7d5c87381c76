// library.ts - the module with clips, which comes when there is motion for the first time: once for
// this page and its worker.

import { compile, type LimberWithClips, load } from 'limber';

/** What comes once, and is tried again after a failure: another try may find the server again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}

export const clipsModule = once(() => compile({ clips: true }));

export const clipsLibrary = once<LimberWithClips>(async () =>
  load({ clips: true, module: await clipsModule() }),
);
