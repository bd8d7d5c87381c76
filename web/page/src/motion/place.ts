// place.ts - errors with the file and the line that they are of.

import { LimberError } from 'limber';

export const nameOf = (path: string): string => path.split('/').at(-1)!;

/** An error with the file's name and the place before it. */
export function placed(name: string, error: unknown): Error {
  if (!(error instanceof LimberError))
    return error instanceof Error ? error : new Error(String(error));
  const line = error.line > 0 ? `:${error.line}` : '';
  return new LimberError(`${name}${line}: ${error.message}`, error.code, error.line);
}

export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
