// project_dialog.ts - the projects that this browser keeps, in a dialog: opened, named, deleted.

import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { openDialog } from '../ui/dialog';
import type { Project } from './database';
import type { Projects } from './projects';
import { plainState } from './state';

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function rowOf(projects: Projects, project: Project): HTMLElement {
  const own = project.id === projects.id;
  const name = project.name || project.title;
  const row = h(
    'li',
    { 'data-project': project.id, 'aria-current': own ? 'true' : undefined },
    h('input', {
      type: 'text',
      value: name,
      'aria-label': `Name of ${name}`,
      onchange: (event: Event) =>
        void projects.rename(project, (event.target as HTMLInputElement).value.trim()),
    }),
    h('small', {}, own ? 'open here' : when.format(project.changed)),
    !own && button('Open', () => void projects.open(project.id)),
    !own &&
      button('Delete', async () => {
        if (!confirm(`Delete “${name}” from this browser? This cannot be undone.`)) return;
        await projects.remove(project.id);
        row.remove();
      }),
  );
  return row;
}

export function showProjects(projects: Projects, all: readonly Project[]): void {
  openDialog('Projects', [
    h('p', {}, 'This browser keeps them. A project saved as a file opens in any browser.'),
    h('ul.projects', {}, ...all.map((project) => rowOf(projects, project))),
    h(
      'div.row',
      {},
      button('New project', () => void projects.create('', plainState(), {}), {
        id: 'new-project',
      }),
    ),
  ]);
}
