// worker.ts - the thread that reads, retargets, corrects and writes motions, so that the page does not
// stand still meanwhile. One request at a time.

import { LimberError, load } from 'limber';
import { Maker } from './maker';
import type { Calls, Failure, Reply, Request } from './messages';

/** The worker's side of the channel. */
const channel = self as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(reply: Reply, moved: Transferable[]): void;
};

let maker: Promise<Maker> | null = null;

const failureOf = (error: unknown): Failure =>
  error instanceof LimberError
    ? { message: error.message, code: error.code, line: error.line }
    : { message: error instanceof Error ? error.message : String(error) };

/** The buffers in a result, which move to the page instead of being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) return [value];
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  // lists hold no arrays of numbers that are large
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(buffersOf);
}

channel.onmessage = async ({ data }) => {
  if ('module' in data) {
    maker = load({ clips: true, module: data.module }).then((library) => new Maker(library));
    return;
  }
  const { job, call, wanted } = data;
  try {
    const calls: Calls = await maker!;
    const made = await (calls[call] as (wanted: unknown) => Promise<unknown>).call(calls, wanted);
    channel.postMessage({ job, made }, buffersOf(made));
  } catch (error) {
    channel.postMessage({ job, failure: failureOf(error) }, []);
  }
};
