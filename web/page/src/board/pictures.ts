// pictures.ts - the pictures of the methods on show, their captions, and on a phone the chips that choose one.

import type { Limber } from 'limber';
import type { Store } from '../app/store';
import type { AppState } from '../app/state';
import { h, refill, reveal, set, write } from '../ui/dom';
import type { Status } from '../ui/status';
import { type BoardState, pane } from './document';
import { type DrawnArm, Drawing, type DrawingEvents, type Scene } from './drawing';
import { type Look, looksOf, lookOf, nameOf, swatch, titleOf } from './looks';
import type { Playback } from './playback';
import { methodsOf } from './own/method';
import { effectiveSettings, outOfReach, type Run } from './run';
import { ownWords, settingRows } from './settings';
import { shortError } from './table';

/** Frames of a path that stay as shadows, as in the figures of Parent 2012. */
const shadows = 5;
/** Frames of the tip's trace while it follows the target. */
const traced = 140;

/** A phone: one picture at a time, its method chosen by a chip. */
const narrow = matchMedia('(max-width: 760px)');

/** A picture with its caption, as in the export. */
interface Figure {
  element: HTMLElement;
  drawing: Drawing;
  caption: HTMLElement;
  lines: CaptionLine[];
}

/** What is said under a picture of a method. */
interface Caption {
  look: Look;
  method: string;
  refusal: string;
  /** Its own settings. */
  own: string;
  error: number;
  status: Status | null;
}

export class Pictures {
  readonly element = h('div.panes');
  readonly chips = h('div.chips', { role: 'group', 'aria-label': 'Methods' });
  /** The method in the one picture of a phone. */
  front = '';
  /** The target has been moved once; until then a hint says that it can be. */
  touched = false;
  readonly #limber: Limber;
  readonly #store: Store<AppState>;
  readonly #playback: Playback;
  readonly #events: DrawingEvents;
  readonly #changed: () => void;
  #figures: Figure[] = [];

  constructor(
    limber: Limber,
    store: Store<AppState>,
    playback: Playback,
    events: DrawingEvents & { changed(): void },
  ) {
    this.#limber = limber;
    this.#store = store;
    this.#playback = playback;
    // all views hold still in a drag, so that the pictures compare
    const all = (hold: 'hold' | 'letGo'): void =>
      this.#figures.forEach(({ drawing }) => drawing[hold]());
    this.#events = {
      ...events,
      begin: (what) => {
        all('hold');
        events.begin(what);
      },
      end: () => {
        all('letGo');
        events.end();
      },
    };
    this.#changed = () => events.changed();
    narrow.addEventListener('change', this.#changed);
    // where there are chips, the chosen one is seen
    new ResizeObserver(() => {
      const chosen = this.chips.querySelector<HTMLElement>('[aria-pressed="true"]');
      if (chosen) reveal(this.chips, chosen);
    }).observe(this.chips);
  }

  get #board(): BoardState {
    return this.#store.state.board;
  }

  /** The pictures with their captions, for export. */
  get saved(): { svg: SVGElement; caption: string }[] {
    return this.#figures.map(({ drawing, caption }) => ({
      svg: drawing.svg,
      caption: [...caption.querySelectorAll('.caption')]
        .map((c) => (c as HTMLElement).innerText.replace(/\s+/g, ' '))
        .join('   '),
    }));
  }

  /** The place of the method in front. */
  get frontPlace(): number {
    return Math.max(
      0,
      this.#board.panes.findIndex(({ method }) => method === this.front),
    );
  }

  /** Draws over the picture of the method in front, and over no other. */
  overlay(draw: Drawing['overlay']): void {
    const at = this.#figures.length > 1 ? this.frontPlace : 0;
    this.#figures.forEach(({ drawing }, i) => {
      const now = i === at ? draw : null;
      if (drawing.overlay === now) return;
      drawing.overlay = now;
      drawing.update();
    });
  }

  /** Draws the pictures, and if wanted what is said below them. */
  update(words = true): void {
    const { layout, panes } = this.#board;
    const { runs } = this.#playback.runs;
    const looks = looksOf(panes.map(({ method }) => method));
    const all = layout === 'over' ? [runs.map((_, i) => i)] : runs.map((_, i) => [i]);
    const front = this.frontPlace;
    const groups = narrow.matches && layout === 'side' ? [all[front]!] : all;
    this.#updateChips(panes[front]!.method);
    this.#provide(groups.length);
    groups.forEach((places, i) => {
      this.#figures[i]!.drawing.update(this.#scene(places, looks, i === 0), words);
      if (words) this.#updateCaptions(this.#figures[i]!, places, looks);
    });
  }

  // as many pictures as are needed
  #provide(count: number): void {
    set(this.element, { 'data-count': count });
    while (this.#figures.length > count) this.#figures.pop()!.element.remove();
    while (this.#figures.length < count) this.element.append(this.#makeFigure());
  }

  #makeFigure(): HTMLElement {
    const drawing = new Drawing(this.#events);
    const caption = h('figcaption');
    const element = h('figure.pane', {}, drawing.element, caption);
    new ResizeObserver(() => {
      drawing.head = caption.offsetTop + caption.offsetHeight;
    }).observe(caption);
    this.#figures.push({ element, drawing, caption, lines: [] });
    return element;
  }

  #updateCaptions(figure: Figure, places: number[], looks: readonly Look[]): void {
    const { runs } = this.#playback.runs;
    const captions = places.map((p) => this.#captionOf(runs[p]!, p, looks[p]!));
    const key = captions.map(({ error: _, status: _s, ...rest }) => rest);
    refill(figure.caption, key, () => {
      figure.lines = captions.map((each) => new CaptionLine(each));
      return figure.lines.map(({ element }) => element);
    });
    captions.forEach((each, i) => figure.lines[i]!.update(each));
  }

  #scene(places: number[], looks: readonly Look[], first: boolean): Scene {
    const { links, panes, target, show, motion, start } = this.#board;
    const { runs } = this.#playback.runs;
    const names = places.map((p) => titleOf(panes[p]!.method)).join(', ');
    return {
      hint: this.touched || !first ? '' : 'drag me',
      title: `Arm of ${links.length} links, ${names}`,
      links,
      target,
      show,
      arms: places.map((p) => this.#drawn(runs[p]!, p, looks[p]!)),
      start: motion === 'follow' ? null : this.#playback.arm.points(start),
      goal: motion === 'path' ? this.#playback.frameOf(runs[places[0]!]!).goal : null,
    };
  }

  #drawn(run: Run, place: number, look: Look): DrawnArm {
    const { show, motion } = this.#board;
    const { arm } = this.#playback;
    const at = this.#playback.indexIn(run);
    const { q } = run.frames[at]!;
    const ghosts =
      motion === 'follow' || !show.ghosts
        ? []
        : ghostFrames(run.frames.length, at, motion === 'path' ? shadows : shadows - 1);
    return {
      place,
      look,
      points: arm.points(q),
      ghosts: ghosts.map((k) => ({ points: arm.points(run.frames[k]!.q), label: String(k) })),
      trace: run.frames.slice(motion === 'follow' ? -traced : 0, at + 1).map(({ tip }) => tip),
      changes: show.changes ? arm.changes(q) : [],
      ellipses: show.ellipse ? arm.ellipses(q, dampingOf(this.#board, place)) : [],
    };
  }

  // ---- captions ----

  #captionOf(run: Run, place: number, look: Look): Caption {
    const { settings, gains } = this.#board.panes[place]!;
    return {
      ...{ look, method: run.method, refusal: run.refusal, own: ownWords(settings, gains) },
      error: this.#playback.frameOf(run).error,
      status: this.#statusOf(run),
    };
  }

  // what a run's last frame says; a target out of reach is said at once
  #statusOf(run: Run): Status | null {
    if (this.#playback.indexIn(run) < run.frames.length - 1) return null;
    const { target, motion } = this.#board;
    const { arm } = this.#playback;
    if (run.status.kind !== 'moving') return run.status;
    if (motion !== 'path' && arm.beyond(target) > 0) return outOfReach(arm, target);
    // along a path an arm is never where it was going until the last frame
    return motion === 'path' ? null : run.status;
  }

  // ---- chips ----

  // a chip for each method; the one in front is chosen, a tap on another brings it to the front
  #updateChips(front: string): void {
    const chip = (name: string): HTMLElement => {
      const attributes = { 'aria-pressed': String(name === front), 'data-chip': name };
      const onclick = (): void => this.#bringToFront(name);
      return h(
        'button.chip',
        { type: 'button', ...attributes, onclick },
        swatch(lookOf(name)),
        titleOf(name),
      );
    };
    const names = methodsOf(this.#limber, this.#board).map(({ name }) => name);
    refill(this.chips, [front, names], () => names.map(chip));
  }

  #bringToFront(name: string): void {
    this.front = name;
    if (this.#board.panes.some(({ method }) => method === name)) this.#changed();
    else this.#store.change('methods', ({ board }) => void board.panes.push(pane(name)));
  }
}

/** Lambda of a method that takes it; 0: it has none, or chooses by itself. */
function dampingOf(board: BoardState, place: number): number {
  const shown = board.panes[place]!;
  const row = settingRows.find(({ key }) => key === 'damping')!;
  return row.usedBy.includes(shown.method) ? effectiveSettings(board, shown).damping : 0;
}

/** The caption of a method: its numbers and its state change in place. */
class CaptionLine {
  readonly element: HTMLElement;
  readonly #sign = h('span.sign');
  readonly #state = h('span.state');
  readonly #error = document.createTextNode('');

  constructor({ look, method, refusal, own }: Caption) {
    this.element = h(
      'div.caption',
      { title: refusal || undefined, 'data-method': method },
      swatch(look),
      nameOf(method),
      this.#sign,
      this.#state,
      h('span.error', {}, this.#error, h('small', {}, refusal ? '' : ' away')),
      own && h('span.own', {}, own),
    );
  }

  update({ refusal, error, status }: Caption): void {
    set(this.element, { 'data-error': error });
    set(this.#sign, { 'data-status': status?.kind });
    set(this.#state, { title: status?.detail || null });
    write(this.#sign, status?.sign ?? '');
    write(this.#state, status?.words ?? '');
    write(this.#error, refusal ? '' : shortError(error));
  }
}

/** The numbers of up to `count` frames before `at`, evenly spread, the first among them. */
function ghostFrames(length: number, at: number, count: number): number[] {
  const step = Math.max(1, Math.round((length - 1) / (count - 1)));
  return Array.from({ length: count }, (_, k) => k * step).filter((k) => k < at);
}
