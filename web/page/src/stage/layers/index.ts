// index.ts - the table of layers: the name of each, and what makes it.

import type { StageShow } from '../document';
import { Axes } from './axes';
import { Changes } from './changes';
import { Contacts } from './contacts';
import { Crowd } from './crowd';
import { Ellipsoid } from './ellipsoid';
import { Frames } from './frames';
import { Ghosts } from './ghosts';
import type { Layer } from './layer';
import { Limits } from './limits';
import { Mass } from './mass';
import { Spare } from './spare';
import { Trace } from './trace';
import { Workspace } from './workspace';

export interface LayerRow {
  key: keyof StageShow;
  label: string;
  hint: string;
  /** It is of models without loops alone. */
  open?: true;
  make: () => Layer;
}

export const layerRows: readonly LayerRow[] = [
  {
    key: 'frames',
    label: 'Frames',
    hint: 'The axes of every link: x red, y green, z blue',
    make: () => new Frames(),
  },
  {
    key: 'axes',
    label: 'Joint axes',
    hint: 'What each joint turns about or slides along',
    make: () => new Axes(),
  },
  {
    key: 'changes',
    label: 'Jacobian',
    hint: 'How the selected tip goes when each joint alone moves: orange turning, green sliding',
    make: () => new Changes(),
  },
  {
    key: 'limits',
    label: 'Limits',
    hint: 'How far each joint may turn, and where it is',
    make: () => new Limits(),
  },
  {
    key: 'trace',
    label: 'Trace of the tip',
    hint: 'The path of the selected tip',
    make: () => new Trace(),
  },
  {
    key: 'ghosts',
    label: 'All solutions',
    hint: 'Other poses within the limits that keep the tool in its place, transparent',
    open: true,
    make: () => new Ghosts(),
  },
  {
    key: 'workspace',
    label: 'Workspace',
    hint: 'Where the selected tip can be; darker: in more orientations',
    open: true,
    make: () => new Workspace(),
  },
  {
    key: 'ellipsoid',
    label: 'Manipulability',
    hint: 'How fast the tip can move in each direction, flat near a singularity; dashed: damped',
    make: () => new Ellipsoid(),
  },
  {
    key: 'spare',
    label: 'Self-motion',
    hint: 'How links move while the selected tip stays: a null vector of its Jacobian',
    open: true,
    make: () => new Spare(),
  },
  {
    key: 'mass',
    label: 'Centre of mass',
    hint: 'Of the whole model, where its links have masses',
    make: () => new Mass(),
  },
  {
    key: 'contacts',
    label: 'Contacts',
    hint: 'Which links overlap, and how deep, by their collision shapes',
    make: () => new Contacts(),
  },
  {
    key: 'crowd',
    label: '500 arms',
    hint: 'Five hundred of these follow one moving target',
    open: true,
    make: () => new Crowd(),
  },
];
