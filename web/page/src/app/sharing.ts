// sharing.ts - what a link cannot carry, said before it is copied.

import { isDescription } from '../stage/kinds';
import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { openDialog } from '../ui/dialog';
import type { Shelf, Shelves } from './database';
import { saveProject } from './project_list';
import type { Projects } from './projects';
import type { AppState } from './state';

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The path of a shelf's motion or model. */
const nameOf = ({ about }: Shelf): string => {
  const { path, model } = about as { path?: string; model?: { name: string } };
  return (path ?? model?.name ?? '').split('/').at(-1)!;
};

/** What of a project is in files, which are too large for a link: a line each. */
export function leftOut(
  { stage: { model } }: AppState,
  { stage, motion, target }: Shelves,
): string[] {
  const meshes = [...(stage?.files.keys() ?? [])].filter((path) => !isDescription(path));
  return [
    ...(meshes.length > 0
      ? [`${count(meshes.length, 'file')} of ${model.name} with its meshes`]
      : []),
    ...(motion ? [`the motion ${nameOf(motion)}; its corrections are in the link`] : []),
    ...(target ? [`the figure ${nameOf(target)} that the motion goes onto`] : []),
  ];
}

/** Whether the link shall be copied although it lacks something; the project may be saved instead. */
export function askBeforeSharing(lacking: readonly string[], projects: Projects): Promise<boolean> {
  return new Promise((answer) => {
    const end = (value: string): void => dialog.close(value);
    const dialog = openDialog(
      'The link cannot carry everything',
      [
        h('p', {}, 'A link has room for what you did, not for files. Whoever opens it will lack:'),
        h('ul.lacking', {}, ...lacking.map((line) => h('li', {}, line))),
        h('p', {}, 'A project file has all of it; it opens when it is dropped on this page.'),
        h(
          'div.row',
          {},
          button('Save the project file', () => end('save'), {
            id: 'share-file',
            class: 'button primary',
          }),
          button('Copy the link anyway', () => end('copy'), { id: 'share-anyway' }),
        ),
      ],
      (value) => {
        if (value === 'save') void saveProject(projects);
        answer(value === 'copy');
      },
    );
  });
}
