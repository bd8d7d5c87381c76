// project_list.ts - what the menu of what can be saved has of projects.

import { frameHtml } from './layout';
import { linkOf } from './link';
import type { ProjectHost, Projects } from './projects';
import { download, type SavedFile, type Saving, text } from './saving';

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
        const { showProjects } = await import('./project_dialog');
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
