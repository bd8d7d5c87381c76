// saving.ts - files that can be saved: how they are made and downloaded.

export interface SavedFile {
  name: string;
  blob: Blob;
}

/** An entry of the menu of what can be saved. */
export interface Saving {
  id: string;
  label: string;
  /** Under a heading: what it is of, and what is said there. */
  of?: string;
  short?: string;
  hint: string;
  /** null: something else was done, and there is no file. */
  save: () => Promise<SavedFile | null> | SavedFile | null;
}

export const text = (name: string, content: string, type: string): SavedFile => ({
  name,
  blob: new Blob([content], { type }),
});

export const json = (name: string, value: unknown): SavedFile =>
  text(name, JSON.stringify(value, null, 2) + '\n', 'application/json');

/** Rows of numbers with names above. */
export function csv(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (number | string)[])[],
): SavedFile {
  const quoted = heads.map((head) =>
    /[",\n]/.test(head) ? `"${head.replaceAll('"', '""')}"` : head,
  );
  return text(name, [quoted, ...rows].map((row) => row.join(',')).join('\n') + '\n', 'text/csv');
}

export function download(file: SavedFile | null): void {
  if (!file) return;
  const { name, blob } = file;
  const url = URL.createObjectURL(blob);
  const anchor = Object.assign(document.createElement('a'), { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
