// elbow.ts - the free motion of an arm of seven joints as bars, one for each branch, with a handle.
//
// A bar is the whole circle of elbow angles, or the range of the joint whose values angles are; its
// filled parts keep the limits. The handle of the branch that the arm is on is where the arm is, and
// it moves along the filled parts alone, while the tool stays.

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

/** The arcs of one branch as they are filled: those across the half turn, `upper`, are two. */
export function filled(
  arcs: readonly ElbowArc[],
  branch: number,
  upper: number,
): [number, number][] {
  return arcs
    .filter((arc) => arc.branch === branch)
    .flatMap(({ begin, end }): [number, number][] =>
      end > upper
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

/** What the angles are. */
export interface ElbowScale {
  /** What moves: the elbow, or a joint. */
  what: string;
  lower: number;
  upper: number;
}

/** Of one target: its arcs, and where the arm is, if it is there. */
export interface ElbowArcs {
  arcs: readonly ElbowArc[];
  present: ElbowPlace | null;
  scale: ElbowScale;
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
  readonly element = h('div.elbow', { role: 'group' });
  readonly #events: ElbowEvents;
  readonly #rows: Row[] = [];
  readonly #elements: HTMLElement[] = [];
  #shown: ElbowArcs = { arcs: [], present: null, scale: { what: '', lower: 0, upper: 0 } };
  #degrees = true;

  constructor(events: ElbowEvents) {
    this.#events = events;
  }

  #make(branch: number): HTMLElement {
    const value = h('span.value');
    const fill = h('span.fill');
    const range = h('input', {
      type: 'range',
      step: Math.PI / 720,
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
    const angle = nearestAngle(filled(this.#shown.arcs, branch, this.#shown.scale.upper), wanted);
    if (angle !== null) this.#events.move({ branch, angle });
  }

  /** Shows eight branches, or more arcs that are followed. */
  update(shown: ElbowArcs, degrees: boolean): void {
    this.#shown = shown;
    this.#degrees = degrees;
    this.element.ariaLabel = `Angle of the ${shown.scale.what} by branch`;
    const rows = Math.max(8, ...shown.arcs.map(({ branch }) => branch + 1));
    resize(this.element, this.#elements, rows, (branch) => this.#make(branch));
    this.#rows.forEach((row, branch) => this.#show(row, branch, shown));
  }

  #show({ element, value, range, fill, parts }: Row, branch: number, shown: ElbowArcs): void {
    const { arcs, present: at, scale } = shown;
    const { what, lower, upper } = scale;
    const spans = filled(arcs, branch, upper);
    const share = (angle: number): number => (100 * (angle - lower)) / (upper - lower);
    resize(fill, parts, spans.length, () => h('i'));
    spans.forEach(([begin, end], i) => {
      parts[i]!.style.left = `${share(begin)}%`;
      parts[i]!.style.width = `${Math.max(share(end) - share(begin), 0.5)}%`;
    });
    const here = at?.branch === branch;
    element.classList.toggle('here', here);
    element.classList.toggle('off', spans.length === 0);
    range.min = String(lower);
    range.max = String(upper);
    range.ariaLabel = `Angle of the ${what}, branch ${branch}`;
    range.disabled = spans.length === 0;
    range.value = String(here ? at.angle : (nearestAngle(spans, at?.angle ?? 0) ?? 0));
    const words = here ? this.#words(at.angle) : spans.length > 0 ? '' : 'none';
    value.textContent = words;
    range.setAttribute('aria-valuetext', words || 'the arm is on another branch');
    range.title = spans.length > 0 ? `Move the ${what}; the tool stays` : 'Limits exclude it';
  }

  #words(angle: number): string {
    return this.#degrees ? `${fixed((angle * 180) / Math.PI, 1)}°` : `${fixed(angle, 3)} rad`;
  }
}
