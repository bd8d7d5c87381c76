// options.ts - the options of limber retarget: a row for each, which makes its control.

import { type Control, numberField, toggle, trim } from '../ui/controls';
import { h } from '../ui/dom';
import { type Options, optionRanges, plainOptions } from './document';

type KeysOf<T> = { [K in keyof Options]: Options[K] extends T ? K : never }[keyof Options];

interface SwitchRow {
  key: KeysOf<boolean>;
  label: string;
  hint: string;
  /** In the heading, where it is not as usual. */
  brief: string;
  /** Others leave it without effect. */
  unused?: (options: Options) => boolean;
}

interface NumberRow {
  key: KeysOf<number | null>;
  label: string;
  hint: string;
  brief: (number: string) => string;
  /** What an empty field stands for. */
  none: string;
  unit: string;
  /** How many of the field's unit are one of the option's. */
  scale: number;
  step: number;
}

const switchRows: readonly SwitchRow[] = [
  {
    key: 'held',
    label: 'Feet stay where they rest',
    hint: 'Heels and toes of the target are held',
    brief: 'feet free',
  },
  {
    key: 'hands',
    label: 'Hands stay where they touch',
    hint: 'Palms stay near each other, the head, the trunk, arms and legs, and in their places on the ground',
    brief: 'hands',
  },
  {
    key: 'speedLimits',
    label: 'Speed limits of joints',
    hint: 'No joint of the target is faster than its file allows',
    brief: 'any speed',
  },
  {
    key: 'retime',
    label: 'Slow down for the legs',
    hint: 'The motion takes longer where legs would exceed their speed limits',
    brief: 'slowed down',
    unused: ({ held, speedLimits }) => !held || !speedLimits,
  },
];

const numberRows: readonly NumberRow[] = [
  {
    key: 'margin',
    label: 'Distance between links',
    hint: 'Links stay so far apart; empty: they may overlap',
    brief: (x) => `${x} mm apart`,
    none: 'any',
    unit: 'mm',
    scale: 1000,
    step: 5,
  },
  {
    key: 'ground',
    label: 'Height of the ground',
    hint: 'Of the target, at x = y = 0',
    brief: (x) => `ground at ${x} m`,
    none: '0',
    unit: 'm',
    scale: 1,
    step: 0.05,
  },
  {
    key: 'rate',
    label: 'Frames a second',
    hint: 'Of the target; empty: its frames are at the times of the source’s',
    brief: (x) => `${x} frames/s`,
    none: 'as they are',
    unit: '',
    scale: 1,
    step: 5,
  },
  {
    key: 'rootScale',
    label: 'Scale of the path',
    hint: 'Of the root’s path and height; empty: by the lengths of the legs',
    brief: (x) => `path × ${x}`,
    none: 'by the legs',
    unit: '×',
    scale: 1,
    step: 0.05,
  },
  {
    key: 'scale',
    label: 'Scale of the limbs',
    hint: 'Of positions against the root; empty: as the path',
    brief: (x) => `limbs × ${x}`,
    none: 'as the path',
    unit: '×',
    scale: 1,
    step: 0.05,
  },
];

export interface OptionSource {
  get(): Options;
  change(label: string, edit: (options: Options) => void): void;
  /** There is nothing to retarget onto. */
  disabled(): boolean;
}

/** What is not as usual, in a few words. */
function briefly(options: Options): string {
  const usual = plainOptions();
  const switched = switchRows
    .filter(({ key, unused }) => options[key] !== usual[key] && !unused?.(options))
    .map(({ brief }) => brief);
  const given = numberRows
    .filter(({ key }) => options[key] !== null)
    .map(({ key, brief, scale }) => brief(trim(scale * options[key]!)));
  return [...switched, ...given].join(', ');
}

/** All rows, folded; the heading says which are not as usual. */
export function optionGroup(source: OptionSource): Control {
  const switches = switchRows.map(({ key, label, hint, unused }) =>
    toggle({
      ...{ label, hint },
      get: () => source.get()[key],
      set: (value) => source.change(label, (options) => void (options[key] = value)),
      disabled: () => source.disabled() || (unused?.(source.get()) ?? false),
    }),
  );
  const fields = numberRows.map(({ key, label, hint, none, unit, scale, step }) => {
    const [min, max] = optionRanges[key];
    return numberField({
      ...{ label, hint, none, unit, step, min: scale * min, max: scale * max },
      get: () => {
        const value = source.get()[key];
        return value === null ? null : scale * value;
      },
      set: (value) =>
        source.change(
          label,
          (options) => void (options[key] = value === null ? null : value / scale),
        ),
      disabled: source.disabled,
    });
  });
  const controls: Control[] = [...switches, ...fields];
  const brief = h('span.brief');
  const element = h(
    'details.options',
    { id: 'retarget-options' },
    h('summary', {}, 'Options', brief),
    ...controls.map((control) => control.element),
  );
  return {
    element,
    update: () => {
      for (const control of controls) control.update();
      brief.textContent = briefly(source.get());
    },
  };
}
