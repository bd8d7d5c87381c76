// timeline.ts - key poses on a timeline, and playing the motion between them.

import type { Clip, Joint, Model } from 'limber';
import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { CurveDock, type KeySource, type Moving } from '../curves/dock';
import { button, clamp, type Control, segmented, toggle } from '../ui/controls';
import { fill, h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { Key, StageState } from './document';

export interface TimelineActions {
  q(): readonly number[];
  /** Shows a configuration without changing the state. */
  show(q: readonly number[]): void;
  set(label: string, q: number[]): void;
  /** A joint to the values it has in q, as its slider does. */
  turn(label: string, joint: Joint, q: number[]): void;
}

/** The key poses as a clip of the library; null when there are none that fit the model. */
export function clipOf(model: Model, { keys, interpolation }: StageState): Clip | null {
  const times = keys.map(({ time }) => time);
  const fit =
    keys.every(({ q }) => q.length === model.nq) &&
    times.every((t, i) => i === 0 || t > times[i - 1]!);
  return fit && keys.length > 0 ? model.clip(keys, { interpolation }) : null;
}

/** Moves a key to a time that no other has, on a grid of 0.05 s; returns its index. */
function moveKey(keys: Key[], index: number, to: number): number {
  const moved = keys[index]!;
  const grid = (time: number): number => Math.round(time * 20) / 20;
  let time = Math.max(0, grid(to));
  while (keys.some((key) => key !== moved && Math.abs(key.time - time) < 0.01))
    time = grid(time + 0.05);
  moved.time = time;
  keys.sort((a, b) => a.time - b.time);
  return keys.indexOf(moved);
}

export const lastTime = (keys: readonly Key[]): number => keys.at(-1)?.time ?? 0;

export class Timeline {
  readonly element: HTMLElement;
  readonly #store: Store<AppState>;
  readonly #actions: TimelineActions;
  readonly #track = h('div.track', { role: 'group', 'aria-label': 'Key poses' });
  readonly #head = h('div.head');
  readonly #clock = h('output.count');
  readonly #play: HTMLButtonElement;
  readonly #controls: Control[];
  readonly #onKeys: readonly HTMLButtonElement[];
  readonly #curves: CurveDock;
  #model: Model | null = null;
  #time = 0;
  #playing = false;
  #last = 0;
  #clip: Clip | null = null;
  #clipKey = '';

  constructor(store: Store<AppState>, actions: TimelineActions) {
    this.#store = store;
    this.#actions = actions;
    this.#play = button('', () => this.play(), {
      class: 'icon-button primary',
      id: 'play-keys',
      title: 'Play the key poses (space)',
      icon: icon('play'),
    });
    const easing = segmented<StageState['interpolation']>({
      label: 'Between keys',
      choices: [
        { value: 'cubic', text: 'Smooth', hint: 'With continuous velocities at the keys' },
        { value: 'linear', text: 'Linear', hint: 'At constant speed from key to key' },
      ],
      get: () => this.#stage.interpolation,
      set: (value) =>
        this.#store.change('interpolation', ({ stage }) => void (stage.interpolation = value)),
    });
    const loop = toggle({
      label: 'Loop',
      get: () => this.#stage.loop,
      set: (value) => this.#store.change('loop', ({ stage }) => void (stage.loop = value)),
    });
    this.#controls = [easing, loop];
    this.#onKeys = [
      button('Update', () => this.updateKey(), {
        class: 'button',
        id: 'update-key',
        title: 'The nearest key takes the present pose',
      }),
      button('Delete', () => this.removeKey(), {
        class: 'button',
        id: 'delete-key',
        title: 'Deletes the nearest key',
      }),
    ];
    this.#curves = this.#makeCurves();
    this.#track.addEventListener('pointerdown', (event) => this.#press(event));
    this.element = h(
      'div.timeline',
      {},
      h(
        'div.bar',
        {},
        button('Key pose', () => this.capture(), {
          class: 'button',
          id: 'capture',
          title: 'Keeps the present pose as a key (K)',
          icon: icon('key'),
        }),
        ...this.#onKeys,
        this.#play,
        this.#clock,
        h('span.space'),
        easing.element,
        loop.element,
      ),
      this.#track,
      this.#curves.element,
    );
  }

  #makeCurves(): CurveDock {
    return new CurveDock({
      state: () => this.#stage.curves,
      change: (edit) => this.#store.adjust(({ stage }) => edit(stage.curves)),
      moving: () => {
        const clip = this.#keysClip();
        if (!clip || clip.count < 2) return [];
        const rates = (time: number): Float64Array => clip.rates(time).velocity;
        const { model, end: until } = clip;
        const at = (time: number): Float64Array => clip.at(time);
        return [{ name: '', model, points: [], at, rates, until, ...this.#errors(clip) }];
      },
      seen: () => [0, this.#span()],
      degrees: () => this.#stage.degrees,
      seek: (time) => this.#seek(time),
      wheel: () => {},
      line: this.#track,
      keys: this.#keySource,
    });
  }

  // tips from their targets, where they are now
  #errors(clip: Clip): Pick<Moving, 'errors'> {
    const { model } = clip;
    const tips = this.#stage.tips.filter(({ target }) => target.length === 12);
    if (tips.length === 0) return {};
    return {
      errors: (times) => {
        const state = model.state();
        const curves = tips.map(({ link }) => ({ name: link, values: [] as number[] }));
        for (const time of times) {
          state.update(clip.at(time));
          tips.forEach(({ link, target }, i) => {
            const at = state.transform(link);
            curves[i]!.values.push(Math.hypot(...[9, 10, 11].map((k) => at[k]! - target[k]!)));
          });
        }
        state.release();
        return { curves, turns: false };
      },
    };
  }

  // on the curves: the present pose is the key's while it is edited, so what holds a pose holds a key
  get #keySource(): KeySource {
    return {
      list: () => this.#stage.keys,
      begin: (key) => {
        if (this.#playing) this.play();
        this.#store.begin();
        this.#time = this.#stage.keys[key]!.time;
        this.#actions.set('key', [...this.#stage.keys[key]!.q]);
      },
      move: (key, time, turned) => {
        if (turned) this.#actions.turn('key value', turned.joint, turned.q);
        let now = key;
        this.#store.change('move key', ({ stage }) => {
          if (turned) stage.keys[key]!.q = [...stage.q];
          if (time !== undefined) now = moveKey(stage.keys, key, time);
        });
        this.#time = this.#stage.keys[now]!.time;
        return now;
      },
      end: () => this.#store.end(),
      remove: (key) => {
        this.#time = this.#stage.keys[key]!.time;
        this.removeKey();
      },
    };
  }

  get #stage(): StageState {
    return this.#store.state.stage;
  }

  get playing(): boolean {
    return this.#playing;
  }

  // the line shows a second more than there are keys, so that there is room for another
  #span(): number {
    return Math.max(3, lastTime(this.#stage.keys) + 1);
  }

  /** Keeps the present pose: at the playhead, or a second after the last key. */
  capture(): void {
    const q = [...this.#actions.q()];
    const { keys } = this.#stage;
    const free = !keys.some(({ time }) => Math.abs(time - this.#time) < 0.05);
    const time = keys.length === 0 ? 0 : free && this.#time > 0 ? this.#time : lastTime(keys) + 1;
    this.#store.change('capture', ({ stage }) => {
      stage.keys.push({ time: Math.round(time * 100) / 100, q });
      stage.keys.sort((a, b) => a.time - b.time);
    });
    this.#time = time;
    this.update(this.#model!);
  }

  // the key nearest to the playhead
  #nearest(): number {
    const far = ({ time }: Key): number => Math.abs(time - this.#time);
    return this.#stage.keys.reduce(
      (best, key, i, keys) => (far(key) < far(keys[best]!) ? i : best),
      0,
    );
  }

  /** The nearest key pose becomes the present one. */
  updateKey(): void {
    const near = this.#nearest();
    const q = [...this.#actions.q()];
    if (this.#stage.keys.length > 0)
      this.#store.change('update key', ({ stage }) => void (stage.keys[near]!.q = q));
  }

  removeKey(): void {
    const near = this.#nearest();
    if (this.#stage.keys.length > 0)
      this.#store.change('delete key', ({ stage }) => void stage.keys.splice(near, 1));
  }

  play(): void {
    if (this.#stage.keys.length < 2) return;
    this.#playing = !this.#playing;
    this.#last = 0;
    if (this.#playing && this.#time >= lastTime(this.#stage.keys)) this.#time = 0;
    if (!this.#playing) this.#actions.set('play', [...this.#actions.q()]);
    this.#play.replaceChildren(icon(this.#playing ? 'pause' : 'play'));
    this.update(this.#model!);
  }

  /** Plays from the first key to the last; resolves when it has arrived there. */
  async playOnce(): Promise<void> {
    if (this.#stage.keys.length < 2) return;
    if (this.#playing) this.play();
    const { loop } = this.#stage;
    this.#store.adjust(({ stage }) => void (stage.loop = false));
    this.#time = 0;
    this.play();
    while (this.#playing) await new Promise((next) => setTimeout(next, 30));
    this.#store.adjust(({ stage }) => void (stage.loop = loop));
  }

  /** Called before each picture; true: there is another one. */
  frame(now: number): boolean {
    if (!this.#playing || !this.#model) return false;
    if (this.#last > 0) this.#time += (now - this.#last) / 1000;
    this.#last = now;
    const end = lastTime(this.#stage.keys);
    if (this.#time > end) {
      if (this.#stage.loop) this.#time %= end || 1;
      else this.#time = end;
    }
    this.#showPose();
    if (this.#time === end && !this.#stage.loop) this.play();
    return true;
  }

  // the motion through the keys as they are now
  #keysClip(): Clip | null {
    const key = JSON.stringify([this.#stage.keys, this.#stage.interpolation]);
    if (this.#model && (key !== this.#clipKey || this.#clip?.model !== this.#model)) {
      this.#clip?.release();
      this.#clip = clipOf(this.#model, this.#stage);
      this.#clipKey = key;
    }
    return this.#clip;
  }

  #showPose(): void {
    const clip = this.#keysClip();
    if (clip) this.#actions.show([...clip.at(this.#time)]);
    this.#place();
  }

  #seek(time: number): void {
    this.#time = clamp(time, 0, this.#span());
    this.#showPose();
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const box = this.#track.getBoundingClientRect();
    const timeAt = (e: PointerEvent): number =>
      clamp((e.clientX - box.left) / box.width, 0, 1) * this.#span();
    const key = (event.target as HTMLElement).dataset['key'];
    if (this.#playing) this.play();
    this.#track.setPointerCapture(event.pointerId);
    this.#store.begin();
    if (key !== undefined) this.#seek(this.#stage.keys[Number(key)]!.time);
    else this.#seek(timeAt(event));
    const drag = new AbortController();
    let index = Number(key);
    const span = this.#span();
    this.#track.addEventListener(
      'pointermove',
      (e) => {
        const share = clamp((e.clientX - box.left) / box.width, 0, 1);
        if (key === undefined) return this.#seek(share * span);
        this.#store.change(
          'move key',
          ({ stage }) => void (index = moveKey(stage.keys, index, share * span)),
        );
        this.#time = this.#stage.keys[index]!.time;
      },
      { signal: drag.signal },
    );
    for (const name of ['pointerup', 'pointercancel'] as const)
      this.#track.addEventListener(
        name,
        () => {
          drag.abort();
          this.#actions.set('key', [...this.#actions.q()]);
          this.#store.end();
        },
        { signal: drag.signal },
      );
  }

  #nudge(event: KeyboardEvent, i: number): void {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      this.#time = this.#stage.keys[i]!.time;
      return this.removeKey();
    }
    const by = { ArrowLeft: -0.1, ArrowRight: 0.1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#store.change(
      'move key',
      ({ stage }) => void moveKey(stage.keys, i, stage.keys[i]!.time + by),
    );
  }

  #place(): void {
    this.#head.style.left = `${(100 * this.#time) / this.#span()}%`;
    this.#curves.place(this.#time);
    this.#clock.textContent = `${this.#time.toFixed(2)} s of ${lastTime(this.#stage.keys).toFixed(2)} s`;
  }

  /** What the curves show, for tests. */
  get curves(): unknown {
    return this.#curves.scene;
  }

  recolor(): void {
    this.#curves.recolor();
  }

  update(model: Model): void {
    this.#model = model;
    const { keys } = this.#stage;
    const span = this.#span();
    for (const control of this.#controls) control.update();
    this.#play.disabled = keys.length < 2;
    for (const each of this.#onKeys) each.disabled = keys.length === 0;
    const focused = (document.activeElement as HTMLElement | null)?.dataset['key'];
    fill(
      this.#track,
      ...Array.from({ length: keys.length > 0 ? Math.ceil(span) : 0 }, (_, second) =>
        h('span.second', { style: `left:${(100 * second) / span}%` }, `${second} s`),
      ),
      this.#head,
      ...keys.map(({ time }, i) =>
        h(
          'button.key',
          {
            type: 'button',
            'data-key': i,
            style: `left:${(100 * time) / span}%`,
            'aria-label': `Key pose at ${time} seconds`,
            title: `Key pose at ${time} s: drag it, or arrow keys; Delete removes it`,
            onfocus: () => this.#seek(time),
            onkeydown: (event: KeyboardEvent) => this.#nudge(event, i),
          },
          icon('key'),
        ),
      ),
      keys.length === 0 &&
        h('span.hint', {}, 'Pose the model, keep it as a key pose, pose it again: then play.'),
    );
    this.#curves.element.hidden = keys.length < 2;
    this.#curves.update();
    if (focused !== undefined)
      this.#track.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
    this.#place();
  }
}
