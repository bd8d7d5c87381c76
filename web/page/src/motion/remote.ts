// remote.ts - the worker that reads, retargets, corrects and writes motions, as the page sees it.
//
// It does one thing at a time and cannot be interrupted. What replaces a request that it is busy with
// waits a moment for it, and then another worker takes its place: a request says all it needs.

import { LimberError } from 'limber';
import { clipsModule } from './library';
import type { Calls, Failure, Reply, Request } from './maker/messages';

/** Why there is no result: something else is wanted by now. */
export class Superseded extends Error {
  constructor() {
    super('something else is wanted by now');
  }
}

/** Milliseconds in which a worker may end what is no longer wanted; another one starts in about as many. */
const patience = 300;

type Name = keyof Calls;
type Wanted<N extends Name> = Parameters<Calls[N]>[0];
type Made<N extends Name> = Awaited<ReturnType<Calls[N]>>;

interface Job {
  job: number;
  call: Name;
  wanted: unknown;
  resolve(made: unknown): void;
  reject(error: unknown): void;
}

const errorOf = ({ message, code, line }: Failure): Error =>
  code === undefined ? new Error(message) : new LimberError(message, code, line);

export class Remote {
  #worker: Worker | null = null;
  /** The first one is what the worker does, if it is busy. */
  #jobs: Job[] = [];
  #busy = false;
  #serial = 0;
  #impatience = 0;

  /** It is there when it is wanted; one that cannot be started is refused then. */
  start(): void {
    try {
      this.#begin();
    } catch {
      // the request that needs it says so
    }
  }

  #begin(): void {
    if (this.#worker) return;
    const worker = new Worker(new URL('./maker/worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#take(data);
    // one that was stopped has nothing more to say
    const fail = (error: unknown): void => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(new Error(event.message || 'the worker for motions could not be started'));
    };
    worker.onmessageerror = () => fail(new Error('what the worker for motions made is unreadable'));
    clipsModule().then((module) => worker.postMessage({ module } satisfies Request), fail);
  }

  /** Reads a motion: in place of all that was requested before and is not written into a file. */
  open = (wanted: Wanted<'open'>): Promise<Made<'open'>> => this.#replace('open', wanted);
  source = (wanted: Wanted<'source'>): Promise<Made<'source'>> => this.#replace('source', wanted);
  target = (wanted: Wanted<'target'>): Promise<Made<'target'>> => this.#replace('target', wanted);
  write = (wanted: Wanted<'write'>): Promise<Made<'write'>> => this.#send('write', wanted);

  #replace<N extends Name>(call: N, wanted: Wanted<N>): Promise<Made<N>> {
    const replaced = this.#jobs.filter((job) => job.call !== 'write');
    const [running] = this.#busy ? this.#jobs : [];
    // the one that is running keeps its place until it ends
    this.#jobs = this.#jobs.filter((job) => job.call === 'write' || job === running);
    for (const { reject } of replaced) reject(new Superseded());
    if (running && replaced.includes(running) && this.#impatience === 0)
      this.#impatience = window.setTimeout(() => this.#restart(), patience);
    return this.#send(call, wanted);
  }

  #send<N extends Name>(call: N, wanted: Wanted<N>): Promise<Made<N>> {
    return new Promise<Made<N>>((resolve, reject) => {
      const job = ++this.#serial;
      this.#jobs.push({ job, call, wanted, resolve: resolve as Job['resolve'], reject });
      this.#next();
    });
  }

  #next(): void {
    const [first] = this.#jobs;
    if (this.#busy || !first) return;
    this.#busy = true;
    try {
      this.#begin();
    } catch (error) {
      return this.#fail(error);
    }
    const { job, call, wanted } = first;
    // messages arrive in order: the module before
    void clipsModule().then(
      () => this.#jobs[0] === first && this.#worker?.postMessage({ job, call, wanted } as Request),
      () => {},
    );
  }

  #take({ job, made, failure }: Reply): void {
    const [first] = this.#jobs;
    if (first?.job !== job) return;
    this.#end();
    // what the library did not expect, as memory that is used up, may have left it half done
    if (failure && failure.code === undefined) this.#stop();
    if (failure) first.reject(errorOf(failure));
    else first.resolve(made);
    this.#next();
  }

  // the first job is no longer done
  #end(): void {
    clearTimeout(this.#impatience);
    this.#impatience = 0;
    this.#busy = false;
    this.#jobs.shift();
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #restart(): void {
    this.#stop();
    this.#end();
    this.#next();
  }

  #fail(error: unknown): void {
    this.#stop();
    const [first] = this.#jobs;
    this.#end();
    first?.reject(error);
    this.#next();
  }
}
