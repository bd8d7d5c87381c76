/** The files of a ZIP archive; throws a LimberError where it is damaged. */
export function unzip(bytes: Uint8Array): Promise<Record<string, Uint8Array>>;
/** An archive of files, which are stored as they are. */
export function zip(files: readonly (readonly [string, Uint8Array])[]): Uint8Array;
