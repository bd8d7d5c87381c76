// outcome.ts - words over the picture: the outcome of the latest solve, and missing meshes.

import { fill, h } from '../ui/dom';
import { status } from '../ui/status';
import type { CrowdFigures } from './layers/crowd';
import type { Solved } from './session';

export class Outcome {
  readonly element = h('div.outcome', { role: 'status' });
  readonly #title = h('b');
  readonly #took = h('small');
  readonly #summary = h('summary');
  readonly #reason = h('span');
  // kept through every solve: one may come between a click on it and its opening
  readonly #detail = h('details', {}, this.#summary, this.#reason);

  show(solved: Solved | null): void {
    if (!solved) {
      fill(
        this.element,
        'Drag the target by its arrows, a link by its body, or a joint by its slider.',
      );
      this.element.dataset['outcome'] = '';
      return;
    }
    const { words, time, short } = solved;
    const { sign, kind } = status(solved.kind);
    this.#took.textContent = time >= 1 ? ` ${Math.round(time)} µs` : '';
    this.element.dataset['outcome'] = solved.outcome ?? 'refused';
    // in short, and the reason for whoever asks
    if (short) {
      this.#title.textContent = `${sign} ${short}`;
      this.#reason.textContent = words;
      if (this.#title.parentElement !== this.#summary) fill(this.#summary, this.#title, this.#took);
      if (this.#detail.parentElement !== this.element) fill(this.element, this.#detail);
      return;
    }
    const title = kind === 'arrived' ? '' : kind === 'refused' ? 'not possible: ' : `${kind}: `;
    this.#title.textContent = `${sign} ${title}`;
    fill(this.element, this.#title, words, this.#took);
  }

  showCrowd({ arms, solving, framesPerSecond }: CrowdFigures): void {
    this.element.textContent = `${arms} arms: ${((1000 * solving) / arms).toFixed(1)} µs each, all solved in ${solving.toFixed(1)} ms; ${framesPerSecond.toFixed(0)} pictures a second`;
    this.element.dataset['outcome'] = 'reached';
  }
}

export class MissingNote {
  readonly element = h('div.stage-note');

  /** The meshes that are missing, and why. */
  show(missing: ReadonlyMap<string, string>): void {
    const count = missing.size;
    const them = count > 1 ? 'them' : 'it';
    fill(
      this.element,
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
}
