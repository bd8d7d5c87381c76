// view.ts - the stage: the model in its room, targets, joints, what is shown, and key poses.

import { LimberError, type Model } from 'limber';
import * as THREE from 'three';
import type { App } from '../app/app';
import { button, choice, type Control, section, segmented, toggle } from '../ui/controls';
import { fill, h, reveal } from '../ui/dom';
import { icon } from '../ui/icons';
import { builtin, usualTips } from './builtin';
import { type ModelOrigin, plainStage, plainStageShow, type StageState } from './document';
import { stageExamples } from './examples';
import { Figure, linkOf } from './figure';
import { JointPanel } from './joints';
import type { Crowd } from './layers/crowd';
import { layerRows } from './layers';
import type { Layer, Scene } from './layers/layer';
import { type Files, MeshSource } from './meshes';
import { describe, filesOf, modelOf, onlyMeshes, pathsOf } from './open';
import { type Answer, Session, type Vector } from './session';
import { Targets } from './targets';
import { Timeline } from './timeline';
import { TipPanel } from './tips';
import { Tree } from './tree';
import { World } from './world';

/** Metres; beyond, numbers of single precision cannot draw. */
const largest = 1e6;

export class StageView {
  readonly element: HTMLElement;
  readonly world: World;
  readonly timeline: Timeline;
  readonly #app: App;
  readonly #targets: Targets;
  readonly #joints: JointPanel;
  readonly #tips: TipPanel;
  readonly #tree: Tree;
  readonly #layers: { key: keyof StageState['show']; layer: Layer }[];
  readonly #controls: Control[] = [];
  readonly #models = h('nav');
  readonly #outcome = h('div.outcome', { role: 'status' });
  readonly #note = h('div.stage-note');
  readonly #story = h('div.story', { hidden: true });
  readonly #tools: HTMLElement;

  #session: Session | null = null;
  #figure: Figure | null = null;
  #size = 1;
  #modelKey = '';
  #files: Files = new Map();
  #filesFor = '';
  #answer: Answer | null = null;
  #solvedFor = '';
  // what is looked at while keys play, else the state's own configuration
  #shown: readonly number[] | null = null;

  constructor(app: App) {
    this.#app = app;
    const canvas = h('canvas.room', {
      tabindex: 0,
      'aria-label': 'The model: arrow keys move the target, with Shift they turn the view',
    });
    const frame = h('div.room-box', {}, canvas);
    this.#tools = this.#makeTools();
    this.#tree = new Tree((link) => this.#highlight(link));
    this.#joints = new JointPanel(app.store, {
      q: () => this.q,
      set: (label, q) => this.setPose(label, q),
    });
    this.#tips = new TipPanel(app.store, app.limber, {
      change: (label, edit) => this.#change(label, (stage) => edit(stage.tips)),
      select: (index) => this.#app.store.adjust(({ stage }) => void (stage.selected = index)),
      home: (index) => this.home(index),
    });
    this.timeline = new Timeline(app.store, {
      q: () => this.q,
      show: (q) => this.#show(q),
      set: (label, q) => this.setPose(label, q),
    });
    this.element = this.#makeElement(frame);
    this.world = new World(canvas);
    this.#targets = new Targets(this.world, {
      begin: () => app.store.begin(),
      move: (index, target) =>
        this.#change('target', ({ tips }) => {
          // it may have been taken away while it was dragged
          if (tips[index]) tips[index].target = target;
        }),
      end: () => app.store.end(),
      select: (index) => app.store.adjust(({ stage }) => void (stage.selected = index)),
    });
    this.#layers = layerRows.map(({ key, make }) => ({ key, layer: make() }));
    for (const { layer } of this.#layers) this.world.scene.add(layer.group);
    this.world.onFrame = (now) => this.#frame(now);
    this.world.onCamera = () =>
      app.store.adjust(({ stage }) => void (stage.camera = this.world.view));
    this.#listen(canvas, frame);
  }

  get #stage(): StageState {
    return this.#app.store.state.stage;
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

  /** What all that is drawn of the model takes up. */
  get box(): THREE.Box3 {
    return new THREE.Box3().setFromObject(this.#figure!.group);
  }

  /** The configuration that is looked at. */
  get q(): readonly number[] {
    return this.#shown ?? this.#stage.q;
  }

  #change(label: string, edit: (stage: StageState) => void): void {
    this.#app.store.change(label, ({ stage }) => edit(stage));
  }

  // ---- layout ----

  #add<C extends Control>(control: C): HTMLElement {
    this.#controls.push(control);
    return control.element;
  }

  #makeTools(): HTMLElement {
    return h(
      'div.room-tools',
      { role: 'toolbar', 'aria-label': 'Target and view' },
      this.#add(
        segmented<StageState['gizmo']>({
          label: 'The gizmo moves or turns the target',
          choices: [
            {
              value: 'translate',
              text: 'Move',
              hint: 'Move the target (G)',
              icon: () => icon('move'),
            },
            {
              value: 'rotate',
              text: 'Turn',
              hint: 'Turn the target (T)',
              icon: () => icon('turn'),
            },
          ],
          get: () => this.#stage.gizmo,
          set: (gizmo) => this.#app.store.adjust(({ stage }) => void (stage.gizmo = gizmo)),
        }),
      ),
      this.#add(
        toggle({
          label: 'Follow',
          hint: 'Solve with every change of the target; else when asked to',
          get: () => this.#stage.follow,
          set: (follow) => this.#change('follow', (stage) => void (stage.follow = follow)),
        }),
      ),
      button('Solve', () => this.solve(), {
        class: 'button',
        id: 'solve',
        title: 'Solve from the present pose (Enter)',
      }),
      button('Rest pose', () => this.rest(), {
        class: 'button',
        id: 'rest',
        title: 'All joints where they rest (R)',
      }),
      button('Fit view', () => this.look(), {
        class: 'button',
        id: 'look',
        title: 'The whole model in view (V)',
      }),
    );
  }

  #makeElement(frame: HTMLElement): HTMLElement {
    frame.append(this.#tools, this.#outcome, this.#note);
    return h(
      'main.stage-view',
      { id: 'stage' },
      h(
        'aside.examples',
        { 'aria-label': 'Models' },
        section(
          'Structure',
          { open: false, id: 'structure' },
          h('p.note', {}, 'Each link is a node, each joint the arc that leads to it.'),
          this.#tree.element,
        ),
        this.#models,
      ),
      h('div.centre', {}, this.#story, frame, this.timeline.element),
      h(
        'aside.panel',
        { 'aria-label': 'Controls' },
        section('Tips and targets', { id: 'tips' }, this.#tips.element),
        section('Joints', { id: 'joints' }, this.#unit(), this.#joints.element),
        section('Method', { id: 'solver', open: false }, ...this.#makeSolver()),
        section('Show', { id: 'layers' }, this.#makeLayers()),
      ),
    );
  }

  #unit(): HTMLElement {
    return this.#add(
      segmented<'degrees' | 'radians'>({
        label: 'Unit of angles',
        choices: [
          { value: 'degrees', text: 'Degrees' },
          { value: 'radians', text: 'Radians' },
        ],
        get: () => (this.#stage.degrees ? 'degrees' : 'radians'),
        set: (value) => this.#change('unit', (stage) => void (stage.degrees = value === 'degrees')),
      }),
    );
  }

  #makeSolver(): HTMLElement[] {
    const { methods } = this.#app.limber;
    const about = h('p.note');
    const method = choice({
      label: 'Method',
      choices: () => methods.map(({ name }) => ({ value: name, text: name })),
      get: () => this.#stage.method,
      set: (name) => this.#change('method', (stage) => void (stage.method = name)),
    });
    this.#controls.push({
      element: about,
      update: () => {
        const found = methods.find(({ name }) => name === this.#stage.method);
        about.textContent = found ? `${found.summary} (${found.source})` : '';
      },
    });
    return [
      this.#add(method),
      about,
      this.#add(
        choice({
          label: 'Answer',
          hint: 'Which of many solutions',
          choices: () => [
            { value: 'nearest', text: 'nearest to the present pose' },
            { value: 'any', text: 'the first one found' },
            { value: 'given', text: 'from this pose alone, no second try' },
          ],
          get: () => this.#stage.protocol,
          set: (value) =>
            this.#change(
              'protocol',
              (stage) => void (stage.protocol = value as StageState['protocol']),
            ),
        }),
      ),
    ];
  }

  #makeLayers(): HTMLElement {
    return h(
      'div.toggles',
      {},
      ...layerRows.map(({ key, label, hint }) =>
        this.#add(
          toggle({
            label,
            hint,
            get: () => this.#stage.show[key],
            set: (value) => this.#change(`show ${key}`, (stage) => void (stage.show[key] = value)),
          }),
        ),
      ),
    );
  }

  #fillModels(): void {
    const { model } = this.#stage;
    const picker = h('input', {
      type: 'file',
      multiple: true,
      accept: '.json,.urdf,.xml,.stl,.dae,.obj,.glb,.gltf,.bin,.png,.jpg',
      hidden: true,
      onchange: () => void this.openFiles(pathsOf([...(picker.files ?? [])])),
    });
    const current = (from: string, name: string): string | undefined =>
      model.from === from && model.name === name ? 'true' : undefined;
    const ofBuiltin = [...builtin].map(([name, { summary }]) =>
      h(
        'button.example.model',
        {
          type: 'button',
          'data-model': name,
          title: summary,
          'aria-current': current('builtin', name),
          onclick: () => this.open({ from: 'builtin', name }),
        },
        h('b', {}, name),
        h('small', {}, summary),
      ),
    );
    const ofFigures = stageExamples.map(({ id, figure, title }) =>
      h(
        'button.example',
        {
          type: 'button',
          'data-figure': id,
          'aria-current': current('figure', id),
          onclick: () => this.open({ from: 'figure', name: id }),
        },
        h('span.figure', {}, figure),
        h('span', {}, title),
      ),
    );
    const list = (items: HTMLElement[]): HTMLElement =>
      h('ul', {}, ...items.map((item) => h('li', {}, item)));
    fill(
      this.#models,
      h('h2', {}, 'Built in'),
      list(ofBuiltin),
      h('h2', {}, 'The chapter'),
      list(ofFigures),
      h('h2', {}, 'Your own'),
      model.from === 'file' &&
        list([
          h(
            'button.example.model',
            { type: 'button', 'aria-current': 'true' },
            h('b', {}, model.name),
          ),
        ]),
      h(
        'div.row',
        {},
        button('Open files …', () => picker.click(), { id: 'open-files' }),
        picker,
      ),
      h(
        'p.note.drop-note',
        {},
        'Or drop them anywhere here: a URDF, alone or with its folder of meshes, or limber JSON.',
      ),
    );
    this.#tell(model.from === 'figure' ? model.name : '');
    const item = this.#models.querySelector<HTMLElement>('[aria-current]');
    if (item) reveal(this.#models.parentElement!, item);
  }

  // the words to a figure of the chapter
  #tell(id: string): void {
    const example = stageExamples.find((each) => each.id === id);
    this.#story.hidden = !example;
    this.element.querySelector<HTMLDetailsElement>('#structure')!.open = example !== undefined;
    if (!example) return;
    fill(
      this.#story,
      h('h1', {}, h('span.figure', {}, `Figure ${example.figure} `), example.title),
      h('p', {}, example.text),
    );
  }

  // ---- what can be done ----

  /** Another model, with its usual tips, at rest. */
  open(model: ModelOrigin): void {
    const { degrees, gizmo, show } = this.#stage;
    // a model that cannot be read or drawn changes nothing
    const trial = new Session(this.#app.limber, modelOf(this.#app.limber, model));
    const { size } = trial;
    trial.release();
    if (size > largest)
      throw new LimberError(
        `${model.name}: it spans ${size.toPrecision(2)} m, too much to be drawn`,
      );
    const example = model.from === 'figure' && stageExamples.find(({ id }) => id === model.name);
    const shown = example
      ? { ...plainStageShow, ...example.show }
      : { ...show, crowd: false, workspace: false };
    this.#change('model', (stage) =>
      Object.assign(stage, plainStage(model), { degrees, gizmo, show: shown }),
    );
    this.#prepare();
  }

  async openFiles(files: Map<string, Blob>): Promise<void> {
    try {
      const { model } = this.#stage;
      // meshes alone belong to the model that is here
      const more = model.from === 'file' && onlyMeshes(files);
      if (more) this.openWith(model, new Map([...this.#filesOf(model), ...files]));
      else this.openWith(await describe(files), files);
    } catch (error) {
      this.#app.say(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  #filesOf(origin: ModelOrigin): Files {
    return this.#filesFor === JSON.stringify(origin) ? this.#files : new Map();
  }

  /** A model with the mesh files that it names. */
  openWith(origin: ModelOrigin, files: Files): void {
    this.#files = files;
    this.#filesFor = JSON.stringify(origin);
    if (this.#filesFor === this.#modelKey) this.#modelKey = '';
    this.open(origin);
    this.#app.show('stage');
  }

  /** A pose by hand: the targets ride along with their tips. */
  setPose(label: string, q: number[]): void {
    this.#prepare();
    if (q.length !== this.model.nq) return;
    this.#shown = null;
    this.#session!.state.update(q);
    const poses = this.#stage.tips.map(({ link }) => this.#session!.pose(link));
    this.#change(label, (stage) => {
      stage.q = q;
      stage.tips.forEach((tip, i) => (tip.target = poses[i]!));
    });
    this.#solvedFor = this.#targetKey();
    this.#answer = null;
  }

  rest(): void {
    this.setPose('rest', [...this.model.clamp(this.model.neutral())]);
  }

  home(index: number): void {
    this.#prepare();
    const pose = this.#session!.pose(this.#stage.tips[index]!.link);
    this.#change('target to tip', (stage) => void (stage.tips[index]!.target = pose));
  }

  solve(): void {
    this.#prepare();
    this.#solvedFor = '';
    this.#solve(true);
    this.update();
  }

  look(): void {
    const { box } = this;
    const centre = box.getCenter(new THREE.Vector3());
    const extent = box.getSize(new THREE.Vector3());
    this.world.look(
      centre,
      Math.max(extent.length() * 0.62, 0.55 * this.#size),
      extent.z < 0.15 * Math.max(extent.x, extent.y),
    );
    this.#app.store.adjust(({ stage }) => void (stage.camera = this.world.view));
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
      if (tip) [x, y, z].forEach((way, i) => (tip.target[9 + i]! += step * way));
    });
  }

  layer(name: keyof StageState['show']): Layer {
    return this.#layers.find(({ key }) => key === name)!.layer;
  }

  get crowd(): Crowd {
    return this.layer('crowd') as Crowd;
  }

  // ---- keeping up with the state ----

  #prepare(): void {
    const { model } = this.#stage;
    const key = JSON.stringify(model);
    if (key === this.#modelKey) {
      // the same model again, from the beginning
      if (!this.#fits()) this.#settle();
      return;
    }
    const session = new Session(this.#app.limber, modelOf(this.#app.limber, model));
    this.#modelKey = key;
    this.#session?.release();
    this.#figure?.dispose();
    this.#shown = null;
    this.#answer = null;
    this.#solvedFor = '';
    this.#session = session;
    this.#size = this.#session.size;
    const meshes = new MeshSource(this.#filesOf(model));
    this.#figure = new Figure(this.#session.model, this.#size, meshes, () => this.world.redraw());
    this.world.scene.add(this.#figure.group);
    for (const { layer } of this.#layers) layer.reset();
    this.#settle();
    this.#session.state.update(this.q);
    this.#figure.update(this.#session.state.transforms);
    const given = this.#stage.camera.length === 6;
    if (given) this.world.view = this.#stage.camera;
    this.#furnish(!given);
    this.#fillModels();
    const figure = this.#figure;
    const seen = JSON.stringify(this.#stage.camera);
    // with its meshes it is larger; nobody has turned the view in the meantime
    void figure.whole.then(() => {
      if (figure !== this.#figure) return;
      this.#furnish(!given && JSON.stringify(this.#stage.camera) === seen);
    });
  }

  // the floor below what is seen, the whole of it in view, and what of it is missing
  #furnish(look: boolean): void {
    this.world.furnish(this.#size, Math.min(this.box.min.z, 0));
    if (look) this.look();
    this.#tellMissing(this.figure.missing);
  }

  #tellMissing(missing: ReadonlyMap<string, string>): void {
    const count = missing.size;
    const them = count > 1 ? 'them' : 'it';
    fill(
      this.#note,
      count > 0 &&
        h(
          'details',
          {},
          h('summary', {}, `${count} ${count > 1 ? 'meshes are' : 'mesh is'} missing`),
          h('p', {}, `Joints are drawn instead. Drop the robot’s folder here to see ${them}:`),
          h(
            'ul',
            {},
            ...[...missing].map(([name, why]) => h('li', {}, name, h('small', {}, ` ${why}`))),
          ),
        ),
    );
  }

  // whether the state is one of the model that is here
  #fits(): boolean {
    const { q, tips } = this.#stage;
    const { nq, links } = this.model;
    return q.length === nq && tips.every(({ link }) => links.some(({ name }) => name === link));
  }

  // fills in what a fresh state leaves open: the pose, the tips, where their targets are
  #settle(): void {
    const { model, state } = this.#session!;
    const { q, tips } = this.#stage;
    const settled = q.length === model.nq ? q : [...model.clamp(model.neutral())];
    state.update(settled);
    const known = tips.filter(({ link }) => model.links.some(({ name }) => name === link));
    const wanted = known.length > 0 || tips.length > 0 ? known : usualTips(model);
    this.#app.store.adjust(({ stage }) => {
      stage.q = settled;
      stage.tips = wanted.map((tip) => ({
        ...tip,
        target: tip.target.length === 12 ? tip.target : this.#session!.pose(tip.link),
      }));
      stage.selected = Math.min(stage.selected, Math.max(0, wanted.length - 1));
    });
    this.#solvedFor = this.#targetKey();
  }

  #targetKey(): string {
    const { tips, method, protocol, follow } = this.#stage;
    return JSON.stringify([
      tips.map(({ link, kind, free, target }) => [link, kind, free, target]),
      method,
      protocol,
      follow,
    ]);
  }

  // a tip that was just added has its target where it is
  #fillTargets(): void {
    if (this.#stage.tips.every(({ target }) => target.length === 12)) return;
    this.#session!.state.update(this.q);
    this.#app.store.adjust(({ stage }) => {
      for (const tip of stage.tips)
        if (tip.target.length !== 12) tip.target = this.#session!.pose(tip.link);
    });
  }

  #solve(always = false): void {
    const key = this.#targetKey();
    if (key === this.#solvedFor || (!always && !this.#stage.follow)) return;
    this.#solvedFor = key;
    this.#answer = this.#session!.solve(this.#stage, this.#stage.q);
    const { result } = this.#answer;
    if (!result) return;
    const q = [...result.q];
    this.#shown = null;
    this.#app.store.adjust(({ stage }) => void (stage.q = q));
  }

  // ---- showing ----

  #show(q: readonly number[]): void {
    this.#shown = q;
    this.#draw();
    this.#joints.update(this.model);
  }

  #scene(): Scene {
    return { session: this.#session!, stage: this.#stage, q: this.q, size: this.#size };
  }

  #draw(): void {
    const { show } = this.#stage;
    this.#session!.state.update(this.q);
    this.#figure!.update(this.#session!.state.transforms);
    this.#figure!.group.visible = !show.crowd;
    this.#targets.show(!show.crowd);
    this.world.shadows = !show.crowd;
    const scene = this.#scene();
    let extent = 0;
    for (const { key, layer } of this.#layers) {
      if (!show[key] && layer.group.visible) layer.reset();
      layer.group.visible = show[key];
      if (!show[key]) continue;
      layer.update(scene);
      extent = Math.max(extent, layer.extent ?? 0);
    }
    this.#widen(extent);
    this.world.redraw();
  }

  // steps back for what is larger than the model, and comes back after it
  #widen(extent: number): void {
    if (extent === this.#extent) return;
    this.#nearView ??= this.world.view;
    this.#extent = extent;
    if (extent > 0) {
      this.world.look(new THREE.Vector3(0, 0, 0.3 * this.#size), 0.62 * extent * this.#size, false);
      return;
    }
    this.world.view = this.#nearView;
    this.#nearView = null;
  }

  #extent = 0;
  #nearView: number[] | null = null;

  #frame(now: number): boolean {
    if (!this.#session || this.#app.store.state.view !== 'stage') return false;
    let more = this.timeline.frame(now);
    const root = this.#session.state.transforms;
    const at = new THREE.Vector3().fromArray(root, 9);
    for (const { key, layer } of this.#layers) {
      if (!this.#stage.show[key]) continue;
      layer.look?.(this.world.camera, at);
      if (layer.frame?.(now)) more = true;
    }
    if (this.#stage.show.crowd) this.#tellCrowd();
    return more;
  }

  #tellCrowd(): void {
    const { figures } = this.crowd;
    if (!figures) return;
    const { arms, solving, framesPerSecond } = figures;
    this.#outcome.textContent = `${arms} arms: ${((1000 * solving) / arms).toFixed(1)} µs each, all solved in ${solving.toFixed(1)} ms; ${framesPerSecond.toFixed(0)} pictures a second`;
    this.#outcome.dataset['outcome'] = 'reached';
  }

  update(): void {
    if (this.#app.store.state.view !== 'stage') return;
    this.#prepare();
    this.#fillTargets();
    this.#solve();
    this.#draw();
    const { tips, selected, gizmo } = this.#stage;
    this.#targets.update(tips, selected, gizmo, this.#size);
    this.#tree.update(this.model);
    this.#joints.update(this.model);
    this.#tips.update(this.model, this.#size);
    this.timeline.update(this.model);
    for (const control of this.#controls) control.update();
    if (!this.#stage.show.crowd) this.#tellOutcome();
  }

  #tellOutcome(): void {
    if (!this.#answer) {
      fill(
        this.#outcome,
        'Drag the target by its arrows, a link by its body, or a joint by its slider.',
      );
      this.#outcome.dataset['outcome'] = '';
      return;
    }
    const { result, words, time } = this.#answer;
    this.#outcome.dataset['outcome'] = result?.outcome ?? 'refused';
    fill(
      this.#outcome,
      h(
        'b',
        {},
        result
          ? result.outcome === 'reached'
            ? '✓ '
            : `✕ ${result.outcome}: `
          : '– not possible: ',
      ),
      words,
      result && h('small', {}, time >= 1 ? ` ${Math.round(time)} µs` : ''),
    );
  }

  recolor(): void {
    this.world.recolor();
  }

  // ---- pointing ----

  #highlight(link: number): void {
    this.#figure?.highlight(link);
    this.world.redraw();
  }

  // from -1 to 1 across the picture
  #pointer(event: { clientX: number; clientY: number }): THREE.Vector2 {
    const box = this.world.canvas.getBoundingClientRect();
    return new THREE.Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
  }

  #ray(event: { clientX: number; clientY: number }): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(this.#pointer(event), this.world.camera);
    return ray;
  }

  #listen(canvas: HTMLCanvasElement, frame: HTMLElement): void {
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.#hover(event));
    // files may be dropped anywhere on the stage
    const view = this.element;
    view.addEventListener('dragover', (event) => {
      event.preventDefault();
      frame.classList.add('dropping');
    });
    view.addEventListener('dragleave', () => frame.classList.remove('dropping'));
    view.addEventListener('drop', (event) => {
      event.preventDefault();
      frame.classList.remove('dropping');
      if (event.dataTransfer)
        void filesOf(event.dataTransfer).then((files) => this.openFiles(files));
    });
  }

  #hover(event: PointerEvent): void {
    if (event.buttons || this.#stage.show.crowd || event.pointerType === 'touch') return;
    const [hit] = this.#targets.hot
      ? []
      : this.#ray(event).intersectObject(this.#figure!.group, true);
    const link = hit ? linkOf(hit.object) : -1;
    this.#highlight(link);
    this.world.canvas.style.cursor = link > 0 ? 'grab' : '';
    this.world.canvas.title = link >= 0 ? this.model.links[link]!.name : '';
  }

  // a target under the pointer is selected, a link is pulled; anything else turns the view
  #press(event: PointerEvent): void {
    const ray = this.#ray(event);
    const { x, y } = this.#pointer(event);
    if (event.pointerType === 'touch') this.#targets.touch(x, y);
    if (event.button !== 0 || this.#targets.hot || this.#stage.show.crowd) return;
    if (this.#targets.pick(ray)) return;
    const [hit] = ray.intersectObject(this.#figure!.group, true);
    const link = hit ? linkOf(hit.object) : -1;
    if (!hit || link <= 0) return;
    event.stopImmediatePropagation();
    this.#pull(event, link, hit.point);
  }

  #pull(event: PointerEvent, link: number, at: THREE.Vector3): void {
    const { canvas, camera } = this.world;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      camera.getWorldDirection(new THREE.Vector3()),
      at,
    );
    const local = at.clone().applyMatrix4(this.#figure!.links[link]!.matrixWorld.clone().invert());
    const drag = new AbortController();
    canvas.setPointerCapture(event.pointerId);
    this.#app.store.begin();
    this.#highlight(link);
    const figure = this.#figure;
    const move = (e: PointerEvent): void => {
      const to = this.#ray(e).ray.intersectPlane(plane, new THREE.Vector3());
      this.#prepare();
      // another model has come in the meantime
      if (!to || !to.toArray().every(Number.isFinite) || figure !== this.#figure) return;
      const q = this.#session!.pull(
        this.#stage,
        this.q,
        link,
        local.toArray(),
        to.toArray() as Vector,
      );
      this.setPose('pull', q);
    };
    canvas.addEventListener('pointermove', move, { signal: drag.signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(
        name,
        () => {
          drag.abort();
          this.#highlight(-1);
          this.#app.store.end();
        },
        { signal: drag.signal },
      );
  }
}
