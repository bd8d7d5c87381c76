// library.ts - the module with clips, which comes when there is motion for the first time.

import { type LimberWithClips, load } from 'limber';

let loading: Promise<LimberWithClips> | null = null;

export function clipsLibrary(): Promise<LimberWithClips> {
  loading ??= load({ clips: true }).catch((error: unknown) => {
    // another try may find the server again
    loading = null;
    throw error;
  });
  return loading;
}
