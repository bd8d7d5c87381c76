// list.ts - the motions to choose from: files, and examples of our own.

import { pathsOf } from '../ui/files';
import { button } from '../ui/controls';
import { h, refill } from '../ui/dom';
import { motionExamples } from './examples';

export class MotionList {
  readonly element = h('aside.examples', { 'aria-label': 'Motions' });
  readonly #open: (example: string) => void;
  readonly #files: (files: Map<string, Blob>) => void;

  constructor(open: (example: string) => void, files: (files: Map<string, Blob>) => void) {
    this.#open = open;
    this.#files = files;
  }

  #picker(): HTMLElement {
    const picker = h('input', {
      type: 'file',
      multiple: true,
      accept: '.limber,.bvh,.glb,.gltf,.vrm,.vrma,.bin,.csv,.npz,.urdf,.xml,.json,.stl,.dae,.obj',
      hidden: true,
      onchange: () => {
        this.#files(pathsOf([...(picker.files ?? [])]));
        picker.value = '';
      },
    });
    return h(
      'div.row',
      {},
      button('Open files …', () => picker.click(), { id: 'open-motion' }),
      picker,
    );
  }

  /** Shows which example is here, or the name of a file. */
  update(example: string, file: string): void {
    refill(this.element, [example, file], () => [
      this.#picker(),
      h(
        'p.note.drop-note',
        {},
        'Or drop files anywhere: a capture (BVH), a rigged character (GLB, glTF, VRM), a robot’s motion (CSV, NPZ, JSON); with a robot’s URDF or MJCF, it is retargeted onto that robot. Contacts and maps of limber retarget apply to the motion that is open.',
      ),
      file !== '' && h('h2', {}, 'Your own'),
      file !== '' &&
        h(
          'ul',
          {},
          h(
            'li',
            {},
            h('button.example.model', { type: 'button', 'aria-current': 'true' }, h('b', {}, file)),
          ),
        ),
      h('h2', {}, 'Examples'),
      h(
        'ul',
        {},
        ...motionExamples.map(({ id, title, text }) =>
          h(
            'li',
            {},
            h(
              'button.example.model',
              {
                type: 'button',
                'data-motion': id,
                'aria-current': id === example ? 'true' : undefined,
                onclick: () => this.#open(id),
              },
              h('b', {}, title),
              h('small', {}, text),
            ),
          ),
        ),
      ),
    ]);
  }
}
