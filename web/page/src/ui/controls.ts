// controls.ts - sliders, switches, choices: each shows a value and passes on changes.
//
// A control is an element and `update`, which makes it show what is now true. It never
// keeps a value of its own.

import { type Child, fill, freshId, h, put, set, write } from './dom';

export interface Control {
  element: HTMLElement;
  update(): void;
}

/** Begin and end of a gesture, so that a drag is one entry of the history. */
export interface Gesture {
  begin(): void;
  end(): void;
}

export interface SliderOptions {
  label: string;
  /** A word on what it does, shown on hover and read out. */
  hint?: string;
  min: () => number;
  max: () => number;
  step: number;
  get: () => number;
  set: (value: number) => void;
  /** The number as text in the field, and the text as a number (NaN: none). */
  format?: (value: number) => string;
  parse?: (text: string) => number;
  unit?: string | (() => string);
  disabled?: () => boolean;
  gesture?: Gesture;
}

/** The number that was typed, NaN: none. */
const typed = (text: string, parse: (text: string) => number = Number): number => {
  const trimmed = text.trim().replace(',', '.').replace('−', '-');
  return trimmed === '' ? NaN : parse(trimmed);
};

/** A slider with its number beside it, which can be typed. */
export function slider(options: SliderOptions): Control {
  const id = freshId('slider');
  const format = options.format ?? ((x: number) => trim(x));
  const parse = options.parse ?? Number;
  const unitText = (): string =>
    typeof options.unit === 'function' ? options.unit() : (options.unit ?? '');
  const range = h('input', {
    type: 'range',
    id,
    step: options.step,
    title: options.hint,
    oninput: () => options.set(range.valueAsNumber),
    onpointerdown: () => options.gesture?.begin(),
    onpointerup: () => options.gesture?.end(),
    onpointercancel: () => options.gesture?.end(),
  });
  const field = h('input.number', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': `${options.label}, value`,
    onchange: () => {
      const value = typed(field.value, parse);
      if (Number.isFinite(value)) options.set(clamp(value, options.min(), options.max()));
      update();
      field.value = format(options.get());
    },
    onfocus: () => field.select(),
  });
  const unit = h('span.unit');
  const element = h(
    'div.slider',
    {},
    h('label', { for: id, title: options.hint }, options.label),
    range,
    h('span.value', {}, field, unit),
  );
  function update(): void {
    const value = options.get();
    const [min, max] = [options.min(), options.max()];
    set(range, { min, max });
    put(range, 'value', String(value));
    range.style.setProperty(
      '--share',
      `${(100 * (clamp(value, min, max) - min)) / (max - min || 1)}%`,
    );
    if (document.activeElement !== field) put(field, 'value', format(value));
    write(unit, unitText());
    set(range, { 'aria-valuetext': `${format(value)} ${unitText()}` });
    const off = options.disabled?.() ?? false;
    range.disabled = field.disabled = off;
    element.classList.toggle('off', off);
  }
  return { element, update };
}

/** A number that may be left out: what an empty field stands for is in it. */
export function numberField(options: {
  label: string;
  hint?: string;
  none: string;
  unit: string;
  min: number;
  max: number;
  /** Of the arrows up and down. */
  step: number;
  get: () => number | null;
  set: (value: number | null) => void;
  disabled?: () => boolean;
}): Control {
  const id = freshId('field');
  const pass = (value: number): void => {
    const empty = input.value.trim() === '';
    if (empty) options.set(null);
    else if (Number.isFinite(value)) options.set(clamp(value, options.min, options.max));
    show();
  };
  const input = h('input.number', {
    ...{ type: 'text', inputmode: 'decimal', id, placeholder: options.none, title: options.hint },
    onchange: () => pass(typed(input.value)),
    onfocus: () => input.select(),
    onkeydown: (event: KeyboardEvent) => {
      const by = { ArrowUp: options.step, ArrowDown: -options.step }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const value = Number(((options.get() ?? 0) + by).toPrecision(12));
      input.value = String(value);
      pass(value);
    },
  });
  const element = h(
    'div.field',
    {},
    h('label', { for: id, title: options.hint }, options.label),
    h('span.value', {}, input, h('span.unit', {}, options.unit)),
  );
  function show(): void {
    const value = options.get();
    put(input, 'value', value === null ? '' : trim(value, 6));
  }
  return {
    element,
    update: () => {
      if (document.activeElement !== input) show();
      input.disabled = options.disabled?.() ?? false;
      element.classList.toggle('off', input.disabled);
    },
  };
}

/** A box to tick. */
export function toggle(options: {
  label: string;
  hint?: string;
  get: () => boolean;
  set: (value: boolean) => void;
  disabled?: () => boolean;
}): Control {
  const box = h('input', {
    type: 'checkbox',
    role: 'switch',
    onchange: () => options.set(box.checked),
  });
  const element = h('label.toggle', { title: options.hint }, box, h('span', {}, options.label));
  return {
    element,
    update: () => {
      box.checked = options.get();
      box.disabled = options.disabled?.() ?? false;
      element.classList.toggle('off', box.disabled);
    },
  };
}

/** A switch for each row of a table of things that can be on or off. */
export function toggles<K extends string>(
  rows: readonly { key: K; label: string; hint: string }[],
  get: (key: K) => boolean,
  set: (key: K, value: boolean) => void,
): Control {
  const parts = rows.map(({ key, label, hint }) =>
    toggle({ label, hint, get: () => get(key), set: (value) => set(key, value) }),
  );
  return {
    element: h('div.toggles', {}, ...parts.map((part) => part.element)),
    update: () => {
      for (const part of parts) part.update();
    },
  };
}

/** One of a few, all in sight. */
export function segmented<T extends string>(options: {
  label: string;
  choices: readonly { value: T; text: string; hint?: string; icon?: () => Node }[];
  get: () => T;
  set: (value: T) => void;
  /** Whether there is such a choice now. */
  has?: (value: T) => boolean;
}): Control {
  const name = freshId('choice');
  const inputs = options.choices.map(({ value }) =>
    h('input', { type: 'radio', name, value, onchange: () => options.set(value) }),
  );
  const element = h(
    'div.segmented',
    { role: 'radiogroup', 'aria-label': options.label },
    ...options.choices.map(({ text, hint, icon }, i) =>
      h('label', { title: hint }, inputs[i], h('span', {}, icon?.(), text)),
    ),
  );
  return {
    element,
    update: () =>
      inputs.forEach((input) => {
        input.checked = input.value === options.get();
        set(input.parentElement!, { hidden: options.has?.(input.value as T) === false });
      }),
  };
}

/** One of many, folded. */
export function choice(options: {
  label: string;
  hint?: string;
  choices: () => readonly { value: string; text: string; group?: string }[];
  get: () => string;
  set: (value: string) => void;
  disabled?: () => boolean;
}): Control {
  const id = freshId('choice');
  const select = h('select', {
    id,
    title: options.hint,
    onchange: () => options.set(select.value),
  });
  const element = h('div.choice', {}, h('label', { for: id }, options.label), select);
  let shown = '';
  return {
    element,
    update: () => {
      const choices = options.choices();
      const key = JSON.stringify(choices);
      if (key !== shown) fill(select, ...optionsOf(choices));
      shown = key;
      put(select, 'value', options.get());
      select.disabled = options.disabled?.() ?? false;
      element.classList.toggle('off', select.disabled);
    },
  };
}

function optionsOf(choices: readonly { value: string; text: string; group?: string }[]): Child[] {
  const groups = new Map<string, HTMLElement>();
  const out: HTMLElement[] = [];
  for (const { value, text, group } of choices) {
    const option = h('option', { value }, text);
    if (!group) {
      out.push(option);
      continue;
    }
    if (!groups.has(group)) {
      groups.set(group, h('optgroup', { label: group }));
      out.push(groups.get(group)!);
    }
    groups.get(group)!.append(option);
  }
  return out;
}

export function button(
  text: string,
  action: (event: MouseEvent) => void,
  attributes: Record<string, unknown> & { icon?: Node } = {},
): HTMLButtonElement {
  const { icon, class: classes, ...rest } = attributes;
  const element = h(
    'button',
    { type: 'button', ...rest, onclick: action },
    icon,
    text && h('span', {}, text),
  );
  if (typeof classes === 'string') element.className = classes;
  return element;
}

/** A part of a panel that can be folded. */
export function section(
  title: string,
  attributes: { open?: boolean; id?: string },
  ...children: Child[]
): HTMLDetailsElement {
  return h(
    'details.section',
    { open: attributes.open ?? true, id: attributes.id },
    h('summary', {}, h('span', {}, title)),
    h('div.section-body', {}, ...children),
  );
}

export function clamp(x: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, x));
}

/** So many digits after the point, with a true minus and no minus before nothing. */
export function fixed(x: number, digits: number): string {
  const text = x.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** A number with a few digits and no zeros at its end. */
export function trim(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return x > 0 ? '∞' : x < 0 ? '−∞' : '–';
  return String(Number(x.toPrecision(digits))).replace('-', '−');
}
