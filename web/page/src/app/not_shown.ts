// not_shown.ts - what is where a view in three dimensions should be, and could not be made.

import { button } from '../ui/controls';
import { h } from '../ui/dom';

const webGl = (): boolean => document.createElement('canvas').getContext('webgl2') !== null;

/** Why, in the words of an error, and what to do. */
export const notShown = (view: string, words: string, again: () => void): HTMLElement =>
  webGl()
    ? h(
        'div.card',
        { role: 'alert' },
        h('h1', {}, `The ${view} did not load`),
        h('p', {}, words),
        button('Try again', again),
      )
    : h(
        'div.card',
        { role: 'alert' },
        h('h1', {}, `The ${view} needs WebGL 2`),
        h('p', {}, `This browser did not provide it (${words}).`),
        h(
          'ul',
          {},
          h('li', {}, 'Turn on hardware acceleration in the browser’s settings, and reload.'),
          h('li', {}, 'Update the graphics driver, or try another browser.'),
          h('li', {}, 'The board works without it: all methods, in the plane.'),
        ),
      );
