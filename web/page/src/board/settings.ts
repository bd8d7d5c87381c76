// settings.ts - options of methods: a row for each setting, and its control.

import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { choice, type Control, slider, toggle } from '../ui/controls';
import { type BoardState, type Gains, noLimit, reachOf, type Settings } from './document';

/** What a control reads of the board, and how it changes it. */
interface Bench {
  store: Store<AppState>;
  board: () => BoardState;
  change: (label: string, edit: (board: BoardState) => void) => void;
}

interface SettingRow {
  key: keyof Settings;
  /** The methods that read it. */
  usedBy: readonly string[];
  make: (bench: Bench, unused: () => boolean) => Control;
}

const jacobian = ['lm', 'damped', 'pseudoinverse', 'inverse', 'selective', 'alternative'];
const degrees = 180 / Math.PI;

const auto = (x: number): string => (x === 0 ? 'auto' : String(Number(x.toPrecision(2))));
const orAuto = (text: string): number => (text === 'auto' ? 0 : Number(text));

export const settingRows: readonly SettingRow[] = [
  {
    key: 'damping',
    usedBy: ['damped', 'lm'],
    make: ({ store, board, change }, disabled) =>
      slider({
        label: 'Damping λ',
        hint: 'How much accuracy damped least squares trades for smaller joint speeds; 0: the method chooses',
        min: () => 0,
        max: () => 0.5 * reachOf(board().links),
        step: 0.05,
        gesture: store,
        disabled,
        get: () => board().settings.damping,
        set: (x) => change('damping', (b) => void (b.settings.damping = x)),
        format: auto,
        parse: orAuto,
      }),
  },
  {
    key: 'adaptive',
    usedBy: ['damped'],
    make: ({ board, change }, disabled) =>
      toggle({
        label: 'Damp near singularities only',
        hint: 'λ falls to 0 where the arm can move in all directions',
        disabled,
        get: () => board().settings.adaptive,
        set: (x) => change('adaptive', (b) => void (b.settings.adaptive = x)),
      }),
  },
  {
    key: 'alpha',
    usedBy: ['transpose'],
    make: ({ store, board, change }, disabled) =>
      slider({
        label: 'Scale α',
        hint: 'How long the steps of the transpose are; 0: the best one each time; too long, and it oscillates or diverges',
        min: () => 0,
        // the steps grow unstable from about twice the square of the reach on
        max: () => 4 / reachOf(board().links) ** 2,
        step: 1e-6,
        gesture: store,
        disabled,
        get: () => board().settings.alpha,
        set: (x) => change('alpha', (b) => void (b.settings.alpha = x)),
        format: auto,
        parse: orAuto,
      }),
  },
  {
    key: 'stepLimit',
    usedBy: [...jacobian, 'transpose', 'ccd', 'ccd-ranked'],
    make: ({ store, board, change }, disabled) =>
      slider({
        label: 'Step clamp',
        hint: 'What a joint turns at most in one iteration; 0: the method chooses; “none” can be typed',
        min: () => 0,
        max: () => Math.PI / 2,
        step: Math.PI / 180,
        gesture: store,
        disabled,
        get: () => board().settings.stepLimit,
        set: (x) => change('step clamp', (b) => void (b.settings.stepLimit = x)),
        format: (x) => (x === 0 ? 'auto' : x > Math.PI ? 'none' : String(Math.round(x * degrees))),
        parse: (text) => (text === 'none' ? noLimit : orAuto(text) / degrees),
        unit: () =>
          board().settings.stepLimit === 0 || board().settings.stepLimit > Math.PI ? '' : '°',
      }),
  },
  {
    key: 'escape',
    usedBy: [...jacobian, 'transpose', 'ccd', 'ccd-ranked', 'fabrik'],
    make: ({ board, change }, disabled) =>
      toggle({
        label: 'Escape local minima',
        hint: 'Where no joint lowers the error, the arm is bent a little, the same way every time',
        disabled,
        get: () => board().settings.escape,
        set: (x) => change('escape', (b) => void (b.settings.escape = x)),
      }),
  },
  {
    key: 'control',
    usedBy: jacobian,
    make: ({ board, change }, disabled) =>
      choice({
        label: 'Control term',
        hint: 'How gains and desired angles (of each link, below) become joint rates',
        disabled,
        choices: () => [
          { value: 'gradient', text: 'towards the desired angles' },
          { value: 'square', text: 'literally Eq. 5.27' },
        ],
        get: () => board().settings.control,
        set: (x) => change('control', (b) => void (b.settings.control = x as Settings['control'])),
      }),
  },
  {
    key: 'rank',
    usedBy: ['ccd-ranked'],
    make: ({ board, change }, disabled) =>
      choice({
        label: 'Ranked by',
        hint: 'Which joint is moved first',
        disabled,
        choices: () => [
          { value: 'gain', text: 'what it gains' },
          { value: 'recency', text: 'and how long ago it moved' },
          { value: 'room', text: 'and its room to the limits' },
        ],
        get: () => board().settings.rank,
        set: (x) => change('rank', (b) => void (b.settings.rank = x as Settings['rank'])),
      }),
  },
  {
    key: 'bend',
    usedBy: ['analytic'],
    make: ({ board, change }, disabled) =>
      choice({
        label: 'Elbow',
        hint: 'Which of the two solutions',
        disabled,
        choices: () => [
          { value: '0', text: 'the nearer side' },
          { value: '1', text: 'to the left' },
          { value: '-1', text: 'to the right' },
        ],
        get: () => String(board().settings.bend),
        set: (x) => change('bend', (b) => void (b.settings.bend = Number(x) as Settings['bend'])),
      }),
  },
];

/** A control for each setting; disabled when no method on show reads it. */
export function settingControls(bench: Bench): Control[] {
  return settingRows.map(({ usedBy, make }) =>
    make(bench, () => !bench.board().panes.some(({ method }) => usedBy.includes(method))),
  );
}

/** What sets a pane apart from the others, in words; '' when nothing does. */
export function ownWords(settings: Partial<Settings> | null, gains: Gains): string {
  const words = [
    settings?.escape === false ? 'no escape' : '',
    settings?.escape === true ? 'with escape' : '',
    settings?.bend === 1 ? 'elbow left' : '',
    settings?.bend === -1 ? 'elbow right' : '',
    gains ? `gains ${gains.join(', ')}` : '',
  ];
  return words.filter(Boolean).join('; ');
}
