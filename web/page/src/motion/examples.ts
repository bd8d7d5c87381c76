// examples.ts - motions of our own, which need no file.

import type { Clip, ContactPoint, LimberWithClips, Model } from 'limber';
import { builtin } from '../stage/builtin';
import { filesFor } from './formats';
import type { Take } from './take';

interface MotionExample {
  id: string;
  title: string;
  text: string;
  /** A built-in figure, and what it does. */
  figure: string;
  make: (library: LimberWithClips, model: Model) => { clip: Clip; contacts: ContactPoint[] };
}

export const motionExamples: readonly MotionExample[] = [
  {
    id: 'walk',
    title: 'Walk',
    text: 'The figure human walks: four strides from a few numbers, heels and toes at rest exactly',
    figure: 'human',
    make: ({ clips }, model) => clips.walk(model, { cycles: 4 }),
  },
  {
    id: 'stroll',
    title: 'Stroll',
    text: 'The same with short and slow steps',
    figure: 'human',
    make: ({ clips }, model) => clips.walk(model, { cycles: 4, stepLength: 0.5, cadence: 80 }),
  },
];

/** An example as what is opened from a file. */
export function takeOfExample(library: LimberWithClips, id: string): Take | null {
  const example = motionExamples.find((each) => each.id === id);
  if (!example) return null;
  const fixed = library.model(builtin.get(example.figure)!);
  const model = fixed.withRoot('floating');
  fixed.release();
  const { clip, contacts } = example.make(library, model);
  return {
    name: example.title,
    id,
    model,
    parts: [''],
    facts: [['Figure', `${example.figure}, built in`]],
    rest: null,
    skin: null,
    contacts,
    ...filesFor(library, model),
    clip: () => clip,
    release: () => {
      clip.release();
      model.release();
    },
  };
}
