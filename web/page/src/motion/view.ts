// view.ts - motions: what is opened plays in the room, on its figure and on another beside it.

import type { Clip, LimberWithClips } from 'limber';
import type { Shelves } from '../app/database';
import type { Host } from '../app/host';
import type { Saving } from '../app/saving';
import { button, type Control, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import { markDrops } from '../stage/models';
import { type Actor, sideOf } from './actor';
import { Bar } from './bar';
import { ContactEditor } from './contact_editor';
import { type Lane, lanesOf } from './contacts';
import { Crowd } from './crowd';
import { CurveDock, type Moving } from '../curves/dock';
import type { Correction, MotionState } from './document';
import { Dragging } from './drag';
import { Edits } from './edits';
import { Figures, groundOf } from './figures';
import { MotionList } from './list';
import { MapTable } from './map_table';
import { Opening } from './opening';
import { MotionPanel } from './panel';
import { wordsOf } from './place';
import { Player } from './player';
import { type Posed, PoseTable } from './pose_table';
import { Progress } from './progress';
import { Remote } from './remote';
import { Room } from './room';
import { mapSaving, motionSavings, type Played } from './savings';
import { factsOf, type Files, type Take } from './take';
import { TargetFigures } from './target_figures';
import { Track } from './track';

export class MotionView {
  readonly element: HTMLElement;
  readonly player: Player;
  readonly room: Room;
  readonly contacts: ContactEditor;
  readonly #host: Host;
  readonly #list: MotionList;
  readonly #panel: MotionPanel;
  readonly #bar: Bar;
  readonly #track: Track;
  readonly #curves: CurveDock;
  readonly #pose: PoseTable;
  readonly #accompany: Control;
  readonly #bones: Control;
  readonly #progress = new Progress(() => this.working);

  readonly #remote = new Remote();
  readonly #targets: TargetFigures;
  readonly #figures: Figures;
  readonly #edits: Edits;
  readonly #opening: Opening;
  #lanes: readonly Lane[] = [];
  #crowd: { of: Clip; crowd: Crowd } | null = null;
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
    this.#targets = new TargetFigures(() => host.stageModel);
    this.#figures = this.#makeFigures();
    this.#edits = new Edits(host.store, this.#figures, this.player, () => this.update());
    this.#opening = this.#makeOpening();
    this.contacts = this.#makeContacts();
    const map = this.#makeMap();
    this.#pose = new PoseTable({
      posed: () => this.#posed,
      degrees: () => host.store.state.stage.degrees,
      correct: (which, joint, by) => this.#edits.correctJoint(which, joint, by),
    });
    this.#list = new MotionList(
      (example) => void this.openExample(example),
      (files) => host.openFiles(files),
    );
    this.#track = this.#makeTrack();
    this.#curves = this.#makeCurves();
    this.#bar = new Bar(host.store, this.player, {
      play: () => this.play(),
      step: (by) => this.step(by),
      frameOf: (time) => this.#figures.frames.at(time),
    });
    this.#panel = this.#makePanel(map);
    this.#accompany = this.#makeSwitch('accompany', 'Go along', 'The view goes with the figure');
    this.#bones = this.#makeSwitch(
      'bones',
      'Bones',
      'The bones of a character in place of its mesh',
    );
    frame.append(this.#makeTools(), this.room.labels, this.#progress.element);
    this.element = this.#makeElement(frame);
    this.room.world.onFrame = (now) => this.#frame(now);
    this.#startDragging();
  }

  #makeFigures(): Figures {
    return new Figures(this.#remote, {
      open: (library, choice) => this.#targets.open(library, choice),
      redraw: () => this.room.world.redraw(),
      meshLoaded: () => {
        this.update();
        this.look();
      },
      warn: (words) => this.#host.say(words, 'warning'),
      refuse: (error) => this.#host.say(wordsOf(error), 'error'),
      loaded: () => {
        this.#dragged = null;
        this.update();
      },
      leaving: (clip) => {
        if (this.#crowd?.of === clip) this.#dropCrowd();
      },
      arrange: (fresh) => this.#arrange(fresh),
    });
  }

  #makeOpening(): Opening {
    return new Opening({
      host: this.#host,
      remote: this.#remote,
      figures: this.#figures,
      targets: this.#targets,
      edits: this.#edits,
      play: (take, example) => this.#open(take, example),
      progress: () => this.#progress.update(),
      update: () => this.update(),
    });
  }

  #makeContacts(): ContactEditor {
    return new ContactEditor({
      lanes: () => this.#lanes,
      now: () => this.player.time,
      snap: (time) => this.#figures.frames.snap(time),
      begin: () => this.player.begin,
      end: () => this.player.end,
      edited: () => this.#edits.contacts.length > 0,
      set: (point, spans) => this.#edits.setSpans(point, spans),
      forget: () => this.#edits.setContacts([]),
      chose: () => this.update(),
    });
  }

  #makeMap(): MapTable {
    return new MapTable({
      map: () => this.#figures.map,
      bones: () => namesOf(this.#figures.take),
      links: () => namesOf(this.#figures.onto),
      roles: () => this.library?.clips.roles ?? [],
      edited: () => this.#figures.onto?.name === this.#motion.map.onto,
      set: (value) => this.#edits.setMap(value),
      forget: () => this.#edits.setMap(null),
    });
  }

  #makeTrack(): Track {
    return new Track(this.player, {
      seek: (time) => this.seek(time),
      step: (by) => this.step(by),
      frameOf: (time) => this.#figures.frames.at(time),
      snap: (time) => this.#figures.frames.snap(time),
      choose: (point, index) => this.contacts.choose(point, index),
      // each drag is undone by itself, however soon the next one comes
      change: (chosen, span) => {
        this.#host.store.begin();
        this.contacts.change(chosen, span);
        this.#host.store.end();
      },
      add: (point, time) => this.contacts.add(point, time),
      viewed: () => this.#curves.changed(),
    });
  }

  #makeCurves(): CurveDock {
    return new CurveDock({
      state: () => this.#motion.curves,
      change: (edit) => this.#host.store.adjust(({ motion }) => edit(motion.curves)),
      moving: () => this.#moving,
      seen: () => this.#track.seen,
      degrees: () => this.#host.store.state.stage.degrees,
      seek: (time) => this.seek(time),
      wheel: (event, share) => this.#track.wheel(event, share),
      line: this.#track.element,
    });
  }

  #makePanel(map: MapTable): MotionPanel {
    return new MotionPanel(this.#host.store, {
      facts: () => factsOf(this.#figures.take, this.#figures.source?.clip),
      parts: () => this.#figures.take?.parts ?? [],
      part: () => this.#figures.part,
      setPart: (part) => this.setPart(part),
      onto: () => this.#targets.choices,
      openOnto: (files) => void this.#opening.openTarget(files),
      outcome: () => this.#figures.outcome,
      working: () => this.working !== '',
      contacts: this.contacts,
      map,
      pose: this.#pose,
      crowd: () => this.#crowd?.crowd.figures ?? null,
      played: () => this.played,
      corrections: () => this.#edits.shown,
      savings: () => this.savings(),
      refuse: (error) => this.#host.say(wordsOf(error), 'error'),
    });
  }

  #makeSwitch(key: 'accompany' | 'bones', label: string, hint: string): Control {
    return toggle({
      ...{ label, hint },
      get: () => this.#motion[key],
      set: (value) => this.#host.store.adjust(({ motion }) => void (motion[key] = value)),
    });
  }

  #makeTools(): HTMLElement {
    return h(
      'div.room-tools',
      { role: 'toolbar', 'aria-label': 'View' },
      this.#accompany.element,
      this.#bones.element,
      button('Fit view', () => this.look(), {
        class: 'button',
        id: 'look-motion',
        title: 'All figures in view (V)',
      }),
    );
  }

  #makeElement(frame: HTMLElement): HTMLElement {
    const element = h(
      'main.view.stage-view.motion-view',
      { id: 'motion' },
      this.#list.element,
      h(
        'div.centre',
        {},
        frame,
        h('div.timeline', {}, this.#bar.element, this.#track.element, this.#curves.element),
      ),
      this.#panel.element,
    );
    markDrops(element, frame);
    return element;
  }

  #startDragging(): void {
    new Dragging(this.room, {
      library: () => this.library!,
      poseOf: (actor) => {
        const part = this.#figures.partOf(actor);
        return part && this.#figures.poseAt(part, this.player.time);
      },
      begin: () => this.player.toggle(false),
      show: () => this.room.world.redraw(),
      end: (actor, link, point, by) => {
        this.#dragged = { actor, time: this.player.time };
        this.#edits.correctPoint(actor, link, point, by);
      },
    });
  }

  get #motion(): MotionState {
    return this.#host.store.state.motion;
  }

  get library(): LimberWithClips | null {
    return this.#opening.library;
  }

  /** Of the file and the animation in it, as edits name it. */
  get id(): string {
    return this.#figures.id;
  }

  /** What is waited for, in words; '': nothing. */
  get working(): string {
    return this.#opening.reading || this.#figures.working;
  }

  /** What is played now, for tests and for saving. */
  get played(): Played[] {
    return this.#figures.played;
  }

  get lanes(): readonly Lane[] {
    return this.#lanes;
  }

  /** What the curves show, for tests. */
  get curves(): unknown {
    return this.#curves.scene;
  }

  /** What the crowd took lately, null: there is none. */
  get crowd(): Crowd | null {
    return this.#crowd?.crowd ?? null;
  }

  /** The files that a project keeps. */
  get shelves(): Shelves {
    return this.#opening.shelves;
  }

  savings(): Saving[] {
    const { map, take, onto } = this.#figures;
    const { library } = this;
    return [
      ...motionSavings(
        library,
        this.played,
        (who, format) => this.#figures.write(who, format, () => this.#edits.wanted),
        this.room.world,
      ),
      ...(library && map && take && onto ? [mapSaving(library, map, take.model, onto.model)] : []),
    ];
  }

  // ---- opening ----

  openExample(example: string): Promise<void> {
    return this.#opening.openExample(example);
  }

  openFiles(files: Files): Promise<void> {
    return this.#opening.openFiles(files);
  }

  #open(take: Take, example: string): void {
    this.#dropCrowd();
    this.#dragged = null;
    this.#figures.open(take);
    this.#host.store.adjust(({ motion }) => void (motion.example = example));
    this.#host.show('motion');
    this.update();
    // edits may be of another animation of this file
    const { take: edited } = this.#motion;
    const part = edited.startsWith(take.id) ? Number(edited.slice(take.id.length + 2)) : 0;
    if (part > 0 && part < take.parts.length) this.setPart(part);
    this.player.toggle(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  setPart(part: number): void {
    this.#figures.part = part;
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
    const { frames } = this.#figures;
    if (this.#figures.source) this.seek(frames.timeOf(frames.at(this.player.time)[0] + by));
  }

  look(): void {
    this.room.look();
  }

  /** The timeline: in, out, all of it. */
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
    for (const part of this.#figures.parts)
      if (part.actor !== this.#dragged?.actor) part.actor.show(this.#figures.poseAt(part, time));
    this.#crowd?.crowd.show(time, this.player.playing);
    if (this.#crowd && this.player.playing) this.#panel.showCrowd();
    if (this.#motion.accompany && elapsed) this.room.accompany();
    else this.room.settle();
    this.#bar.place();
    this.#track.place();
    this.#curves.place(time);
    this.#pose.place();
    this.room.world.redraw();
  }

  // the motions that are shown, for the curves
  get #moving(): Moving[] {
    const figures = this.#figures;
    const { errors } = figures;
    return figures.played.flatMap(({ name, contacts, who }) => {
      const part = who === 'source' ? figures.source : figures.target;
      if (!part) return [];
      const names = lanesOf(contacts, part.clip.model, (time) => time).map((lane) => lane.name);
      const points = contacts.map(({ link, at: place }, i) => ({
        link,
        at: place,
        name: names[i]!,
      }));
      const at = (time: number): Float64Array => figures.poseAt(part, time);
      const rates = (time: number): Float64Array => figures.ratesAt(part, time);
      return [{ name, points, at, rates, model: part.clip.model, ...(errors && { errors }) }];
    });
  }

  // the poses that are shown, for the table
  get #posed(): Posed[] {
    const { time } = this.player;
    const figures = this.#figures;
    return figures.parts.map((part) => ({
      ...{ name: part.actor.label.textContent ?? '', model: part.actor.model },
      get q() {
        return figures.poseAt(part, time);
      },
    }));
  }

  // ---- keeping up with the state ----

  get corrections(): readonly Correction[] {
    return this.#edits.corrections;
  }

  #prepare(): void {
    const { take } = this.#figures;
    if (!take || !this.library) return;
    this.#figures.prepare(this.library, this.#edits.wanted, this.#opening.reading !== '');
    const { clip } = this.#figures.source!;
    const { toShown } = this.#figures.pace;
    this.player.span(toShown(clip.begin), toShown(clip.end));
    this.#lanes = lanesOf(this.#figures.points, take.model, toShown);
    this.#prepareCrowd();
  }

  // of the target where there is one
  #prepareCrowd(): void {
    const part = this.#figures.target ?? this.#figures.source;
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
    for (const { actor } of this.#figures.parts) actor.group.visible = count === 0;
    this.room.world.shadows = count === 0;
    this.room.crowd = this.#crowd?.crowd.extent ?? 0;
    const { source, points } = this.#figures;
    if (source && (had || count > 0)) this.room.furnish(groundOf(points, source));
  }

  #dropCrowd(): void {
    this.#crowd?.crowd.dispose();
    this.#crowd = null;
    this.room.crowd = 0;
    this.room.world.shadows = true;
    for (const { actor } of this.#figures.parts) actor.group.visible = true;
  }

  // the figures side by side; a new motion begins, and is looked at as a whole
  #arrange(fresh: boolean): void {
    const { source, parts, points } = this.#figures;
    if (!source) return;
    if (fresh) this.player.time = source.clip.begin;
    const count = this.room.actors.length;
    this.room.set(
      parts.map(({ actor }) => actor),
      sideOf(source.clip),
    );
    for (const part of parts) part.actor.show(this.#figures.poseAt(part, this.player.time));
    if (fresh || parts.length !== count) this.room.furnish(groundOf(points, source));
  }

  update(): void {
    const { view, motion } = this.#host.store.state;
    if (view !== 'motion') return;
    this.#opening.follow(motion.example);
    try {
      this.#prepare();
    } catch (error) {
      this.#host.say(wordsOf(error), 'error');
    }
    const { take, source } = this.#figures;
    this.#list.update(motion.example, motion.example === '' ? (take?.name ?? '') : '');
    this.#panel.update();
    this.#progress.update();
    this.#bar.update();
    this.#accompany.update();
    this.#bones.update();
    this.#bones.element.hidden = !this.room.actors.some(({ hasSkin }) => hasSkin);
    for (const actor of this.room.actors) actor.bones = motion.bones;
    const hint = take ? '' : 'Open or drop a motion: it plays here';
    this.#track.update(this.#lanes, this.contacts.chosen, this.#edits.shown, hint);
    if (source) this.#show(false);
    this.#curves.update();
  }

  recolor(): void {
    this.room.world.recolor();
    this.#curves.recolor();
  }
}

/** Names of a figure's links without the world that it moves in. */
const namesOf = (figure: Pick<Take, 'model'> | null): string[] =>
  figure ? figure.model.links.filter(({ parent }) => parent >= 0).map(({ name }) => name) : [];
