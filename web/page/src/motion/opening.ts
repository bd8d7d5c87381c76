// opening.ts - what is opened: examples, motions, figures to retarget onto, contacts and bone maps.

import type { LimberWithClips } from 'limber';
import type { Shelf, Shelves } from '../app/database';
import type { Host } from '../app/host';
import type { ModelOrigin } from '../stage/document';
import { wrongKind } from '../stage/kinds';
import { describe } from '../stage/open';
import { heldOf } from './contacts';
import type { Edits } from './edits';
import { motionExamples } from './examples';
import type { Figures } from './figures';
import { clipsLibrary } from './library';
import { Maker } from './maker/maker';
import type { Calls, Origin } from './maker/messages';
import { nameOf, placed, wordsOf } from './place';
import { type Remote, Superseded } from './remote';
import { sortFiles } from './sort';
import { type Files, shelfOf, type Take, takeOf } from './take';
import type { TargetFigures } from './target_figures';

export interface OpeningParts {
  host: Host;
  remote: Remote;
  figures: Figures;
  targets: TargetFigures;
  edits: Edits;
  /** A motion to play in place of the present one; '': it is of no example. */
  play(take: Take, example: string): void;
  /** What is read, or that nothing is, has changed. */
  progress(): void;
  update(): void;
}

export class Opening {
  readonly #parts: OpeningParts;
  #library: LimberWithClips | null = null;
  /** How many times something was opened. */
  #turn = 0;
  /** Something has played, or what the project has was tried. */
  #begun = false;
  #reading = '';
  #serial = 0;
  /** The example that was opened last; '': a file. */
  #example = '';
  readonly #kept: Pick<Shelves, 'motion' | 'target'>;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
    const { motion, target } = parts.host.kept;
    this.#kept = { motion, target };
  }

  /** Null until something is opened. */
  get library(): LimberWithClips | null {
    return this.#library;
  }

  /** What is read now, in words; '': nothing. */
  get reading(): string {
    return this.#reading;
  }

  /** The files that a project keeps: those that it began with until others were opened. */
  get shelves(): Shelves {
    const { take } = this.#parts.figures;
    if (!take && this.#kept.motion) return this.#kept;
    const motion = take && take.origin.example === '' ? shelfOf(take.origin) : null;
    return { motion, target: this.#parts.targets.shelf };
  }

  // the figure first: the motion is retargeted onto it
  async #openKept({ motion, target }: Shelves): Promise<void> {
    const { targets } = this.#parts;
    const fileOf = ({ files, about }: Shelf): Omit<Origin, 'serial'> => {
      const { path, figure } = about as { path: string; figure: string };
      return { example: '', path, files, figure };
    };
    await this.#read('what this project has', async (library, isLast) => {
      const { model } = (target?.about ?? {}) as { model?: ModelOrigin };
      if (target && model) targets.drop({ origin: model, files: target.files });
      else if (target) targets.dropCharacter(await this.#takeOf(library, fileOf(target)));
      if (!motion || !isLast()) return;
      const take = await this.#takeOf(library, fileOf(motion));
      if (isLast()) this.#play(take, '');
    });
  }

  /** Opens what the project has; a visitor without a file sees the first example. */
  follow(example: string): void {
    const begins = !this.#begun && this.#reading === '';
    if (begins && (this.#kept.motion || this.#kept.target)) {
      this.#begun = true;
      this.#example = example;
      // a figure may have been kept without a motion
      return void this.#openKept(this.#kept).then(() => {
        if (!this.#parts.figures.take) void this.openExample(example || motionExamples[0]!.id);
      });
    }
    // undo, or a link, may name another example
    if (example !== '' && example !== this.#example) {
      this.#example = example;
      void this.openExample(example);
    }
    if (begins && this.#reading === '') {
      this.#begun = true;
      void this.openExample(motionExamples[0]!.id);
    }
  }

  // reads something; what is wrong with it is said, and what is there stays then
  async #read(
    what: string,
    action: (library: LimberWithClips, isLast: () => boolean) => Promise<void>,
  ): Promise<void> {
    const turn = ++this.#turn;
    const isLast = (): boolean => turn === this.#turn;
    this.#reading = `Reading ${what}`;
    this.#parts.progress();
    try {
      this.#library ??= await clipsLibrary();
      if (isLast()) await action(this.#library, isLast);
    } catch (error) {
      if (!(error instanceof Superseded)) this.#parts.host.say(wordsOf(error), 'error');
    }
    if (!isLast()) return;
    this.#done();
    // ready for what comes next
    this.#parts.remote.start();
  }

  // what plays has been shown already
  #done(): void {
    if (this.#reading === '') return;
    this.#reading = '';
    this.#parts.update();
  }

  async openExample(example: string): Promise<void> {
    const row = motionExamples.find(({ id }) => id === example);
    if (!row) return;
    await this.#read(row.title, async (library, isLast) => {
      const figure = this.#parts.targets.open(library, `builtin:${row.figure}`)!;
      const origin = { ...{ example, path: '', files: new Map() }, figure: figure.figure.model };
      figure.release();
      const take = await this.#takeOf(library, origin);
      // something else was opened meanwhile
      if (isLast()) this.#play(take, example);
    });
  }

  /**
   * A motion, with a robot if one came along; or a robot alone, contacts, a map, for the motion that
   * is here.
   */
  async openFiles(files: Files): Promise<void> {
    const first = [...files.keys()][0] ?? 'this';
    await this.#read(nameOf(first), async (library, isLast) => {
      const { motions, robot, contacts, map } = await sortFiles(files);
      if (!isLast()) return;
      if (robot) this.#parts.targets.drop({ origin: await describe(library, robot), files });
      if (motions.length === 0 && !robot && !contacts && !map)
        throw new Error(
          wrongKind(files) ||
            `${first}: it is no motion (BVH, glTF, GLB, VRM, CSV, NPZ, JSON), ` +
              'no robot, no contacts and no map',
        );
      if (motions.length > 0) await this.#openMotion(library, motions[0]!, files, robot, isLast);
      else if (robot) this.#retargetOnto('file');
      if (!isLast()) return;
      this.#done();
      if (map) this.#readMap(library, map);
      if (contacts) this.#readContacts(library, contacts);
    });
  }

  /** What the motion that is here goes onto: a robot, a character, the skeleton of a capture. */
  async openTarget(files: Files): Promise<void> {
    const first = [...files.keys()][0] ?? 'this';
    await this.#read(nameOf(first), async (library, isLast) => {
      const { motions, robot } = await sortFiles(files);
      const path = motions.find((path) => /\.(bvh|glb|gltf|vrma?)$/i.test(path));
      if (robot) this.#parts.targets.drop({ origin: await describe(library, robot), files });
      else if (path) {
        const take = await this.#takeFrom(library, path, files, false);
        if (!isLast()) return;
        this.#parts.targets.dropCharacter(take);
      } else throw new Error(wrongKind(files) || `${first}: it has no figure to retarget onto`);
      this.#retargetOnto('file');
    });
  }

  async #takeOf(library: LimberWithClips, origin: Omit<Origin, 'serial'>): Promise<Take> {
    const known = { ...origin, serial: ++this.#serial };
    // an example takes a moment and does not wait until the worker has started
    const maker: Pick<Calls, 'open'> = origin.example ? new Maker(library) : this.#parts.remote;
    const opened = await maker.open(known);
    const [warning, ...others] = opened.warnings;
    if (warning !== undefined) {
      const more = others.length > 0 ? ` (and ${others.length} more)` : '';
      this.#parts.host.say(warning + more, 'warning');
    }
    const take = takeOf(library, known, opened);
    // its figure is drawn in a task of its own
    await new Promise((done) => setTimeout(done));
    return take;
  }

  async #takeFrom(
    library: LimberWithClips,
    path: string,
    files: Files,
    robot: boolean,
  ): Promise<Take> {
    const needed = [...files].filter(([other]) => other === path || /\.bin$/i.test(other));
    const figure = withoutFigure.test(path) ? this.#robotFor(library, path, robot) : '';
    return this.#takeOf(library, { example: '', path, files: new Map(needed), figure });
  }

  // what a table moves: the robot that came along, else that of the stage
  #robotFor(library: LimberWithClips, path: string, robot: boolean): string {
    try {
      const target = this.#parts.targets.open(library, robot ? 'file' : 'stage')!;
      target.release();
      return target.figure.model;
    } catch (error) {
      throw placed(nameOf(path), error);
    }
  }

  async #openMotion(
    library: LimberWithClips,
    path: string,
    files: Files,
    robot: Files | null,
    isLast: () => boolean,
  ): Promise<void> {
    const take = await this.#takeFrom(library, path, files, robot !== null);
    if (!isLast()) return;
    // a character without animations is what the motion that is here goes onto
    if (!take.first) {
      this.#parts.targets.dropCharacter(take);
      return this.#retargetOnto('file');
    }
    if (robot && !withoutFigure.test(path)) this.#retargetOnto('file');
    this.#play(take, '');
  }

  #readContacts(library: LimberWithClips, { name, text }: { name: string; text: string }): void {
    const { take } = this.#parts.figures;
    if (!take) throw new Error(`${name}: it has contacts; open the motion that they are of first`);
    try {
      const points = library.clips.readContacts(text, take.model, { name });
      this.#parts.edits.setContacts(heldOf(points, take.model));
    } catch (error) {
      throw placed(name, error);
    }
  }

  #readMap(library: LimberWithClips, { name, text }: { name: string; text: string }): void {
    const { take, onto } = this.#parts.figures;
    if (!take || !onto)
      throw new Error(
        `${name}: it is a map; open a motion and choose a figure to retarget onto first`,
      );
    try {
      this.#parts.edits.setMap(library.clips.readMap(text, take.model, onto.model, { name }));
    } catch (error) {
      throw placed(name, error);
    }
  }

  #retargetOnto(choice: string): void {
    const { host, figures } = this.#parts;
    figures.forgetTarget();
    host.store.change('onto', ({ motion }) => void (motion.onto = choice));
    host.show('motion');
  }

  #play(take: Take, example: string): void {
    this.#reading = '';
    this.#begun = true;
    this.#example = example;
    this.#parts.play(take, example);
  }
}

/** Files that say how a model moves and not what it is. */
const withoutFigure = /\.(csv|npz|json)$/i;
