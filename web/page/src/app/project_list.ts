// project_list.ts - the projects that this browser keeps, in a dialog: opened, named, deleted, saved.

import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { openDialog } from '../ui/dialog';
import type { Project } from './database';
import { frameHtml } from './layout';
import { linkOf } from './link';
import type { ProjectHost, Projects } from './projects';
import { download, type SavedFile, type Saving, text } from './saving';
import { plainState } from './state';

/** What the menu of what can be saved has at its end. */
export function projectSavings(projects: Projects, { store, shelves }: ProjectHost): Saving[] {
  return [
    {
      id: 'embed',
      label: 'A frame, HTML',
      hint: 'HTML that embeds this in a page of your own',
      save: async () => {
        const hash = await linkOf(store.state);
        const { href } = new URL(`?embed${hash}`, location.href);
        return text('limber.html', frameHtml(href), 'text/html');
      },
    },
    {
      id: 'project',
      label: 'The project as a file',
      hint: 'Everything, with meshes and motions; drop it on this page to open it',
      save: () => projectFile(projects, store.state, shelves),
    },
    {
      id: 'projects',
      label: 'Projects …',
      hint: 'What this browser keeps: open, name, delete, begin another',
      save: async () => {
        showProjects(projects, await projects.list());
        return null;
      },
    },
  ];
}

async function projectFile(
  projects: Projects,
  state: ProjectHost['store']['state'],
  shelves: ProjectHost['shelves'],
): Promise<SavedFile> {
  const { writeProject } = await import('./project_file');
  const name = projects.name.replace(/[^\p{L}\p{N}. _-]/gu, '_');
  return { name: `${name}.limber`, blob: await writeProject(projects.name, state, shelves) };
}

export const isProject = (path: string): boolean => /\.limber$/i.test(path);

/** Downloads the project of this tab. */
export const saveProject = async (projects: Projects): Promise<void> => {
  const { store, shelves } = projects.host;
  download(await projectFile(projects, store.state, shelves));
};

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

function showProjects(projects: Projects, all: readonly Project[]): void {
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
