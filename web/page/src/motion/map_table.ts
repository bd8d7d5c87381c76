// map_table.ts - what of the target follows which bone: a table that is edited.
//
// A pair that is changed is aligned anew: by its role, as it is when a map is found.

import type { RetargetMap, RetargetPair } from 'limber';
import { button, type Control, trim } from '../ui/controls';
import { h, refill, set } from '../ui/dom';

export interface MapSource {
  /** The map in use; null: there is none yet, or no figure to retarget onto. */
  map(): RetargetMap | null;
  /** Names of the links of the motion's figure and of the target, without the world. */
  bones(): readonly string[];
  links(): readonly string[];
  roles(): readonly string[];
  edited(): boolean;
  set(map: RetargetMap): void;
  /** As it is found. */
  forget(): void;
}

const empty: RetargetMap = { limber_map: 1, scale: 0, root_scale: 0, pairs: [] };

/** What of a bone a link follows, as a pair weighs it: its key, head and words. */
const weights = [
  { key: 'position', head: 'Pos.', words: 'Weight of the position, per half length of the leg' },
  { key: 'orientation', head: 'Turn', words: 'Weight of the axes, per radian' },
  { key: 'direction', head: 'Dir.', words: "Weight of the bone's direction, per radian" },
] as const;

/** A pair between other links; its weights stay. */
function relinked(pair: RetargetPair, change: Partial<RetargetPair>): RetargetPair {
  const { role, source, target } = { ...pair, ...change };
  const kept = weights.flatMap(({ key }) => (pair[key] === undefined ? [] : [[key, pair[key]]]));
  return { ...(role ? { role } : {}), source, target, ...Object.fromEntries(kept) };
}

function select(label: string, names: readonly string[], value: string): HTMLSelectElement {
  const known = names.includes(value) ? names : [value, ...names];
  const element = h('select', { 'aria-label': label, title: value }) as HTMLSelectElement;
  element.append(...known.map((name) => h('option', { value: name }, name || '–')));
  element.value = value;
  return element;
}

export class MapTable implements Control {
  readonly element: HTMLElement;
  readonly #source: MapSource;
  readonly #table = h('div.map-table');
  readonly #forget: HTMLButtonElement;
  readonly #weigh: HTMLButtonElement;
  /** Weights are shown in place of links. */
  #weighs = false;

  constructor(source: MapSource) {
    this.#source = source;
    this.#forget = button('Find again', () => source.forget(), {
      class: 'button',
      title: 'As it is found by names and shape',
    });
    this.#weigh = button(
      'Weights',
      () => {
        this.#weighs = !this.#weighs;
        this.update();
      },
      { class: 'button', title: 'What of a bone each link follows, in place of the names' },
    );
    this.element = h('div.stacked', {}, this.#table, h('div.row', {}, this.#weigh, this.#forget));
  }

  #change(edit: (pairs: RetargetPair[]) => void): void {
    const map = structuredClone(this.#source.map() ?? empty);
    edit(map.pairs);
    this.#source.set(map);
  }

  #row(pair: RetargetPair, i: number): HTMLElement {
    const { role = '', source, target } = pair;
    const what = role || `pair ${i + 1}`;
    const relink = (change: Partial<RetargetPair>): void =>
      this.#change((pairs) => void (pairs[i] = relinked(pair, change)));
    const bone = select(`Bone of ${what}`, this.#source.bones(), source);
    const link = select(`Link of ${what}`, this.#source.links(), target);
    bone.addEventListener('change', () => relink({ source: bone.value }));
    link.addEventListener('change', () => relink({ target: link.value }));
    return h(
      'tr',
      {},
      h('th', { scope: 'row', title: what }, what.replace(/^left /, 'L ').replace(/^right /, 'R ')),
      ...(this.#weighs ? this.#weights(pair, i, what) : [h('td', {}, bone), h('td', {}, link)]),
      h(
        'td',
        {},
        button('×', () => this.#change((pairs) => void pairs.splice(i, 1)), {
          class: 'icon-button',
          'aria-label': `Take ${what} out of the map`,
          title: 'Take it out of the map',
        }),
      ),
    );
  }

  #weights(pair: RetargetPair, i: number, what: string): HTMLElement[] {
    return weights.map(({ key, words }) => {
      const field = h('input.number', {
        type: 'text',
        inputmode: 'decimal',
        'aria-label': `${words}, ${what}`,
        title: words,
        value: trim(pair[key] ?? 0),
        onchange: () => {
          const weight = Number(field.value.trim().replace(',', '.') || NaN);
          if (weight >= 0 && Number.isFinite(weight))
            this.#change((pairs) => void (pairs[i] = { ...pairs[i]!, [key]: weight }));
          else field.value = trim(pair[key] ?? 0);
        },
      });
      return h('td', {}, field);
    });
  }

  // what is not yet in the map
  #last(pairs: readonly RetargetPair[]): HTMLElement {
    const taken = new Set(pairs.map(({ role }) => role));
    const roles = this.#source.roles().filter((role) => !taken.has(role));
    const role = select('Role of a new pair', ['', ...roles], roles[0] ?? '');
    const bone = select('Bone of a new pair', this.#source.bones(), '');
    const link = select('Link of a new pair', this.#source.links(), '');
    const add = button(
      '+',
      () => {
        if (bone.value === '' || link.value === '') return bone.focus();
        const pair: RetargetPair = { source: bone.value, target: link.value };
        // without a role the axes follow, and the first one is the root
        const plain = pairs.length === 0 ? { position: 1, orientation: 1 } : { orientation: 0.5 };
        this.#change((all) =>
          all.push(role.value ? { role: role.value, ...pair } : { ...pair, ...plain }),
        );
      },
      { class: 'icon-button', 'aria-label': 'Add the pair', title: 'Add the pair' },
    );
    return h(
      'tr.new',
      {},
      h('td', {}, role),
      h('td', {}, bone),
      h('td', {}, link),
      h('td', {}, add),
    );
  }

  update(): void {
    const map = this.#source.map();
    const [bones, links] = [this.#source.bones(), this.#source.links()];
    const pairs = map?.pairs ?? [];
    this.#forget.disabled = !this.#source.edited();
    const shown: { head: string; words?: string }[] = this.#weighs
      ? [...weights]
      : [{ head: 'Bone' }, { head: 'Link' }];
    set(this.#weigh, { 'aria-pressed': String(this.#weighs) });
    refill(this.#table, [pairs, bones, links, this.#weighs], () =>
      links.length === 0
        ? [h('p.note', {}, 'The map appears once a figure to retarget onto is chosen.')]
        : [
            h(
              'table',
              {},
              h(
                'thead',
                {},
                h(
                  'tr',
                  {},
                  ...[{ head: 'Part', words: undefined }, ...shown].map(({ head, words }) =>
                    h('th', { scope: 'col', title: words }, head),
                  ),
                  h('td'),
                ),
              ),
              h(
                'tbody',
                {},
                ...pairs.map((pair, i) => this.#row(pair, i)),
                !this.#weighs && this.#last(pairs),
              ),
            ),
          ],
    );
  }
}
