// view.ts - motions: what is opened plays in the room, on its figure and on another beside it.

import type { Clip, Joint, LimberWithClips, RetargetMap } from 'limber';
import type { Host } from '../app/host';
import type { Saving } from '../app/saving';
import { button, type Control, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import { describe } from '../stage/open';
import { takeDrops } from '../stage/models';
import { type Actor, sideOf } from './actor';
import { Bar } from './bar';
import { Cast, groundOf, type Wanted } from './cast';
import { ContactEditor } from './contact_editor';
import { heldOf, type Lane, lanesOf, type Span } from './contacts';
import { Crowd } from './crowd';
import type { Correction, HeldPoint, MotionState } from './document';
import { Dragging } from './drag';
import { motionExamples } from './examples';
import { clipsLibrary } from './library';
import { Maker } from './maker/maker';
import type { Calls, Origin } from './maker/messages';
import { MotionList } from './list';
import { OntoList } from './onto';
import { MapTable } from './map_table';
import { MotionPanel } from './panel';
import { nameOf, placed, wordsOf } from './place';
import { Player } from './player';
import { type Posed, PoseTable } from './pose_table';
import { Room } from './room';
import { Progress } from './progress';
import { Remote, Superseded } from './remote';
import { mapSaving, motionSavings, type Played } from './savings';
import { sortFiles } from './sort';
import { factsOf, type Files, type Take, takeOf } from './take';
import { Track } from './track';

export class MotionView {
  readonly element: HTMLElement;
  readonly player: Player;
  readonly room: Room;
  readonly #host: Host;
  readonly #list: MotionList;
  readonly #panel: MotionPanel;
  readonly #bar: Bar;
  readonly #track: Track;
  readonly #pose: PoseTable;
  readonly #ontoList: OntoList;
  readonly #accompany: Control;
  readonly #bones: Control;

  readonly #cast: Cast;
  readonly contacts: ContactEditor;
  #library: LimberWithClips | null = null;
  #lanes: readonly Lane[] = [];
  #crowd: { of: Clip; crowd: Crowd } | null = null;
  #wanted = '';
  /** How many times something was opened, and what is read now, in words; '': nothing. */
  #turn = 0;
  #reading = '';
  #serial = 0;
  readonly #remote = new Remote();
  readonly #progress = new Progress(() => this.working);
  /** A figure in the pose that it was dragged to, until its corrected clip has come. */
  #dragged: { actor: Actor; time: number } | null = null;

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
    this.#cast = new Cast(this.#remote, {
      open: (library, choice) => this.#ontoList.open(library, choice),
      redraw: () => this.room.world.redraw(),
      worn: () => {
        this.update();
        this.look();
      },
      warn: (words) => host.say(words, 'warning'),
      refuse: (error) => host.say(wordsOf(error), 'error'),
      came: () => {
        this.#dragged = null;
        this.update();
      },
      leaving: (clip) => {
        if (this.#crowd?.of === clip) this.#dropCrowd();
      },
      arrange: (fresh) => this.#arrange(fresh),
    });
    const frameOf = (time: number): [number, number] => this.#cast.frames.at(time);
    const snap = (time: number): number => this.#cast.frames.snap(time);
    this.contacts = new ContactEditor({
      lanes: () => this.#lanes,
      now: () => this.player.time,
      snap,
      begin: () => this.player.begin,
      end: () => this.player.end,
      edited: () => this.#heldPoints.length > 0,
      set: (point, spans) => this.#setSpans(point, spans),
      forget: () => this.#edit('contacts', (motion) => void (motion.contacts = [])),
      chose: () => this.update(),
    });
    const map = new MapTable({
      map: () => this.#cast.map,
      bones: () => namesOf(this.#cast.take),
      links: () => namesOf(this.#cast.onto),
      roles: () => this.#library?.clips.roles ?? [],
      edited: () => this.#cast.onto?.name === this.#motion.map.onto,
      set: (value) => this.#setMap(value),
      forget: () => this.#setMap(null),
    });
    this.#pose = new PoseTable({
      posed: () => this.#posed,
      degrees: () => host.store.state.stage.degrees,
      correct: (which, joint, by) => this.#correctJoint(which, joint, by),
    });
    this.#list = new MotionList(
      (example) => void this.openExample(example),
      (files) => void this.openFiles(files),
    );
    this.#track = new Track(this.player, {
      seek: (time) => this.seek(time),
      step: (by) => this.step(by),
      frameOf,
      snap,
      choose: (point, index) => this.contacts.choose(point, index),
      change: (chosen, span) => this.contacts.change(chosen, span),
      add: (point, time) => this.contacts.add(point, time),
    });
    this.#bar = new Bar(host.store, this.player, {
      play: () => this.play(),
      step: (by) => this.step(by),
      frameOf,
    });
    this.#panel = new MotionPanel(host.store, {
      facts: () => factsOf(this.#cast.take, this.#cast.source?.clip),
      parts: () => this.#cast.take?.parts ?? [],
      part: () => this.#cast.part,
      setPart: (part) => this.setPart(part),
      onto: () => this.#ontoList.choices,
      openOnto: (files) => void this.openOnto(files),
      outcome: () => this.#cast.outcome,
      working: () => this.working !== '',
      contacts: this.contacts,
      map,
      pose: this.#pose,
      crowd: () => this.#crowd?.crowd.figures ?? null,
      played: () => this.played,
      corrections: () => this.#shown(this.corrections),
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
      this.#progress.element,
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
      poseOf: (actor) => {
        const part = this.#cast.partOf(actor);
        return part && this.#cast.poseAt(part, this.player.time);
      },
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

  /** What is waited for, in words; '': nothing. */
  get working(): string {
    return this.#reading || this.#cast.working;
  }

  /** What is played now, for tests and for saving. */
  get played(): Played[] {
    return this.#cast.played;
  }

  get lanes(): readonly Lane[] {
    return this.#lanes;
  }

  /** What the crowd took lately, null: there is none. */
  get crowd(): Crowd | null {
    return this.#crowd?.crowd ?? null;
  }

  savings(): Saving[] {
    const { map, take, onto } = this.#cast;
    const library = this.#library;
    return [
      ...motionSavings(
        library,
        this.played,
        (who, format) => this.#cast.write(who, format, () => this.#whatIsWanted),
        this.room.world,
      ),
      ...(library && map && take && onto ? [mapSaving(library, map, take.model, onto.model)] : []),
    ];
  }

  // ---- opening ----

  // reads something; what is wrong with it is said, and what is there stays then
  async #read(
    what: string,
    action: (library: LimberWithClips, isLast: () => boolean) => Promise<void>,
  ): Promise<void> {
    const turn = ++this.#turn;
    const isLast = (): boolean => turn === this.#turn;
    this.#reading = `Reading ${what}`;
    this.#progress.update();
    try {
      this.#library ??= await clipsLibrary();
      if (isLast()) await action(this.#library, isLast);
    } catch (error) {
      if (!(error instanceof Superseded)) this.#host.say(wordsOf(error), 'error');
    }
    if (!isLast()) return;
    this.#reading = '';
    this.update();
    // ready for what comes next
    this.#remote.start();
  }

  async openExample(example: string): Promise<void> {
    const row = motionExamples.find(({ id }) => id === example);
    if (!row) return;
    await this.#read(row.title, async (library, isLast) => {
      const figure = this.#ontoList.open(library, `builtin:${row.figure}`)!;
      const origin = { ...{ example, path: '', files: new Map() }, figure: figure.figure.model };
      figure.release();
      const take = await this.#takeOf(library, origin);
      // something else was opened meanwhile
      if (isLast()) this.#open(take, example);
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
      if (robot) this.#ontoList.drop({ origin: await describe(robot), files });
      if (motions.length === 0 && !robot && !contacts && !map)
        throw new Error(
          `${first}: it is no motion (BVH, glTF, GLB, VRM, CSV, NPZ, JSON), ` +
            'no robot, no contacts and no map',
        );
      if (motions.length > 0) await this.#openMotion(library, motions[0]!, files, robot, isLast);
      else if (robot) this.#retargetOnto('file');
      if (!isLast()) return;
      this.#reading = '';
      this.update();
      if (map) this.#readMap(map);
      if (contacts) this.#readContacts(contacts);
    });
  }

  /** What the motion that is here goes onto: a robot, a character, the skeleton of a capture. */
  async openOnto(files: Files): Promise<void> {
    const first = [...files.keys()][0] ?? 'this';
    await this.#read(nameOf(first), async (library, isLast) => {
      const { motions, robot } = await sortFiles(files);
      const path = motions.find((path) => /\.(bvh|glb|gltf|vrm)$/i.test(path));
      if (robot) this.#ontoList.drop({ origin: await describe(robot), files });
      else if (path) {
        const take = await this.#takeFrom(library, path, files, false);
        if (!isLast()) return;
        this.#ontoList.dropCharacter(take);
      } else throw new Error(`${first}: it has no figure to retarget onto`);
      this.#retargetOnto('file');
    });
  }

  async #takeOf(library: LimberWithClips, origin: Omit<Origin, 'serial'>): Promise<Take> {
    const known = { ...origin, serial: ++this.#serial };
    // an example takes a moment and does not wait until the worker has started
    const maker: Pick<Calls, 'open'> = origin.example ? new Maker(library) : this.#remote;
    const opened = await maker.open(known);
    const [warning, ...others] = opened.warnings;
    if (warning !== undefined) {
      const more = others.length > 0 ? ` (and ${others.length} more)` : '';
      this.#host.say(warning + more, 'warning');
    }
    return takeOf(library, known, opened);
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
      const onto = this.#ontoList.open(library, robot ? 'file' : 'stage')!;
      onto.release();
      return onto.figure.model;
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
      this.#ontoList.dropCharacter(take);
      return this.#retargetOnto('file');
    }
    if (robot && !withoutFigure.test(path)) this.#retargetOnto('file');
    this.#open(take, '');
  }

  #readContacts({ name, text }: { name: string; text: string }): void {
    const { take } = this.#cast;
    if (!take) throw new Error(`${name}: it has contacts; open the motion that they are of first`);
    try {
      const points = this.#library!.clips.readContacts(text, take.model, { name });
      this.#edit('contacts', (motion) => void (motion.contacts = heldOf(points, take.model)));
    } catch (error) {
      throw placed(name, error);
    }
  }

  #readMap({ name, text }: { name: string; text: string }): void {
    const { take, onto } = this.#cast;
    if (!take || !onto)
      throw new Error(
        `${name}: it is a map; open a motion and choose a figure to retarget onto first`,
      );
    try {
      this.#setMap(this.#library!.clips.readMap(text, take.model, onto.model, { name }));
    } catch (error) {
      throw placed(name, error);
    }
  }

  #retargetOnto(onto: string): void {
    this.#cast.forgetTarget();
    this.#host.store.change('onto', ({ motion }) => void (motion.onto = onto));
    this.#host.show('motion');
  }

  #open(take: Take, example: string): void {
    this.#dropCrowd();
    this.#dragged = null;
    this.#reading = '';
    this.#cast.open(take);
    this.#wanted = example;
    this.player.time = this.#cast.source!.clip.begin;
    this.#host.store.adjust(({ motion }) => void (motion.example = example));
    this.#host.show('motion');
    this.update();
    this.player.toggle(true);
  }

  setPart(part: number): void {
    this.#cast.part = part;
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
    this.#show(true);
  }

  /** To the next frame, or the one before. */
  step(by: number): void {
    const { frames } = this.#cast;
    if (this.#cast.source) this.seek(frames.timeOf(frames.at(this.player.time)[0] + by));
  }

  look(): void {
    this.room.look();
  }

  /** The line of time: in, out, all of it. */
  zoom(direction: -1 | 0 | 1): void {
    this.#track.step(direction);
  }

  #frame(now: number): boolean {
    if (this.#host.store.state.view !== 'motion') return false;
    const playing = this.player.frame(now);
    if (playing) this.#show(true);
    this.room.frame();
    return playing;
  }

  // every figure at the present time; `elapsed`: they moved because that did
  #show(elapsed: boolean): void {
    const { time } = this.player;
    if (this.#dragged?.time !== time) this.#dragged = null;
    for (const part of this.#cast.parts)
      if (part.actor !== this.#dragged?.actor) part.actor.show(this.#cast.poseAt(part, time));
    this.#crowd?.crowd.show(time, this.player.playing);
    if (this.#crowd && this.player.playing) this.#panel.showCrowd();
    if (this.#motion.accompany && elapsed) this.room.accompany();
    else this.room.settle();
    this.#bar.place();
    this.#track.place();
    this.#pose.place();
    this.room.world.redraw();
  }

  // ---- editing ----

  get #posed(): Posed[] {
    const { time } = this.player;
    const cast = this.#cast;
    return cast.parts.map((part) => ({
      ...{ name: part.actor.label.textContent ?? '', model: part.actor.model },
      get q() {
        return cast.poseAt(part, time);
      },
    }));
  }

  #correctJoint(which: number, joint: Joint, by: number[]): void {
    const correction: Correction = {
      on: which === 1 ? 'target' : 'source',
      ...{ link: '', joint: joint.name, point: [0, 0, 0], by },
      time: this.#cast.pace.toSource(this.#cast.frames.snap(this.player.time)),
      width: this.#motion.width,
    };
    this.player.toggle(false);
    this.#edit('correction', (motion) => void motion.corrections.push(correction));
  }

  #correct(actor: Actor, link: number, point: number[], by: number[]): void {
    const correction: Correction = {
      on: actor === this.#cast.target?.actor ? 'target' : 'source',
      link: actor.model.links[link]!.name,
      joint: '',
      point,
      time: this.#cast.pace.toSource(this.player.time),
      by,
      width: this.#motion.width,
    };
    this.#dragged = { actor, time: this.player.time };
    this.#edit('correction', (motion) => void motion.corrections.push(correction));
  }

  // a change of what belongs to the motion that is here
  #edit(label: string, change: (motion: MotionState) => void): void {
    const { id } = this.#cast;
    this.#host.store.change(label, ({ motion }) => {
      if (motion.take !== id) Object.assign(motion, { take: id, corrections: [], contacts: [] });
      change(motion);
    });
    this.update();
  }

  #setSpans(point: number, spans: readonly Span[]): void {
    const { take, points } = this.#cast;
    if (!take) return;
    const held = heldOf(points, take.model);
    const { toSource } = this.#cast.pace;
    held[point]!.spans = spans.map((span) => ({
      begin: toSource(span.begin),
      end: toSource(span.end),
    }));
    this.#edit('contacts', (motion) => void (motion.contacts = held));
  }

  #setMap(map: RetargetMap | null): void {
    const onto = map ? (this.#cast.onto?.name ?? '') : '';
    const text = map ? JSON.stringify(map) : '';
    this.#host.store.change('map', ({ motion }) => void (motion.map = { onto, text }));
    this.update();
  }

  // ---- keeping up with the state ----

  /** Those that belong to the motion that is here: undo may lead to those of another one. */
  get corrections(): readonly Correction[] {
    const { take, corrections } = this.#motion;
    return take === this.#cast.id ? corrections : [];
  }

  // at the times at which they are seen
  #shown(corrections: readonly Correction[]): Correction[] {
    const { toShown } = this.#cast.pace;
    return corrections.map((each) => ({ ...each, time: toShown(each.time) }));
  }

  get #heldPoints(): readonly HeldPoint[] {
    const { take, contacts } = this.#motion;
    return take === this.#cast.id ? contacts : [];
  }

  get #whatIsWanted(): Wanted {
    return { motion: this.#motion, corrections: this.corrections, contacts: this.#heldPoints };
  }

  #prepare(): void {
    const { take } = this.#cast;
    if (!take || !this.#library) return;
    this.#cast.prepare(this.#library, this.#whatIsWanted, this.#reading !== '');
    const { clip } = this.#cast.source!;
    const { toShown } = this.#cast.pace;
    this.player.span(toShown(clip.begin), toShown(clip.end));
    this.#lanes = lanesOf(this.#cast.points, take.model, toShown);
    this.#prepareCrowd();
  }

  // of the target where there is one
  #prepareCrowd(): void {
    const part = this.#cast.target ?? this.#cast.source;
    const { crowd: count } = this.#motion;
    const same = this.#crowd?.of === part?.clip && this.#crowd?.crowd.count === count;
    if (!part || (this.#crowd ? same : count === 0)) return;
    const had = this.#crowd !== null;
    this.#dropCrowd();
    if (count > 0) {
      const crowd = new Crowd(part.clip, count, part.actor.size);
      this.#crowd = { of: part.clip, crowd };
      this.room.world.scene.add(crowd.group);
    }
    for (const { actor } of this.#cast.parts) actor.group.visible = count === 0;
    this.room.world.shadows = count === 0;
    this.room.crowd = this.#crowd?.crowd.extent ?? 0;
    const { source, points } = this.#cast;
    if (source && (had || count > 0)) this.room.furnish(groundOf(points, source));
  }

  #dropCrowd(): void {
    this.#crowd?.crowd.dispose();
    this.#crowd = null;
    this.room.crowd = 0;
    this.room.world.shadows = true;
    for (const { actor } of this.#cast.parts) actor.group.visible = true;
  }

  // the figures side by side; a new motion is looked at as a whole
  #arrange(fresh: boolean): void {
    const { source, parts, points } = this.#cast;
    if (!source) return;
    const count = this.room.actors.length;
    this.room.set(
      parts.map(({ actor }) => actor),
      sideOf(source.clip),
    );
    for (const part of parts) part.actor.show(this.#cast.poseAt(part, this.player.time));
    if (fresh || parts.length !== count) this.room.furnish(groundOf(points, source));
  }

  update(): void {
    const { view, motion } = this.#host.store.state;
    if (view !== 'motion') return;
    // undo, or a link, may name another example
    if (motion.example !== '' && motion.example !== this.#wanted) {
      this.#wanted = motion.example;
      void this.openExample(motion.example);
    }
    // who comes without a file sees what this is
    if (!this.#cast.take && this.#turn === 0) void this.openExample(motionExamples[0]!.id);
    try {
      this.#prepare();
    } catch (error) {
      this.#host.say(wordsOf(error), 'error');
    }
    const { take, source } = this.#cast;
    this.#list.update(motion.example, motion.example === '' ? (take?.name ?? '') : '');
    this.#panel.update();
    this.#progress.update();
    this.#bar.update();
    this.#accompany.update();
    this.#bones.update();
    this.#bones.element.hidden = !this.room.actors.some(({ hasSkin }) => hasSkin);
    for (const actor of this.room.actors) actor.bones = motion.bones;
    const hint = take ? '' : 'Open or drop a motion: it plays here';
    const corrections = this.#shown(this.corrections);
    this.#track.update(this.#lanes, this.contacts.chosen, corrections, hint);
    if (source) this.#show(false);
  }

  recolor(): void {
    this.room.world.recolor();
  }
}

/** Files that say how a model moves and not what it is. */
const withoutFigure = /\.(csv|npz|json)$/i;

/** Names of a figure's links without the world that it moves in. */
const namesOf = (figure: Pick<Take, 'model'> | null): string[] =>
  figure ? figure.model.links.filter(({ parent }) => parent >= 0).map(({ name }) => name) : [];
