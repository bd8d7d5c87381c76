// elbow.ts - the arcs of an arm's elbow as bars, one for each branch, with a handle to move it.
//
// A bar is the whole circle of elbow angles, from -180 to 180 degrees; its filled parts keep the
// limits. The handle of the branch that the arm is on is where its elbow is, and it moves along the
// filled parts alone, while the tool stays.

import type { ElbowArc } from 'limber';
import { type Gesture, fixed } from '../ui/controls';
import { h, resize } from '../ui/dom';

const turn = 2 * Math.PI;

/** Where the elbow is. */
export interface ElbowPlace {
  branch: number;
  /** Radians. */
  angle: number;
}

/** The arcs of one branch as they are filled: those across the half turn are two. */
export function filled(arcs: readonly ElbowArc[], branch: number): [number, number][] {
  return arcs
    .filter((arc) => arc.branch === branch)
    .flatMap(({ begin, end }): [number, number][] =>
      end > Math.PI
        ? [
            [begin, Math.PI],
            [-Math.PI, end - turn],
          ]
        : [[begin, end]],
    );
}

/** The angle that keeps the limits and is nearest to one that may not, null where none does. */
export function nearestAngle(parts: readonly [number, number][], angle: number): number | null {
  let best: number | null = null;
  for (const [begin, end] of parts) {
    const at = Math.min(end, Math.max(begin, angle));
    if (best === null || Math.abs(at - angle) < Math.abs(best - angle)) best = at;
  }
  return best;
}

interface Row {
  element: HTMLElement;
  value: HTMLElement;
  range: HTMLInputElement;
  fill: HTMLElement;
  parts: HTMLElement[];
}

export interface ElbowEvents extends Gesture {
  /** The elbow is to be there. */
  move(place: ElbowPlace): void;
}

export class ElbowBars {
  readonly element = h('div.elbow', { role: 'group', 'aria-label': 'Elbow angle by branch' });
  readonly #events: ElbowEvents;
  readonly #rows: Row[] = [];
  readonly #elements: HTMLElement[] = [];
  #arcs: readonly ElbowArc[] = [];
  #degrees = true;

  constructor(events: ElbowEvents) {
    this.#events = events;
  }

  #make(branch: number): HTMLElement {
    const value = h('span.value');
    const fill = h('span.fill');
    const range = h('input', {
      type: 'range',
      min: -Math.PI,
      max: Math.PI,
      step: Math.PI / 720,
      'aria-label': `Elbow angle of branch ${branch}`,
      oninput: () => this.#move(branch, range.valueAsNumber),
      onpointerdown: () => this.#events.begin(),
      onpointerup: () => this.#events.end(),
      onpointercancel: () => this.#events.end(),
    });
    const name = h('span.name', {}, `Branch ${branch}`);
    const element = h('div.elbow-row', {}, name, h('span.bar', {}, fill, range), value);
    this.#rows[branch] = { element, value, range, fill, parts: [] };
    return element;
  }

  #move(branch: number, wanted: number): void {
    const angle = nearestAngle(filled(this.#arcs, branch), wanted);
    if (angle !== null) this.#events.move({ branch, angle });
  }

  /** Shows the arcs of eight branches, and where the elbow is, if it is at the target. */
  update(arcs: readonly ElbowArc[], present: ElbowPlace | null, degrees: boolean): void {
    this.#arcs = arcs;
    this.#degrees = degrees;
    resize(this.element, this.#elements, 8, (branch) => this.#make(branch));
    this.#rows.forEach((row, branch) => this.#show(row, branch, present));
  }

  #show({ element, value, range, fill, parts }: Row, branch: number, at: ElbowPlace | null): void {
    const spans = filled(this.#arcs, branch);
    const share = (angle: number): number => (100 * (angle + Math.PI)) / turn;
    resize(fill, parts, spans.length, () => h('i'));
    spans.forEach(([begin, end], i) => {
      parts[i]!.style.left = `${share(begin)}%`;
      parts[i]!.style.width = `${Math.max(share(end) - share(begin), 0.5)}%`;
    });
    const here = at?.branch === branch;
    element.classList.toggle('here', here);
    element.classList.toggle('off', spans.length === 0);
    range.disabled = spans.length === 0;
    range.value = String(here ? at.angle : (nearestAngle(spans, at?.angle ?? 0) ?? 0));
    const words = here ? this.#words(at.angle) : spans.length > 0 ? '' : 'none';
    value.textContent = words;
    range.setAttribute('aria-valuetext', words || 'the arm is on another branch');
    range.title = spans.length > 0 ? 'Move the elbow; the tool stays' : 'Limits exclude it';
  }

  #words(angle: number): string {
    return this.#degrees ? `${fixed((angle * 180) / Math.PI, 1)}°` : `${fixed(angle, 3)} rad`;
  }
}
