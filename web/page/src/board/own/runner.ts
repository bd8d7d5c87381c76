// runner.ts - runs a typed method in a worker of its own, with a time limit.
//
// The worker's script is a data: address. So it has an origin of its own: it cannot read what this page
// keeps, and inherits the page's policy, which lets it reach no other host and evaluate no other text.

import bench from './bench.js?raw';
import type { Answer, Job } from './method';

/** Milliseconds for one answer, and for the worker to begin. */
const limit = 1000;
const patience = 10_000;

/** The next message of a worker. */
function reply(worker: Worker, within: number, late: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // a page that was busy gets the second half to read it
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(new Error(late)), within / 2);
    }, within / 2);
    worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      const where = event.lineno > 1 ? ` (line ${event.lineno - 1})` : '';
      reject(new Error(`${(event.message ?? late).replace(/^Uncaught /, '')}${where}`));
    };
  });
}

export class Runner {
  readonly #worker: Worker;
  #last: Promise<unknown>;

  constructor(code: string) {
    // the code begins in the second line
    const text = `'use strict'; const codeLines = ${code.split('\n').length}; const makeStep = () => {
${code}
if (typeof step !== 'function') throw new Error('there is no function step(arm, q, target)');
return step; };
${bench}
//# sourceURL=own.js`;
    this.#worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`);
    this.#last = reply(this.#worker, patience, 'the worker did not begin');
  }

  /** One job after the other; throws, and ever after, if the code does not begin or has no end. */
  run(job: Job): Promise<Answer> {
    const answer = this.#last.then(async () => {
      this.#worker.postMessage(job);
      const late = `stopped: no end after ${limit / 1000} s`;
      return sound(await reply(this.#worker, limit, late), job);
    });
    this.#last = answer;
    return answer;
  }

  end(): void {
    this.#worker.terminate();
  }
}

/** An answer as it must be: the code in the worker can post anything. */
function sound(given: unknown, { start, goals, most, every }: Job): Answer {
  const { frames, still, failure } = (given ?? {}) as Partial<Answer>;
  const isPose = (q: unknown): boolean =>
    Array.isArray(q) && q.length === start.length && q.every(Number.isFinite);
  const longest = every ? most : goals.length;
  if (!Array.isArray(frames) || frames.length > longest || !frames.every(isPose))
    throw new Error('the code answered in place of its step');
  return { frames, still: still === true, failure: typeof failure === 'string' ? failure : '' };
}
