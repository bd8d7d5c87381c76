// view.ts - motions: what is opened plays in the room, on its figure and on another beside it.
//
// source file -> clip -> corrections -> retargeting -> corrections -> what is drawn and saved

import type { Clip, ContactPoint, LimberWithClips, Model } from 'limber';
import type { Host } from '../app/host';
import type { Saving } from '../app/saving';
import { button, type Control, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import type { Files as MeshFiles } from '../stage/meshes';
import { describe } from '../stage/open';
import { takeDrops } from '../stage/models';
import { Actor, sideOf } from './actor';
import { Bar } from './bar';
import { corrected } from './correct';
import type { Correction, MotionState } from './document';
import { Dragging } from './drag';
import { takeOfExample } from './examples';
import { clipsLibrary } from './library';
import { MotionList } from './list';
import { type Onto, OntoList } from './onto';
import { MotionPanel } from './panel';
import { Player } from './player';
import { Room } from './room';
import { motionSavings, type Played } from './savings';
import { type Files, motionsAmong, type Take, takeFrom } from './take';
import type { SkinSource } from './skin';
import { type Lane, Track } from './track';

/** One figure with its motion. */
interface Part {
  actor: Actor;
  clip: Clip;
  /** Before corrections. */
  base: Clip;
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const noOutcome = { kind: '' as 'good' | 'bad' | '', words: '' };

export class MotionView {
  readonly element: HTMLElement;
  readonly player: Player;
  readonly room: Room;
  readonly #host: Host;
  readonly #list: MotionList;
  readonly #panel: MotionPanel;
  readonly #bar: Bar;
  readonly #track: Track;
  readonly #ontoList: OntoList;
  readonly #accompany: Control;
  readonly #bones: Control;

  #library: LimberWithClips | null = null;
  #take: Take | null = null;
  #part = 0;
  #onto: Onto | null = null;
  #source: Part | null = null;
  #target: Part | null = null;
  #lanes: Lane[] = [];
  #outcome = noOutcome;
  // what the parts were made for
  #made = { source: '', target: '', contacts: '' };
  #wanted = '';

  constructor(host: Host) {
    this.#host = host;
    const canvas = h('canvas.room', {
      tabindex: 0,
      'aria-label':
        'The motion: drag a part of a figure to correct it, drag beside it to turn the view',
    });
    // the world measures what its canvas is in
    const frame = h('div.room-box', {}, canvas);
    this.room = new Room(canvas);
    this.player = new Player({
      pace: () => this.#motion.pace,
      loop: () => this.#motion.loop,
    });
    this.#ontoList = new OntoList(() => host.stageModel);
    this.#list = new MotionList(
      (example) => void this.openExample(example),
      (files) => void this.openFiles(files),
    );
    this.#track = new Track(this.player, {
      seek: (time) => this.seek(time),
      step: (by) => this.step(by),
      frameOf: (time) => this.#frameOf(time),
    });
    this.#bar = new Bar(host.store, this.player, {
      play: () => this.play(),
      step: (by) => this.step(by),
      frameOf: (time) => this.#frameOf(time),
    });
    this.#panel = new MotionPanel(host.store, {
      facts: () => this.#facts(),
      parts: () => this.#take?.parts ?? [],
      part: () => this.#part,
      setPart: (part) => this.setPart(part),
      onto: () => this.#ontoList.choices,
      outcome: () => this.#outcome,
      corrections: () => this.corrections,
      savings: () => this.savings(),
      refuse: (error) => host.say(wordsOf(error), 'error'),
    });
    this.#accompany = toggle({
      label: 'Go along',
      hint: 'The view goes with the figure',
      get: () => this.#motion.accompany,
      set: (value) => host.store.adjust(({ motion }) => void (motion.accompany = value)),
    });
    this.#bones = toggle({
      label: 'Bones',
      hint: 'The bones of a character in place of its mesh',
      get: () => this.#motion.bones,
      set: (value) => host.store.adjust(({ motion }) => void (motion.bones = value)),
    });
    frame.append(
      h(
        'div.room-tools',
        { role: 'toolbar', 'aria-label': 'View' },
        this.#accompany.element,
        this.#bones.element,
        button('Fit view', () => this.look(), {
          class: 'button',
          id: 'look-motion',
          title: 'All figures in view (V)',
        }),
      ),
      this.room.labels,
    );
    this.element = h(
      'main.view.stage-view.motion-view',
      { id: 'motion' },
      this.#list.element,
      h('div.centre', {}, frame, h('div.timeline', {}, this.#bar.element, this.#track.element)),
      this.#panel.element,
    );
    takeDrops(this.element, frame, (files) => void this.openFiles(files));
    this.room.world.onFrame = (now) => this.#frame(now);
    new Dragging(this.room, {
      library: () => this.#library!,
      poseOf: (actor) => this.#partOf(actor)?.clip.at(this.player.time) ?? null,
      begin: () => this.player.toggle(false),
      show: () => this.room.world.redraw(),
      end: (actor, link, point, by) => this.#correct(actor, link, point, by),
    });
  }

  get #motion(): MotionState {
    return this.#host.store.state.motion;
  }

  get library(): LimberWithClips | null {
    return this.#library;
  }

  /** What is played now, for tests and for saving. */
  get played(): Played[] {
    const played: Played[] = [];
    if (this.#take && this.#source)
      played.push({
        who: 'source',
        name: this.#take.name,
        clip: this.#source.clip,
        saves: this.#take.saves,
      });
    if (this.#onto && this.#target)
      played.push({
        who: 'target',
        name: this.#onto.name,
        clip: this.#target.clip,
        saves: this.#onto.saves,
      });
    return played;
  }

  get lanes(): readonly Lane[] {
    return this.#lanes;
  }

  savings(): Saving[] {
    return motionSavings(this.played, this.room.world);
  }

  // ---- opening ----

  async openExample(example: string): Promise<void> {
    try {
      this.#library ??= await clipsLibrary();
      const take = takeOfExample(this.#library, example);
      if (take) this.#open(take, example);
    } catch (error) {
      this.#host.say(wordsOf(error), 'error');
    }
  }

  /** A motion, with a robot if one came along; or a robot alone, for the motion that is here. */
  async openFiles(files: Files): Promise<void> {
    try {
      this.#library ??= await clipsLibrary();
      const motions = motionsAmong(files);
      const robot = [...files.keys()].some((path) => /\.(urdf|xml|json)$/i.test(path));
      if (robot) this.#ontoList.drop({ origin: await describe(withoutMotions(files)), files });
      if (motions.length === 0 && !robot)
        throw new Error(
          `${[...files.keys()][0] ?? 'this'}: it is no motion: BVH, glTF, GLB, VRM or CSV, and no robot`,
        );
      if (motions.length === 0) return this.#retargetOnto('file');
      const warnings: string[] = [];
      const take = await takeFrom({
        library: this.#library,
        path: motions[0]!,
        files,
        robot: () => this.#ontoList.open(this.#library!, robot ? 'file' : 'stage')!.model,
        warn: (words) => warnings.push(words),
      });
      const isTable = /\.csv$/i.test(motions[0]!);
      this.#openOrCast(take);
      if (robot && !isTable) this.#retargetOnto('file');
      if (warnings.length > 0) {
        const more = warnings.length > 1 ? ` (and ${warnings.length - 1} more)` : '';
        this.#host.say(warnings[0] + more, 'warning');
      }
    } catch (error) {
      this.#host.say(wordsOf(error), 'error');
    }
  }

  // a character without animations is what the motion that is here goes onto
  #openOrCast(take: Take): void {
    if (take.parts.length > 0) return this.#open(take, '');
    this.#ontoList.dropCharacter(take);
    this.#retargetOnto('file');
  }

  #retargetOnto(onto: string): void {
    this.#made.target = '';
    this.#host.store.change('onto', ({ motion }) => void (motion.onto = onto));
    this.#host.show('motion');
  }

  #open(take: Take, example: string): void {
    // what cannot be read changes nothing
    const clip = take.clip(0);
    this.#clear();
    this.#take?.release();
    this.#take = take;
    this.#part = 0;
    this.#wanted = example;
    this.player.time = clip.begin;
    this.#host.store.adjust(({ motion }) => void (motion.example = example));
    this.#host.show('motion');
    this.update();
    this.player.toggle(true);
  }

  setPart(part: number): void {
    this.#part = part;
    this.player.time = -Infinity;
    this.update();
  }

  // ---- playing ----

  play(): void {
    this.player.toggle();
    this.#bar.place();
  }

  seek(time: number): void {
    this.player.toggle(false);
    this.player.seek(time);
    this.#show();
  }

  /** To the next frame, or the one before. */
  step(by: number): void {
    const clip = this.#source?.clip;
    if (!clip) return;
    const [frame, count] = this.#frameOf(this.player.time);
    this.seek(clip.timeOf(Math.min(count - 1, Math.max(0, frame + by))));
  }

  look(): void {
    this.room.look();
  }

  // the key that is nearest to a time, and how many there are
  #frameOf(time: number): [number, number] {
    const clip = this.#source?.clip;
    if (!clip) return [0, 0];
    let [low, high] = [0, clip.count - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (clip.timeOf(middle) <= time) low = middle;
      else high = middle;
    }
    const nearer = clip.timeOf(high) - time < time - clip.timeOf(low) ? high : low;
    return [nearer, clip.count];
  }

  #frame(now: number): boolean {
    if (this.#host.store.state.view !== 'motion') return false;
    const playing = this.player.frame(now);
    if (playing) this.#show();
    this.room.frame();
    return playing;
  }

  // every figure at the present time
  #show(): void {
    for (const part of [this.#source, this.#target])
      part?.actor.show(part.clip.at(this.player.time));
    if (this.#motion.accompany && this.player.playing) this.room.accompany();
    else this.room.settle();
    this.#bar.place();
    this.#track.place();
    this.room.world.redraw();
  }

  // ---- correcting ----

  #partOf(actor: Actor): Part | null {
    return [this.#source, this.#target].find((part) => part?.actor === actor) ?? null;
  }

  #correct(actor: Actor, link: number, point: number[], by: number[]): void {
    const { width } = this.#motion;
    const correction: Correction = {
      on: actor === this.#target?.actor ? 'target' : 'source',
      link: actor.model.links[link]!.name,
      point,
      time: this.player.time,
      by,
      width,
    };
    const known = this.corrections;
    this.#host.store.change('correction', ({ motion }) => {
      motion.corrections = [...known, correction];
      motion.take = this.#id;
    });
    this.update();
  }

  // ---- keeping up with the state ----

  get #id(): string {
    return this.#take ? `${this.#take.id}, ${this.#part}` : '';
  }

  /** Those that belong to the motion that is here: undo may lead to those of another one. */
  get corrections(): readonly Correction[] {
    const { take, corrections } = this.#motion;
    return take === this.#id ? corrections : [];
  }

  #on(which: Correction['on']): Correction[] {
    return this.corrections.filter(({ on }) => on === which);
  }

  #clear(): void {
    for (const part of [this.#source, this.#target]) this.#drop(part);
    this.#target?.base.release();
    this.#onto?.release();
    this.#source = this.#target = this.#onto = null;
    this.#made = { source: '', target: '', contacts: '' };
    this.#outcome = noOutcome;
  }

  #drop(part: Part | null): void {
    if (!part) return;
    part.actor.dispose();
    if (part.clip !== part.base) part.clip.release();
  }

  #prepare(): void {
    const take = this.#take;
    const library = this.#library;
    if (!take || !library) return;
    const source = JSON.stringify([this.#part, this.#on('source')]);
    if (source !== this.#made.source) this.#makeSource(library, take, source);
    const { onto, held, speedLimits } = this.#motion;
    const target = JSON.stringify([source, onto, held, speedLimits, this.#on('target')]);
    if (target !== this.#made.target) this.#makeTarget(library, take, target);
  }

  #makeSource(library: LimberWithClips, take: Take, key: string): void {
    const base = take.clip(this.#part);
    const clip = corrected(library, base, this.#on('source'));
    const before = this.#source;
    const actor = before?.actor ?? this.#actor(take.model, take.name, new Map(), take.skin);
    if (before && before.clip !== before.base) before.clip.release();
    this.#source = { actor, clip, base };
    this.#made.source = key;
    this.player.span(clip.begin, clip.end);
    this.#findLanes(library, take, clip);
    if (!before) this.#arrange(true);
  }

  #actor(model: Model, name: string, files: MeshFiles, skin: SkinSource | null): Actor {
    const actor = new Actor(model, name, files, () => this.room.world.redraw());
    if (skin)
      actor.wear(skin).then(
        () => {
          this.update();
          this.look();
        },
        (error: unknown) => this.#host.say(`${name}: its mesh: ${wordsOf(error)}`, 'warning'),
      );
    return actor;
  }

  #findLanes(library: LimberWithClips, take: Take, clip: Clip): void {
    try {
      const points = library.clips.findContacts(clip, { rest: take.rest });
      this.#lanes = lanesOf(points);
    } catch {
      // what has no feet has no contacts
      this.#lanes = [];
    }
  }

  // what the source does on another figure, which is kept while only its motion changes
  #makeTarget(library: LimberWithClips, take: Take, key: string): void {
    const { onto, held, speedLimits } = this.#motion;
    this.#made.target = key;
    this.#drop(this.#target);
    this.#target?.base.release();
    this.#onto?.release();
    this.#target = this.#onto = null;
    this.#outcome = noOutcome;
    try {
      this.#onto = this.#ontoList.open(library, onto);
      if (this.#onto) this.#retarget(library, take, this.#onto, held, speedLimits);
    } catch (error) {
      this.#onto?.release();
      this.#onto = null;
      this.#outcome = { kind: 'bad', words: wordsOf(error) };
    }
    this.#arrange(false);
  }

  #retarget(
    library: LimberWithClips,
    take: Take,
    onto: Onto,
    held: boolean,
    speedLimits: boolean,
  ): void {
    const begin = performance.now();
    const { clip: base, report } = library.clips.retarget(this.#source!.clip, onto.model, {
      rest: take.rest,
      unlocked: !held,
      anySpeed: !speedLimits,
    });
    const seconds = (performance.now() - begin) / 1000;
    const clip = corrected(library, base, this.#on('target'));
    this.#target = { actor: this.#actor(onto.model, onto.name, onto.files, onto.skin), clip, base };
    const slowed = report.slowed > 0 ? `; a speed limit holds back ${report.slowed} of them` : '';
    this.#outcome = {
      kind: 'good',
      words:
        `${report.frames} frames in ${seconds.toFixed(2)} s, at ${report.rootScale.toFixed(2)} of the size; ` +
        `feet that rest slide ${(1000 * report.worstSlide).toFixed(2)} mm at most${slowed}.`,
    };
  }

  // the figures side by side; a new motion is looked at as a whole
  #arrange(fresh: boolean): void {
    const source = this.#source;
    if (!source) return;
    const parts = [source, ...(this.#target ? [this.#target] : [])];
    const count = this.room.actors.length;
    this.room.set(
      parts.map(({ actor }) => actor),
      sideOf(source.base),
    );
    for (const { actor, clip } of parts) actor.show(clip.at(this.player.time));
    if (fresh || parts.length !== count) this.room.furnish(groundOf(this.#lanes, source));
  }

  #facts(): [string, string][] {
    const clip = this.#source?.clip;
    if (!this.#take || !clip) return [];
    const rate = clip.rate(1e-3);
    return [
      ...this.#take.facts.map(([name, value]): [string, string] => [name, value]),
      ['Frames', String(clip.count)],
      ['Rate', rate > 0 ? `${Number(rate.toFixed(2))} a second` : 'uneven'],
      ['Length', `${(clip.end - clip.begin).toFixed(2)} s`],
    ];
  }

  update(): void {
    const { view, motion } = this.#host.store.state;
    if (view !== 'motion') return;
    // undo, or a link, may name another example
    if (motion.example !== '' && motion.example !== this.#wanted) {
      this.#wanted = motion.example;
      void this.openExample(motion.example);
    }
    try {
      this.#prepare();
    } catch (error) {
      this.#host.say(wordsOf(error), 'error');
    }
    this.#list.update(motion.example, motion.example === '' ? (this.#take?.name ?? '') : '');
    this.#panel.update();
    this.#bar.update();
    this.#accompany.update();
    this.#bones.update();
    this.#bones.element.hidden = !this.room.actors.some(({ hasSkin }) => hasSkin);
    for (const actor of this.room.actors) actor.bones = motion.bones;
    const hint = this.#take ? '' : 'Open or drop a motion: it plays here.';
    this.#track.update(this.#lanes, this.corrections, hint);
    if (this.#source) this.#show();
  }

  recolor(): void {
    this.room.world.recolor();
  }
}

/** Files without those of motion, whose formats some meshes have, too. */
const withoutMotions = (files: Files): Files =>
  new Map([...files].filter(([path]) => !/\.(bvh|csv)$/i.test(path)));

/** Heel and toe of each foot. */
function lanesOf(points: readonly ContactPoint[]): Lane[] {
  if (points.length !== 4) return [];
  return [
    { name: 'Left', side: 'left', points: points.slice(0, 2) },
    { name: 'Right', side: 'right', points: points.slice(2) },
  ];
}

/** The height of the ground: where feet rest, else the lowest link of the first frame. */
function groundOf(lanes: readonly Lane[], { actor, base }: Part): number {
  const rests = lanes.flatMap(({ points }) => points).some(({ spans }) => spans.length > 0);
  if (rests) {
    const heights = lanes.flatMap(({ points }) => points.map(({ height }) => height));
    return Math.min(...heights);
  }
  const t = actor.state.update(base.at(base.begin)).transforms;
  let low = Infinity;
  for (let i = 12; i < t.length; i += 12) low = Math.min(low, t[i + 11]!);
  return Number.isFinite(low) ? Math.min(low, 0) : 0;
}
