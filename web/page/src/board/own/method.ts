// method.ts - a method that was typed into the page, among those of the library.
//
// Its steps come from a worker, so they are asked for and come later. Only a code runs that was started
// in this tab, by a button: one that came in a link or a file is shown and waits.

import type { Limber, Method } from 'limber';
import { type Status, status } from '../../ui/status';
import type { Arm, Point } from '../arm';
import { type BoardState, ownName, pane } from '../document';
import { type Frame, outOfReach, type Run, toleranceOf, Worker } from '../run';
import type { Runner } from './runner';

/** What the worker is asked for: steps from a start to each of the goals. */
export interface Job {
  lengths: number[];
  limits: [number | null, number | null][];
  start: number[];
  goals: Point[];
  /** Steps at most to each goal. */
  most: number;
  /** Whether each step is a frame; else each goal. */
  every: boolean;
  tolerance: number;
  /** The number of the chase whose variables go on; 0: a run of its own. */
  chase: number;
}

export interface Answer {
  /** Configurations after the start. */
  frames: number[][];
  /** The last step changed nothing. */
  still: boolean;
  failure: string;
}

export const ownMethod: Method = {
  ...{ index: -1, name: ownName, source: 'yours' },
  summary: 'the function step that is typed under “Your method”',
};

/** The methods of the library, and the typed one if there is one. */
export const methodsOf = ({ methods }: Limber, { own }: BoardState): readonly Method[] =>
  own ? [...methods, ownMethod] : methods;

/** The code that was started last in this tab; a reload keeps it. */
const storage = 'limber-own';

/** The storage of the tab, or nothing where the browser forbids it. */
function tab<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

type Made = { arm: Arm; run: Run };

export class OwnMethod {
  readonly #changed: () => void;
  #started = tab((kept) => kept.getItem(storage)) ?? '';
  #runner: Promise<Runner> | null = null;
  /** A code that was stopped, and why. */
  #halted = { code: '', why: '' };
  #busy = false;
  /** The last answer, and its run on an arm. */
  #last: { code: string; job: Job; answer: Answer; made?: Made } | null = null;
  #asked = '';

  /** `changed` is called when an answer has come. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Why the board's code does not run; '': it does. */
  refusal({ own }: BoardState): string {
    if (own === '') return 'no code is typed';
    if (own === this.#started) return '';
    if (own === this.#halted.code) return this.#halted.why;
    return 'not run: read it, then press Run under “Your method”';
  }

  /** The user starts a code, or none: ''. */
  start(code: string): void {
    this.#started = code;
    tab((kept) => kept.setItem(storage, code));
    this.#halted.code = '';
    this.#last = null;
    this.#asked = '';
    this.#busy = false;
    void this.#runner?.then((runner) => runner.end());
    this.#runner = null;
  }

  /** What the worker answers to the code that was started; null: it was stopped, or there is another by now. */
  async ask(code: string, job: Job): Promise<Answer | null> {
    const runner = (this.#runner ??= import('./runner').then(({ Runner }) => new Runner(code)));
    const answer = await runner
      .then((one) => one.run(job))
      .catch((error: Error) => {
        if (runner !== this.#runner) return null;
        this.start('');
        this.#halted = { code, why: error.message };
        this.#changed();
        return null;
      });
    return runner === this.#runner ? answer : null;
  }

  /** The run that is known by now; one for the board as it is follows. */
  runOf(worker: OwnWorker, board: BoardState): Run {
    const { own: code, start, target } = board;
    const job = jobOf(board, worker.arm);
    const key = JSON.stringify([code, job]);
    if (worker.why === '' && key !== this.#asked && !this.#busy) void this.#fill(code, job, key);
    // the last answer stays until the next has come
    const last = this.#last;
    if (worker.why || last?.code !== code || last.job.start.length !== start.length) {
      const frames = [worker.frame(start, target)];
      return { method: ownName, frames, status: worker.first, refusal: worker.why };
    }
    if (last.made?.arm !== worker.arm)
      last.made = { arm: worker.arm, run: worker.runFrom(last.job, last.answer) };
    return last.made.run;
  }

  async #fill(code: string, job: Job, key: string): Promise<void> {
    this.#busy = true;
    const answer = await this.ask(code, job);
    this.#busy = false;
    this.#asked = answer ? key : '';
    if (answer) this.#last = { code, job, answer };
    this.#changed();
  }
}

/** The run from the start to the target, or along the path. */
function jobOf(board: BoardState, arm: Arm): Job {
  const { motion, frames, perFrame, iterations, start, target } = board;
  const every = motion !== 'path';
  const [x, y] = arm.tip(start);
  const count = every ? 1 : frames;
  const goals = Array.from({ length: count }, (_, k): Point => {
    const t = (k + 1) / count;
    return [x + t * (target[0] - x), y + t * (target[1] - y)];
  });
  return { ...stepsOf(board, start, goals), most: every ? iterations : perFrame, every };
}

const stepsOf = (board: BoardState, start: readonly number[], goals: Point[]): Job => ({
  lengths: board.links.map(({ length }) => length),
  limits: board.links.map(({ lower, upper }) => [lower, upper]),
  ...{ start: [...start], goals, most: board.pace, every: true, chase: 0 },
  // the library measures again: what is at the limit here is there, too
  tolerance: toleranceOf(board) * (1 - 1e-9),
});

let chases = 0;

/** The typed method at work on one arm. */
export class OwnWorker extends Worker {
  /** Why it does not run. */
  readonly why: string;
  readonly #own: OwnMethod;
  readonly #board: BoardState;
  readonly #chase = ++chases;
  /** The last answer, of which frames are taken, and its goal. */
  #answer: (Answer & { goal: Point }) | null = null;
  #busy = false;

  constructor(limber: Limber, arm: Arm, board: BoardState, own: OwnMethod) {
    super(limber, arm, board, pane(ownName));
    this.#own = own;
    this.#board = board;
    this.why = own.refusal(board);
  }

  override get first(): Status {
    return this.why ? status('refused', this.why) : status('moving');
  }

  // how the last answer ends, once its frames are taken; a goal that has moved since is another matter
  #end([x, y]: Point): Answer | null {
    const answer = this.#answer;
    if (this.#busy || !answer || answer.frames.length > 0) return null;
    const { failure, still, goal } = answer;
    return failure || (still && goal[0] === x && goal[1] === y) ? answer : null;
  }

  /** Whether a step is there; if not, it is asked for. */
  override ready(q: ArrayLike<number>, goal: Point): boolean {
    if (this.why || this.#answer?.frames.length || this.#end(goal)) return true;
    void this.#ask(q, goal);
    return false;
  }

  override step(q: ArrayLike<number>, goal: Point): { frame: Frame; status: Status } {
    const frame = this.frame(this.#answer?.frames.shift() ?? q, goal);
    const now = this.#statusOf(frame, this.#end(goal));
    // the next steps are on the way before the next picture
    if (now.kind === 'moving' && !this.#answer?.frames.length) void this.#ask(frame.q, goal);
    return { frame, status: now };
  }

  #statusOf({ error, goal }: Frame, end: Answer | null): Status {
    if (this.why) return this.first;
    if (end?.failure) return status('refused', end.failure);
    if (error <= toleranceOf(this.#board)) return status('arrived');
    if (!end?.still) return status('moving');
    return this.arm.beyond(goal) > 0
      ? outOfReach(this.arm, goal)
      : status('stalled', 'stands still: the step changes nothing');
  }

  async #ask(q: ArrayLike<number>, goal: Point): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const job = { ...stepsOf(this.#board, Array.from(q), [goal]), chase: this.#chase };
    const answer = await this.#own.ask(this.#board.own, job);
    this.#busy = false;
    if (answer) this.#answer = { ...answer, goal };
  }

  /** A run from what the worker answered, measured by the library. */
  runFrom({ start, goals, every }: Job, answer: Answer): Run {
    const begin = this.frame(start, every ? goals[0]! : this.arm.tip(start));
    const steps = answer.frames.map((q, k) => this.frame(q, goals[every ? 0 : k]!));
    const frames = [begin, ...steps];
    return {
      ...{ method: ownName, frames, refusal: '' },
      status: this.#statusOf(frames.at(-1)!, answer),
    };
  }
}
