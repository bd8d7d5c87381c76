// names.js - names as the module's numbers, and the texts that it has for them.

import { LimberError } from './error.js';

/** What is up in a file of motion, in the order of lb_bvh_up. */
export const axes = ['recognise', 'x', 'y', 'z'];

/** The index of a name among some; throws with the nearest of them. */
export function pick(heap, what, name, names) {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const meant = heap.suggestion(name, names) || `: one of ${names.join(', ')}`;
  throw new LimberError(`there is no ${what} '${name}'${meant}`, 'not-found');
}

/** The index of a link by its name or index; of the world -1. */
export function linkIndex(model, link) {
  return typeof link === 'number' ? link : link === 'world' ? -1 : model.findLink(link);
}

/** A vector, refused where it has other than `count` numbers: what follows it would be shifted. */
export function vectorOf(what, numbers, count = 3) {
  if (numbers?.length !== count)
    throw new LimberError(
      `'${what}' has ${numbers?.length ?? 'no'} numbers but must have ${count}`,
    );
  return numbers;
}

/** These options with the defaults for what is left out; one that is unknown is refused. */
export function withDefaults(heap, options, defaults) {
  for (const key of Object.keys(options))
    if (!(key in defaults)) pick(heap, 'option', key, Object.keys(defaults));
  return { ...defaults, ...options };
}
