// workspace.ts - where the selected tip can be, coloured by its dexterity: a vertical slice through the
// base and the tip, or the surface all around; an arm that moves in a plane has its area.

import * as THREE from 'three';
import { h } from '../../ui/dom';
import type { Vector } from '../session';
import { SolvedCells } from './cells';
import type { Layer, Scene } from './layer';
import { shadesGradient } from './shades';
import { Shell } from './shell';
import { Slice } from './slice';

/** Milliseconds of solving in one picture: half of the time between two, within these. */
const patience = { least: 8, most: 40 };

export class Workspace implements Layer {
  readonly group = new THREE.Group();
  readonly extent = 2.4;
  readonly #slice = new Slice();
  readonly #shell = new Shell();
  readonly #what = h('span');
  readonly #scale = h('span.scale', {});
  readonly #ends = h(
    'span.ends',
    {},
    ...[0, 25, 50, 75, 100].map((share) => h('span', {}, `${share}${share === 100 ? ' %' : ''}`)),
  );
  readonly #legend = h('p.dexterity', {}, this.#what, this.#scale, this.#ends);
  #cells: SolvedCells | null = null;
  #shown: Slice | Shell = this.#slice;
  #session: Scene['session'] | null = null;
  #link = '';
  #before = 0;

  constructor() {
    this.#scale.style.background = shadesGradient;
    this.group.add(this.#slice.mesh, this.#shell.mesh);
  }

  /** The dexterity at the places of the slice where the tip can be. */
  get shares(): { place: Vector; share: number }[] {
    return this.#slice.shares;
  }

  /** An arm in a horizontal plane. */
  get flat(): boolean {
    return this.#cells !== null && this.#cells.planar && this.#cells.grid.frame[8]! > 0.99;
  }

  /** How much of what is shown is solved, 0 to 1. */
  get progress(): number {
    return this.#cells ? this.#shown.progress : 0;
  }

  update({ session, stage }: Scene): void {
    const link = stage.tips[stage.selected]?.link ?? '';
    if (this.#session !== session || link !== this.#link) this.#begin(session, stage, link);
    if (!this.#cells) return;
    const shell = stage.workspaceAs === 'shell' && !this.#cells.planar;
    this.#shown = shell ? this.#shell : this.#slice;
    this.#shell.mesh.visible = shell;
    this.#slice.mesh.visible = !shell;
    if (shell) this.#shell.aim(this.#cells);
    else this.#slice.aim(this.#cells, baseOf(session, link), place(session, link));
    this.#say();
  }

  #begin(session: Scene['session'], stage: Scene['stage'], link: string): void {
    this.reset();
    this.#session = session;
    this.#link = link;
    // a base that moves goes anywhere
    const fixed = stage.root === 'fixed' || stage.root === '';
    if (!fixed) return this.#refuse('the base moves; fix it to see where the tip can be');
    if (session.model.loopCount > 0)
      return this.#refuse('it is drawn for trees; limber workspace finds that of a linkage');
    try {
      const { limber, model } = session;
      this.#cells = link ? new SolvedCells(limber.clips.workspace(model, link)) : null;
    } catch (error) {
      // a link that no joint moves has none
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  #refuse(why: string): void {
    this.#scale.hidden = this.#ends.hidden = true;
    this.#what.textContent = `No workspace: ${why}`;
  }

  frame(now: number): boolean {
    if (!this.#cells) return false;
    const between = Math.min(Math.max((now - this.#before) / 2, patience.least), patience.most);
    this.#before = now;
    const more = this.#shown.solve(performance.now() + between);
    this.#say();
    return more;
  }

  #say(): void {
    const { cell, orientations } = this.#cells!.grid;
    const share = this.#shown.progress;
    const done = share < 1 ? `; ${Math.floor(100 * share)} % solved` : '';
    // before the first cell nothing is known
    const fixed = share > 0 && this.#shown === this.#slice && this.#slice.plain;
    this.#scale.hidden = this.#ends.hidden = fixed;
    this.#what.textContent = fixed
      ? `Where the tip can be; its joints are too few to choose orientations${done}`
      : `Dexterity: the share of ${orientations} orientations, in cells of ${Number((100 * cell).toPrecision(2))} cm${done}`;
  }

  legend(): Node {
    return this.#legend;
  }

  reset(): void {
    this.#slice.reset();
    this.#shell.reset();
    this.#cells?.release();
    this.#cells = this.#session = null;
  }
}

const place = (session: Scene['session'], link: string): Vector =>
  session.pose(link).slice(9) as Vector;

// the first joint that moves the tip
function baseOf(session: Scene['session'], tip: string): Vector {
  const { links, joints } = session.model;
  let [link, first] = [session.model.findLink(tip), 0];
  for (; link > 0; link = links[link]!.parent) if (joints[link - 1]!.nq > 0) first = link;
  return place(session, links[first]!.name);
}
