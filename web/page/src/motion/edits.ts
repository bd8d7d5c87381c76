// edits.ts - the edits of the present motion in the state: corrections, contacts, the bone map.
//
// The state has the times of the file; what is seen has those of the result (pace.ts).

import type { Joint, RetargetMap } from 'limber';
import type { Host } from '../app/host';
import type { Actor } from './actor';
import { heldOf, type Span } from './contacts';
import type { Correction, HeldPoint, MotionState } from './document';
import type { Figures, Wanted } from './figures';
import type { Player } from './player';

export class Edits {
  readonly #store: Host['store'];
  readonly #figures: Figures;
  readonly #player: Player;
  readonly #update: () => void;

  constructor(store: Host['store'], figures: Figures, player: Player, update: () => void) {
    this.#store = store;
    this.#figures = figures;
    this.#player = player;
    this.#update = update;
  }

  get #motion(): MotionState {
    return this.#store.state.motion;
  }

  /** Those that belong to the motion that is here: undo may lead to those of another one. */
  get corrections(): readonly Correction[] {
    const { take, corrections } = this.#motion;
    return take === this.#figures.id ? corrections : [];
  }

  /** The corrections at the times at which they are seen. */
  get shown(): Correction[] {
    const { toShown } = this.#figures.pace;
    return this.corrections.map((each) => ({ ...each, time: toShown(each.time) }));
  }

  /** Contacts that were edited or read; empty: as they are found. */
  get contacts(): readonly HeldPoint[] {
    const { take, contacts } = this.#motion;
    return take === this.#figures.id ? contacts : [];
  }

  get wanted(): Wanted {
    return { motion: this.#motion, corrections: this.corrections, contacts: this.contacts };
  }

  // a change of what belongs to the motion that is here
  #edit(label: string, change: (motion: MotionState) => void): void {
    const { id } = this.#figures;
    this.#store.change(label, ({ motion }) => {
      if (motion.take !== id) Object.assign(motion, { take: id, corrections: [], contacts: [] });
      change(motion);
    });
    this.#update();
  }

  #correct(correction: Correction): void {
    this.#edit('correction', (motion) => void motion.corrections.push(correction));
  }

  /** A joint of figure 0, the source, or 1, the target, at the frame that is shown. */
  correctJoint(which: number, joint: Joint, by: number[]): void {
    const correction: Correction = {
      on: which === 1 ? 'target' : 'source',
      ...{ link: '', joint: joint.name, point: [0, 0, 0], by },
      time: this.#figures.pace.toSource(this.#figures.frames.snap(this.#player.time)),
      width: this.#motion.width,
    };
    this.#player.toggle(false);
    this.#correct(correction);
  }

  /** A point of a link that was dragged. */
  correctPoint(actor: Actor, link: number, point: number[], by: number[]): void {
    this.#correct({
      on: actor === this.#figures.target?.actor ? 'target' : 'source',
      link: actor.model.links[link]!.name,
      joint: '',
      point,
      time: this.#figures.pace.toSource(this.#player.time),
      by,
      width: this.#motion.width,
    });
  }

  setContacts(contacts: HeldPoint[]): void {
    this.#edit('contacts', (motion) => void (motion.contacts = contacts));
  }

  /** The times at which a point rests, as they are seen. */
  setSpans(point: number, spans: readonly Span[]): void {
    const { take, points } = this.#figures;
    if (!take) return;
    const held = heldOf(points, take.model);
    const { toSource } = this.#figures.pace;
    held[point]!.spans = spans.map((span) => ({
      begin: toSource(span.begin),
      end: toSource(span.end),
    }));
    this.setContacts(held);
  }

  /** Null: the map that is found. */
  setMap(map: RetargetMap | null): void {
    const onto = map ? (this.#figures.onto?.name ?? '') : '';
    const text = map ? JSON.stringify(map) : '';
    this.#store.change('map', ({ motion }) => void (motion.map = { onto, text }));
    this.#update();
  }
}
