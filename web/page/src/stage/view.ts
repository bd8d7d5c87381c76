// view.ts - the stage: the model in its room, targets, joints, what is shown, and key poses.

import type { LimberWithClips, Model } from 'limber';
import * as THREE from 'three';
import type { Shelf } from '../app/database';
import type { Host } from '../app/host';
import type { Control } from '../ui/controls';
import { fill, h } from '../ui/dom';
import {
  type ModelOrigin,
  plainStage,
  plainStageShow,
  type Root,
  type StageState,
} from './document';
import { exampleOf } from './examples';
import { Figure } from './figure';
import { recorded } from './film';
import { Gap } from './gap';
import { JointPanel } from './joints';
import type { Crowd } from './layers/crowd';
import { isMotionDrop } from '../motion/drops';
import { layerRows } from './layers/index';
import type { Layer } from './layers/layer';
import { LayerStack } from './layers/stack';
import { onlyMeshes } from './kinds';
import { type Files, MeshSource } from './meshes';
import { markDrops, ModelList } from './models';
import { type Candidate, candidates, expectDrawable, leftOut, modelOf, unreadLoops } from './open';
import { MissingNote, Outcome } from './outcome';
import { StagePanel } from './panel';
import { Pointer } from './pointer';
import { Pose } from './pose';
import { Session, type Vector } from './session';
import { Switcher } from './switcher';
import { Targets } from './targets';
import { Timeline } from './timeline';
import { TipPanel } from './tips';
import { toolBar } from './tools';
import { Traversal } from './traversal';
import { Tree } from './tree';
import { carried, rooted, rootOf, defaultTips } from './defaults';
import { World } from './world';

export class StageView {
  readonly element: HTMLElement;
  readonly world: World;
  readonly timeline: Timeline;
  readonly #host: Host;
  readonly #limber: LimberWithClips;
  readonly #models: ModelList;
  readonly #tree: Tree;
  readonly #tools: Control;
  readonly #panel: StagePanel;
  readonly #tips: TipPanel;
  readonly #joints: JointPanel;
  readonly #switcher: Switcher;
  readonly #outcome = new Outcome();
  readonly #missing = new MissingNote();
  readonly #tag = h('div.link-tag', { 'aria-live': 'polite' });
  readonly #legend = h('div.legend');
  readonly #gap = new Gap();
  readonly #traversal: Traversal;
  readonly #targets: Targets;
  readonly #layers: LayerStack;
  readonly #pose: Pose;

  #session: Session | null = null;
  #figure: Figure | null = null;
  #size = 1;
  #modelKey = '';
  /** The files that came with a model, by the model: undo returns to those of another one. */
  readonly #files = new Map<string, Files>();
  /** The descriptions among the files that came last. */
  #candidates: readonly Candidate[] = [];

  constructor(host: Host, limber: LimberWithClips) {
    this.#host = host;
    this.#limber = limber;
    this.#takeKept();
    const canvas = h('canvas.room', {
      tabindex: 0,
      'aria-label': 'The model: arrow keys move the target, with Shift they turn the view',
    });
    this.#tree = new Tree((link) => this.#highlight(link, true));
    this.#traversal = new Traversal((link, visited) => {
      this.#figure?.highlight(link);
      this.#tree.mark(link, visited);
      this.world.redraw();
    });
    this.#models = new ModelList(this.#tree.element, {
      open: (model) => this.open(model),
      choose: (model) => this.openWith(model, this.#filesOf(this.#stage.model)),
      openFiles: (files) => host.openFiles(files),
    });
    this.#tools = toolBar(host.store, {
      solve: () => this.solve(),
      rest: () => this.rest(),
      look: () => this.look(),
    });
    this.#pose = new Pose(host.store, () => this.#prepare());
    this.#joints = new JointPanel(host.store, {
      q: () => this.q,
      set: (label, joint, q) => this.#pose.turn(label, joint, q),
      point: (joint) => this.#highlight(joint < 0 ? -1 : joint + 1),
      states: () => this.session.srdf.states,
      pose: (q) => this.setPose('named pose', q),
    });
    this.#tips = this.#makeTips();
    this.#switcher = new Switcher((q) => this.#pose.pick(q), {
      begin: () => host.store.begin(),
      end: () => host.store.end(),
      move: (place) => this.#pose.moveElbow(place),
    });
    this.#panel = this.#makePanel();
    this.timeline = new Timeline(host.store, {
      q: () => this.q,
      show: (q) => this.#show(q),
      set: (label, q) => this.setPose(label, q),
      turn: (label, joint, q) => this.#pose.turn(label, joint, q),
    });
    this.element = this.#makeElement(canvas);
    this.world = new World(canvas);
    this.#targets = this.#makeTargets();
    this.#layers = new LayerStack(this.world);
    this.world.scene.add(this.#gap.line);
    this.world.onFrame = (now) => this.#frame(now);
    this.world.onCamera = () =>
      host.store.adjust(({ stage }) => void (stage.camera = this.world.view));
    new Pointer(this.world, this.#targets, {
      figure: () => this.figure,
      active: () => !this.#stage.show.crowd,
      highlight: (link) => this.#highlight(link),
      begin: () => host.store.begin(),
      pull: (figure, link, point, to) => this.#pull(figure, link, point, to),
      end: () => host.store.end(),
    });
  }

  #makePanel(): StagePanel {
    return new StagePanel(this.#host.store, this.#limber, {
      tips: this.#tips.element,
      joints: this.#joints.element,
      solutions: this.#switcher.element,
    });
  }

  #makeTips(): TipPanel {
    return new TipPanel(this.#host.store, this.#limber, {
      change: (label, edit) => this.#change(label, (stage) => edit(stage.tips)),
      select: (index) => this.#select(index),
      home: (index) => this.#pose.home(index),
      plant: (index, planted) => this.#pose.plant(index, planted),
      root: (root) => this.setRoot(root),
      balance: (on) =>
        this.#change('balance', (stage) => {
          stage.balance = on;
          stage.show.mass ||= on;
        }),
    });
  }

  #makeTargets(): Targets {
    return new Targets(this.world, {
      begin: () => this.#host.store.begin(),
      move: (index, target) =>
        this.#change('target', ({ tips }) => {
          // it may have been taken away while it was dragged
          if (tips[index]) tips[index].target = target;
        }),
      end: () => this.#host.store.end(),
      select: (index) => this.#select(index),
    });
  }

  #select(index: number): void {
    this.#host.store.adjust(({ stage }) => void (stage.selected = index));
  }

  get #stage(): StageState {
    return this.#host.store.state.stage;
  }

  get model(): Model {
    return this.#session!.model;
  }

  get session(): Session {
    return this.#session!;
  }

  get figure(): Figure {
    return this.#figure!;
  }

  /** The box around all that is drawn of the model. */
  get box(): THREE.Box3 {
    return new THREE.Box3().setFromObject(this.#figure!.group);
  }

  /** The configuration that is shown. */
  get q(): readonly number[] {
    return this.#pose.q;
  }

  #change(label: string, edit: (stage: StageState) => void): void {
    this.#host.store.change(label, ({ stage }) => edit(stage));
  }

  #makeElement(canvas: HTMLElement): HTMLElement {
    const frame = h(
      'div.room-box',
      {},
      canvas,
      this.#tools.element,
      this.#outcome.element,
      this.#missing.element,
      this.#tag,
      this.#legend,
      this.#gap.label,
    );
    const element = h(
      'main.view.stage-view',
      { id: 'stage' },
      this.#models.element,
      h(
        'div.centre',
        {},
        this.#models.story,
        this.#traversal.element,
        frame,
        this.timeline.element,
      ),
      this.#panel.element,
    );
    markDrops(element, frame);
    return element;
  }

  // ---- what can be done ----

  /** Another model, with its usual tips, at rest. */
  open(model: ModelOrigin): void {
    const { degrees, gizmo, show } = this.#stage;
    // a model that cannot be read or drawn changes nothing
    const warnings = leftOut(model, this.#filesOf(model));
    const warn = (words: string): void => void warnings.push(words);
    const trial = new Session(this.#limber, modelOf(this.#limber, model, warn), model, warn);
    const { size } = trial;
    const links = trial.model.links.length;
    trial.release();
    expectDrawable(model.name, links, size);
    const example = exampleOf(model);
    const shown = example
      ? { ...plainStageShow, ...example.show }
      : { ...show, crowd: false, workspace: false };
    this.#change(`model ${model.name}`, (stage) =>
      Object.assign(stage, plainStage(model), { degrees, gizmo, show: shown }),
    );
    this.#prepare();
    const more = warnings.length > 1 ? ` (and ${warnings.length - 1} more)` : '';
    if (warnings.length > 0) this.#host.say(warnings[0] + more, 'warning');
  }

  /** The model that is here, with the meshes that came along. */
  get given(): { origin: ModelOrigin; files: Files } {
    const { model } = this.#stage;
    return { origin: model, files: this.#filesOf(model) };
  }

  /** What a project keeps with the model; null: it needs no file. */
  get shelf(): Shelf | null {
    const files = this.#files.get(JSON.stringify(this.#stage.model));
    // what is served is there again, and is no part of the project
    const own = files && [...files.values()].every((file) => typeof file !== 'string');
    return own ? { files: files as ReadonlyMap<string, Blob>, about: null } : null;
  }

  /** A model that is served with its meshes: poses of it that were kept stay. */
  openServed(origin: ModelOrigin, meshes: Record<string, string>): void {
    const files = new Map(Object.entries(meshes));
    const key = JSON.stringify(origin);
    if (JSON.stringify(this.#stage.model) !== key) return this.openWith(origin, files);
    this.#files.set(key, files);
    this.#modelKey = '';
    this.update();
  }

  /** Shows a configuration that comes from elsewhere, which is no work of its own. */
  follow(q: readonly number[]): void {
    if (this.#session && q.length === this.model.nq) this.#show(q);
  }

  async openFiles(files: Map<string, Blob>): Promise<void> {
    if (isMotionDrop(files, this.#figure?.missing)) return this.#host.openMotion(files);
    try {
      const { model } = this.#stage;
      // meshes alone belong to the model that is here
      const more = model.from === 'file' && onlyMeshes(files);
      if (more) this.openWith(model, new Map([...this.#filesOf(model), ...files]));
      else {
        this.#candidates = await candidates(this.#limber, files);
        const { origin } = this.#candidates[0]!;
        this.openWith(origin, files);
        const loops = await unreadLoops(origin, files);
        if (loops) this.#host.say(loops, 'warning');
      }
    } catch (error) {
      this.#host.say(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  // the files that the project began with
  #takeKept(): void {
    const { stage: kept } = this.#host.kept;
    if (!kept) return;
    this.#files.set(JSON.stringify(this.#stage.model), kept.files);
    const show = (found: readonly Candidate[]): void => {
      this.#candidates = found;
      this.#models.update(this.#stage.model, found);
    };
    // meshes alone describe nothing
    candidates(this.#limber, kept.files).then(show, () => {});
  }

  #filesOf(origin: ModelOrigin): Files {
    return this.#files.get(JSON.stringify(origin)) ?? new Map();
  }

  /** A model with the mesh files that it names. */
  openWith(origin: ModelOrigin, files: Files): void {
    this.#files.set(JSON.stringify(origin), files);
    this.#modelKey = '';
    this.open(origin);
    this.#host.show('stage');
  }

  /** A pose by hand: the targets ride along with their tips. */
  setPose(label: string, q: number[]): void {
    this.#pose.set(label, q);
  }

  // by the pointer; another figure may have come in the meantime
  #pull(figure: Figure, link: number, point: Vector, to: Vector): void {
    this.#prepare();
    if (figure === this.#figure) this.#pose.pull(link, point, to);
  }

  rest(): void {
    this.#pose.rest();
  }

  /** Another way for the root to move; joints, targets and keys stay as they are. */
  setRoot(root: Root): void {
    this.#prepare();
    const from = this.model;
    const to = rooted(modelOf(this.#limber, this.#stage.model), root);
    const q = carried(this.q, from, to);
    const keys = this.#stage.keys.map(({ time, q: at }) => ({ time, q: carried(at, from, to) }));
    const planted = root !== 'fixed' ? defaultTips(to).filter((tip) => tip.planted) : [];
    const feet = planted.map(({ link }) => link);
    to.release();
    this.#change(`base ${root}`, (stage) => {
      Object.assign(stage, { root, q, keys });
      for (const tip of stage.tips) tip.planted = feet.includes(tip.link);
    });
  }

  solve(): void {
    this.#prepare();
    this.#pose.solve(true);
    this.update();
  }

  look(): void {
    this.world.look(this.box, 0.55 * this.#size, this.#session!.planar);
    this.#host.store.adjust(({ stage }) => void (stage.camera = this.world.view));
  }

  /** Turns the view by the keyboard. */
  turn(right: number, up: number): void {
    this.world.turn(0.12 * right, 0.12 * up);
  }

  /** Moves the selected target by the keyboard, in the directions of the world. */
  nudge(x: number, y: number, z: number): void {
    const { selected } = this.#stage;
    const step = 0.01 * this.#size;
    this.#change('nudge', (stage) => {
      const tip = stage.tips[selected];
      if (tip) [x, y, z].forEach((by, i) => (tip.target[9 + i]! += step * by));
    });
  }

  /** The model alone on a transparent ground, without targets and gizmo. */
  cutOut(times: number): Promise<Blob | null> {
    return this.world.cutOut(times, [...this.#targets.objects, this.#gap.line]);
  }

  /** The key poses played once, recorded as they are drawn. */
  film(): Promise<Blob> {
    return recorded(this.world.canvas, () => this.timeline.playOnce());
  }

  layer(name: keyof StageState['show']): Layer {
    return this.#layers.get(name);
  }

  get crowd(): Crowd {
    return this.layer('crowd') as Crowd;
  }

  // ---- keeping up with the state ----

  #prepare(): void {
    const { model, root } = this.#stage;
    const key = JSON.stringify([model, root]);
    if (key === this.#modelKey) {
      // the same model again, from the beginning
      if (!this.#pose.fits) this.#pose.settle();
      return;
    }
    const given = modelOf(this.#limber, model);
    // what is kept of a model belongs to the root that it has
    const made = rooted(given, root || (this.#stage.q.length === given.nq ? rootOf(given) : ''));
    const session = new Session(this.#limber, made, model);
    this.#host.store.adjust(({ stage }) => void (stage.root = rootOf(made)));
    this.#modelKey = JSON.stringify([model, this.#stage.root]);
    this.#session?.release();
    this.#figure?.dispose();
    this.#session = session;
    this.#pose.begin(session);
    this.#size = this.#session.size;
    const meshes = new MeshSource(this.#filesOf(model));
    this.#figure = new Figure(this.#session.model, this.#size, meshes, () => this.world.redraw());
    this.world.scene.add(this.#figure.group);
    this.#layers.reset();
    this.#pose.settle();
    this.#session.state.update(this.q);
    this.#figure.update(this.#session.state.transforms);
    const seen = this.#stage.camera.length === 6;
    if (seen) this.world.view = this.#stage.camera;
    this.#furnish(!seen);
    this.#models.update(model, this.#candidates);
    const figure = this.#figure;
    const view = JSON.stringify(this.#stage.camera);
    // with its meshes it is larger; unless the view was turned in the meantime
    void figure.whole.then(() => {
      if (figure !== this.#figure) return;
      this.#furnish(!seen && JSON.stringify(this.#stage.camera) === view);
    });
  }

  // the floor below what is seen, the whole of it in view, and what of it is missing
  #furnish(look: boolean): void {
    this.world.furnish(this.#size, Math.min(this.box.min.z, 0));
    if (look) this.look();
    this.#missing.show(this.figure.missing);
  }

  // of a linkage that closes there are no layers of open chains: they go out again
  #leaveOutChains(): void {
    const { show } = this.#stage;
    const on = layerRows.filter(({ key, open }) => open && show[key]);
    if (this.model.loopCount === 0 || on.length === 0) return;
    this.#host.store.adjust(({ stage }) => on.forEach(({ key }) => (stage.show[key] = false)));
    this.#host.say(`${on[0]!.label}: of models without loops alone`, 'warning');
  }

  // ---- showing ----

  #show(q: readonly number[]): void {
    this.#pose.show(q);
    this.#draw();
    this.#joints.update(this.model);
  }

  #draw(): void {
    const { show } = this.#stage;
    const session = this.#session!;
    const q = this.#pose.drawn;
    session.state.update(q);
    this.#figure!.update(session.state.transforms);
    this.#figure!.group.visible = !show.crowd;
    this.#targets.show(!show.crowd);
    this.world.shadows = !show.crowd;
    const files = this.#filesOf(this.#stage.model);
    if (show.contacts || this.#stage.solid)
      session.clearance.watch(q, files, () => session === this.#session && this.#draw());
    this.#layers.update({ session, stage: this.#stage, q, files, size: this.#size });
    this.world.redraw();
  }

  #frame(now: number): boolean {
    if (!this.#session || this.#host.store.state.view !== 'stage') return false;
    const playing = this.timeline.frame(now);
    const passing = this.#pose.frame(now);
    if (passing) this.#draw();
    const { show } = this.#stage;
    const moving = this.#layers.frame(now, show);
    fill(this.#legend, ...this.#layers.legends(show));
    this.#gap.place(this.world.camera, this.world.canvas);
    const { figures } = this.crowd;
    if (show.crowd && figures) this.#outcome.showCrowd(figures);
    return playing || passing || moving;
  }

  // a link that is pointed at lights up, its joint's slider with it, and the other way round
  #highlight(link: number, scroll = false): void {
    this.#figure?.highlight(link);
    this.#joints.highlight(link > 0 ? link - 1 : -1, scroll);
    fill(this.#tag, ...(link >= 0 ? this.#aboutLink(link) : []));
    this.world.redraw();
  }

  // the link, the joint that moves it, its value and its limits
  #aboutLink(link: number): (Node | string)[] {
    const name = h('b', {}, this.model.links[link]!.name);
    const joint = this.model.joints[link - 1];
    if (!joint) return [name, ' the root'];
    const words = this.#joints.words(joint);
    return [name, ` ${joint.name}, ${joint.kind}`, words && h('small', {}, words)];
  }

  // without Follow: a dashed line from the tip to its target, with the distance
  #updateGap(): void {
    const tip = this.#stage.tips[this.#stage.selected];
    const on = tip?.target.length === 12 && !this.#stage.follow && !this.#stage.show.crowd;
    const from = on ? this.#session!.pose(tip.link).slice(9) : null;
    this.#gap.update(from, on ? tip.target.slice(9) : null);
  }

  update(): void {
    if (this.#host.store.state.view !== 'stage') return;
    this.#prepare();
    this.#leaveOutChains();
    this.#pose.fillTargets();
    this.#pose.solve();
    this.#draw();
    const { tips, selected, gizmo } = this.#stage;
    this.#targets.update(tips, selected, gizmo, this.#size);
    this.#tree.update(this.model);
    this.#traversal.update(exampleOf(this.#stage.model)?.traversal ? this.model : null);
    this.#joints.update(this.model);
    this.#tips.update(this.model, this.#size);
    this.#switcher.update(this.#session!, this.#stage);
    this.timeline.update(this.model);
    this.#updateGap();
    this.#tools.update();
    this.#panel.update();
    if (!this.#stage.show.crowd) this.#outcome.show(this.#pose.solved);
  }

  recolor(): void {
    this.world.recolor();
    this.timeline.recolor();
  }
}
