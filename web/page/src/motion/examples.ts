// examples.ts - motions of our own, which need no file.

import type { Clip, ContactPoint, LimberWithClips, Model } from 'limber';

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
