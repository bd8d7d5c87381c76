// builtin.ts - the models that the library has built in, from the same files.

interface ModelFile {
  name: string;
  summary: string;
  source: string;
  joints?: { kind?: string }[];
}

const files = import.meta.glob<ModelFile>('../../../../models/*.json', {
  eager: true,
  import: 'default',
});

/** By name. */
export const builtin = new Map(
  Object.entries(files).map(([path, file]) => [/([^/]+)\.json$/.exec(path)![1]!, file]),
);
