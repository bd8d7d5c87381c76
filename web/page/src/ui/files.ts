// files.ts - the files of a drop or a dialog, those in folders too, by their paths.

/** Files of one drop; a larger folder is cut off there. */
const most = 20_000;

/** All files of a drop, those in folders too, by their paths. */
export async function filesOf(items: DataTransfer): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  // entries must be read before anything is awaited
  const entries = [...items.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...items.files];
  if (entries.every((entry) => entry === null)) return pathsOf(plain);
  for (const entry of entries) if (entry) await collect(entry, files);
  return files;
}

/** Files chosen in a dialog, by their paths within the folder. */
export function pathsOf(files: readonly File[]): Map<string, Blob> {
  return new Map(files.map((file) => [file.webkitRelativePath || file.name, file]));
}

async function collect(entry: FileSystemEntry, files: Map<string, Blob>): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) =>
      (entry as FileSystemFileEntry).file(done, fail),
    );
    files.set(entry.fullPath.replace(/^\//, ''), file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // a folder returns some of its entries at a time
    const some = await new Promise<FileSystemEntry[]>((done, fail) =>
      reader.readEntries(done, fail),
    );
    if (some.length === 0) return;
    for (const each of some) {
      if (files.size >= most) return;
      await collect(each, files);
    }
  }
}
