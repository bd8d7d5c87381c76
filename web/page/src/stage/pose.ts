// pose.ts - the pose on the stage: solved for the targets, or set by hand.

import type { Joint, Model } from 'limber';
import type { Host } from '../app/host';
import { defaultTips } from './defaults';
import type { StageState, TipState } from './document';
import type { ElbowPlace } from './elbow';
import { Passage } from './passage';
import type { Session, Solved, Vector } from './session';
import { switched } from './switcher';

export class Pose {
  readonly #store: Host['store'];
  readonly #prepare: () => void;
  readonly #passage = new Passage();
  #session: Session | null = null;
  #solved: Solved | null = null;
  #solvedFor = '';
  // the configuration shown while keys play, else the state's own
  #shown: readonly number[] | null = null;

  /** `prepare` calls begin() if the state has another model than the session. */
  constructor(store: Host['store'], prepare: () => void) {
    this.#store = store;
    this.#prepare = prepare;
  }

  get #stage(): StageState {
    return this.#store.state.stage;
  }

  get #model(): Model {
    return this.#session!.model;
  }

  /** The configuration that is shown. */
  get q(): readonly number[] {
    return this.#shown ?? this.#stage.q;
  }

  /** The configuration on the way to the one that is shown. */
  get drawn(): readonly number[] {
    return this.#passage.at(this.#model, this.q);
  }

  /** The latest solve; null: the pose was set by hand. */
  get solved(): Solved | null {
    return this.#solved;
  }

  #change(label: string, edit: (stage: StageState) => void): void {
    this.#store.change(label, ({ stage }) => edit(stage));
  }

  /** Another model. */
  begin(session: Session): void {
    this.#session = session;
    this.#shown = null;
    this.#solved = null;
    this.#solvedFor = '';
  }

  /** Shows a configuration and leaves the state as it is. */
  show(q: readonly number[]): void {
    this.#shown = this.#session!.close(q);
  }

  /** Called before each picture; true: the figure has moved on. */
  frame(now: number): boolean {
    return this.#passage.frame(now);
  }

  // ---- by hand ----

  /** The targets ride along with their tips. */
  set(label: string, q: number[]): void {
    this.#prepare();
    if (q.length === this.#model.nq)
      this.#set(label, this.#session!.close(q), { carried: () => true, solved: null });
  }

  // the targets of the tips that are carried ride along; `solved` is what led to the pose
  #set(
    label: string,
    q: number[],
    { carried, solved }: { carried: (tip: TipState) => boolean; solved: Solved | null },
  ): void {
    this.#prepare();
    if (q.length !== this.#model.nq) return;
    this.#shown = null;
    this.#session!.state.update(q);
    const poses = this.#stage.tips.map(({ link }) => this.#session!.pose(link));
    this.#change(label, (stage) => {
      stage.q = q;
      stage.tips.forEach((tip, i) => {
        if (carried(tip)) tip.target = poses[i]!;
      });
    });
    this.#solvedFor = this.#targetKey();
    this.#solved = solved;
  }

  /** A joint by its slider: what is planted stays, and the other joints give way. */
  turn(label: string, joint: Joint, q: number[]): void {
    this.#prepare();
    if (!this.#bound) return this.#drag(label, q, null);
    const solved = this.#session!.turn(this.#stage, this.q, joint, q);
    if (solved.q) this.#drag(label, solved.q, solved);
  }

  /** Another solution of the same target: the figure goes there, and is solved from there on. */
  pick(q: number[]): void {
    this.#passage.begin(this.#model, this.q);
    this.#goTo('solution', q, 'another solution of the same target');
  }

  #goTo(label: string, q: number[], words: string): void {
    this.#set(label, q, { carried: () => false, solved: switched(q, words) });
  }

  /** The elbow by its handle: the tool stays. */
  moveElbow(place: ElbowPlace): void {
    this.#prepare();
    const q = this.#session!.solutions.elbowAt(this.#stage, place, this.q);
    if (!q) return;
    this.#goTo('elbow', q, 'another elbow for the same target');
  }

  /** A point of a link by the pointer. */
  pull(link: number, point: Vector, to: Vector): void {
    const q = this.#session!.pull(this.#stage, this.q, link, point, to);
    this.#drag('pull', q, null);
  }

  // what is planted stays; `solved` is what led to the pose
  #drag(label: string, q: number[], solved: Solved | null): void {
    const kept = this.#keptApart(q);
    this.#set(label, kept?.q ?? q, {
      carried: (tip) => !tip.planted,
      solved: kept ?? solved,
    });
  }

  // whether joints on the way to another pose do not keep what must be kept
  get #bound(): boolean {
    return this.#model.loopCount > 0 || this.#stage.tips.some(({ planted }) => planted);
  }

  // where contact stops the way to a configuration; null: nothing does
  #keptApart(to: number[]): (Solved & { q: number[] }) | null {
    if (!this.#stage.solid || to.length !== this.#model.nq) return null;
    const { clearance } = this.#session!;
    const held = (q: number[]): number[] | null =>
      this.#bound ? this.#session!.held(this.#stage, q) : q;
    const { q, pair } = clearance.keep(this.#stage.q, to, held);
    return pair && { q, kind: 'contact', words: clearance.words(pair), time: 0 };
  }

  rest(): void {
    this.set('rest', [...this.#model.clamp(this.#model.neutral())]);
  }

  // ---- targets ----

  // where the tip is now
  #tipPose(index: number): number[] {
    this.#prepare();
    this.#session!.state.update(this.q);
    return this.#session!.pose(this.#stage.tips[index]!.link);
  }

  home(index: number): void {
    const pose = this.#tipPose(index);
    this.#change('target to tip', (stage) => void (stage.tips[index]!.target = pose));
  }

  plant(index: number, planted: boolean): void {
    const pose = this.#tipPose(index);
    this.#change('planted', ({ tips }) => {
      tips[index]!.planted = planted;
      if (planted) tips[index]!.target = pose;
    });
  }

  /** Whether the state is one of the model that is here. */
  get fits(): boolean {
    const { q, tips } = this.#stage;
    const { nq, links } = this.#model;
    return q.length === nq && tips.every(({ link }) => links.some(({ name }) => name === link));
  }

  /** Fills in what a fresh state leaves open: the pose, the tips, where their targets are. */
  settle(): void {
    const { model, state } = this.#session!;
    const { q, tips } = this.#stage;
    const kept = q.length === model.nq ? q : [...model.clamp(model.neutral())];
    const settled = this.#session!.close(kept);
    state.update(settled);
    const known = tips.filter(({ link }) => model.links.some(({ name }) => name === link));
    const wanted = known.length > 0 || tips.length > 0 ? known : defaultTips(model);
    this.#store.adjust(({ stage }) => {
      stage.q = settled;
      stage.tips = wanted.map((tip) => ({
        ...tip,
        target: tip.target.length === 12 ? tip.target : this.#session!.pose(tip.link),
      }));
      stage.selected = Math.min(stage.selected, Math.max(0, wanted.length - 1));
    });
    this.#solvedFor = this.#targetKey();
  }

  /** A tip that was just added has its target where it is. */
  fillTargets(): void {
    if (this.#stage.tips.every(({ target }) => target.length === 12)) return;
    this.#session!.state.update(this.q);
    this.#store.adjust(({ stage }) => {
      for (const tip of stage.tips)
        if (tip.target.length !== 12) tip.target = this.#session!.pose(tip.link);
    });
  }

  // ---- solving ----

  #targetKey(): string {
    const { tips, method, protocol, follow, balance, solid } = this.#stage;
    return JSON.stringify([
      balance,
      solid,
      tips.map(({ link, kind, free, target }) => [link, kind, free, target]),
      method,
      protocol,
      follow,
    ]);
  }

  /** Solves if targets or method have changed; not without Follow, unless `always`. */
  solve(always = false): void {
    const key = this.#targetKey();
    if (!always && (key === this.#solvedFor || !this.#stage.follow)) return;
    this.#solvedFor = key;
    const solved = this.#session!.solve(this.#stage, this.#stage.q);
    this.#solved = (solved.q && this.#keptApart(solved.q)) ?? solved;
    const { q } = this.#solved;
    if (!q) return;
    this.#shown = null;
    this.#store.adjust(({ stage }) => void (stage.q = q));
  }
}
