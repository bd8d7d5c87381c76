// tools.ts - the bar over the room: what the gizmo does, and when to solve, rest and look.

import type { AppState } from '../app/state';
import type { Store } from '../app/store';
import { button, type Control, segmented, toggle } from '../ui/controls';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { StageState } from './document';

export interface ToolActions {
  solve(): void;
  rest(): void;
  /** The whole model in view. */
  look(): void;
}

export function toolBar(store: Store<AppState>, actions: ToolActions): Control {
  const gizmo = segmented<StageState['gizmo']>({
    label: 'The gizmo moves or turns the target',
    choices: [
      { value: 'translate', text: 'Move', hint: 'Move the target (G)', icon: () => icon('move') },
      { value: 'rotate', text: 'Turn', hint: 'Turn the target (T)', icon: () => icon('turn') },
    ],
    get: () => store.state.stage.gizmo,
    set: (value) => store.adjust(({ stage }) => void (stage.gizmo = value)),
  });
  const follow = toggle({
    label: 'Follow',
    hint: 'Solve with every change of the target; else on demand',
    get: () => store.state.stage.follow,
    set: (value) => store.change('follow', ({ stage }) => void (stage.follow = value)),
  });
  const solid = toggle({
    label: 'Solid',
    hint: 'What is dragged stops where links would collide; off: links pass through each other',
    get: () => store.state.stage.solid,
    set: (value) => store.change('solid', ({ stage }) => void (stage.solid = value)),
  });
  const element = h(
    'div.room-tools',
    { role: 'toolbar', 'aria-label': 'Target and view' },
    gizmo.element,
    follow.element,
    solid.element,
    button('Solve', () => actions.solve(), {
      class: 'button',
      id: 'solve',
      title: 'Solve from the present pose (Enter)',
    }),
    button('Rest', () => actions.rest(), {
      class: 'button',
      id: 'rest',
      title: 'All joints to their rest values (R)',
    }),
    button('Fit', () => actions.look(), {
      class: 'button',
      id: 'look',
      title: 'The whole model in view (V)',
    }),
  );
  return {
    element,
    update: () => {
      gizmo.update();
      follow.update();
      solid.update();
    },
  };
}
