// outcome.ts - words in the room: what came of the latest solve, and which meshes are missing.

import { fill, h } from '../ui/dom';
import type { CrowdFigures } from './layers/crowd';
import type { Answer } from './session';

export class Outcome {
  readonly element = h('div.outcome', { role: 'status' });

  tell(answer: Answer | null): void {
    if (!answer) {
      fill(
        this.element,
        'Drag the target by its arrows, a link by its body, or a joint by its slider.',
      );
      this.element.dataset['outcome'] = '';
      return;
    }
    const { result, words, time } = answer;
    this.element.dataset['outcome'] = result?.outcome ?? 'refused';
    fill(
      this.element,
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

  tellCrowd({ arms, solving, framesPerSecond }: CrowdFigures): void {
    this.element.textContent = `${arms} arms: ${((1000 * solving) / arms).toFixed(1)} µs each, all solved in ${solving.toFixed(1)} ms; ${framesPerSecond.toFixed(0)} pictures a second`;
    this.element.dataset['outcome'] = 'reached';
  }
}

export class MissingNote {
  readonly element = h('div.stage-note');

  /** The meshes that are missing, and why. */
  tell(missing: ReadonlyMap<string, string>): void {
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
