// examples.ts - the figures of the two textbooks, and more to explore.
//
// Each is a change of the plain board and two sentences: what it is, and what to notice.
// Words of the text in braces are buttons; `acts` says what they change.

import { type BoardState, link, noLimit, pane, plainBoard } from './document';

export interface Example {
  id: string;
  /** The figure's number, or '' */
  figure: string;
  title: string;
  text: string;
  group: Group;
  edit: (board: BoardState) => void;
  acts?: Record<string, (board: BoardState) => void>;
  /** The unit of the lesson that opens this board. */
  unit?: number;
}

export type Group = 'Parent 2012' | 'Juckett 2009' | 'Explore';

/** The texts, as a figure's number names them. */
export const sources: Record<Group, string> = {
  'Parent 2012': 'Parent 2012',
  'Juckett 2009': 'Juckett 2009',
  Explore: '',
};

/** The sequences of Parent 2012: 21 frames, the target on a straight line to (x, y). */
function sequence(board: BoardState, x: number, y: number): void {
  board.motion = 'path';
  board.frames = 20;
  // the methods as the book has them: nothing clamps a step, nothing nudges
  board.settings.stepLimit = noLimit;
  board.settings.escape = false;
  board.target = [x, y];
}

/** A chain of `count` links of one length, with a bend so that it is not straight. */
function chain(board: BoardState, count: number, length: number, bend: number): void {
  board.links = Array.from({ length: count }, () => link(length));
  board.start = board.links.map((_, i) => (i === 0 ? Math.PI / 2 : bend));
}

const stuck = { escape: false };

export const examples: readonly Example[] = [
  {
    id: 'race',
    figure: '',
    title: 'Four methods, one target',
    group: 'Explore',
    text:
      'Drag the target and watch four methods chase it, a few iterations in every picture. ' +
      'Damped least squares turns all joints together, cyclic descent curls up from the tip, FABRIK stays smooth, the transpose creeps.',
    edit: (b) => {
      b.motion = 'follow';
      b.panes = [pane('damped'), pane('ccd'), pane('fabrik'), pane('transpose')];
      b.target = [-14, 12];
      b.settings.stepLimit = Math.PI / 20;
      b.pace = 1;
    },
  },
  // ---- Parent 2012, chapter 5 ----
  {
    id: '5.1',
    unit: 1,
    figure: '5.1',
    title: 'Forward kinematics',
    group: 'Parent 2012',
    text:
      'Drag a joint: the link before it turns, and everything after it comes along. ' +
      'Try to bring the tip to the target this way, and see what inverse kinematics is for.',
    edit: (b) => {
      b.motion = 'steps';
      b.links = [link(12), link(10), link(6)];
      b.start = [-0.5, 0.9, 0.6];
      b.target = [10, 16];
      b.cursor = 0;
      b.panes = [pane('lm')];
    },
  },
  {
    id: '5.2',
    unit: 2,
    figure: '5.2',
    title: 'Inverse kinematics',
    group: 'Parent 2012',
    text:
      'Now drag the target: the joint angles follow from where the tip has to be. ' +
      'The same arm, but the computer does the searching.',
    edit: (b) => {
      b.motion = 'follow';
      b.pace = 8;
      b.links = [link(12), link(10), link(6)];
      b.start = [-0.5, 0.9, 0.6];
      b.target = [10, 16];
      b.panes = [pane('lm')];
    },
  },
  {
    id: '5.14',
    figure: '5.14',
    title: 'What two links can reach',
    group: 'Parent 2012',
    text:
      'The shaded ring is all that an arm of two links reaches: nothing beyond L₁ + L₂, nothing within |L₁ − L₂|. ' +
      'Drag the target into the hole or outside, and the arm points at it as well as it can.',
    edit: (b) => {
      b.motion = 'follow';
      b.pace = 20;
      b.links = [link(12), link(7)];
      b.start = [0.4, 0.9];
      b.target = [9, 11];
      b.panes = [pane('analytic')];
      b.show.labels = true;
    },
  },
  {
    id: '5.15',
    unit: 3,
    figure: '5.15',
    title: 'Two solutions for every target',
    group: 'Parent 2012',
    text:
      'The law of cosines gives the elbow angle up to its sign, so two arms reach every target, mirrored on the line to it. ' +
      'Drag the target around: where the two meet, on the rim of the ring, the arm is straight and there is only one.',
    edit: (b) => {
      b.motion = 'follow';
      b.pace = 20;
      b.layout = 'over';
      b.links = [link(12), link(9)];
      b.start = [0.2, 1];
      b.target = [9, 12];
      b.panes = [pane('analytic', { bend: 1 }), pane('analytic', { bend: -1 })];
      b.show.labels = true;
    },
  },
  {
    id: '5.17',
    figure: '5.17',
    title: 'Three joints, one target',
    group: 'Parent 2012',
    text:
      'Three joints, but a point in the plane has two coordinates: one freedom is left over, and the target is reached in infinitely many ways. ' +
      'Compare which of them each method chooses from the same start.',
    edit: (b) => {
      b.motion = 'steps';
      b.target = [4, 21];
      b.layout = 'over';
      b.panes = [pane('pseudoinverse'), pane('ccd')];
      b.show.labels = true;
    },
  },
  {
    id: '5.18',
    unit: 4,
    figure: '5.18',
    title: 'Where each joint takes the tip',
    group: 'Parent 2012',
    text:
      'Each arrow g is a column of the Jacobian: where the tip E goes when one joint alone turns. It is at right angles to the line V from that joint, and drawn half as long. ' +
      'The farther the joint, the longer its arrow; every step is a blend of these arrows.',
    edit: (b) => {
      b.motion = 'steps';
      b.cursor = 0;
      b.target = [-12, 14];
      b.panes = [pane('pseudoinverse')];
      b.show.changes = true;
    },
  },
  {
    id: '5.19',
    unit: 5,
    figure: '5.19',
    title: 'A singular configuration',
    group: 'Parent 2012',
    text:
      'The arm is stretched out and the target lies on its forearm: all arrows are at right angles to the needed direction, so no blend of them leads there. ' +
      'On the left the method stays there; on the right it detects this, bends a little, and arrives.',
    edit: (b) => {
      b.motion = 'steps';
      b.start = [0, 0, 0];
      b.target = [21, 0];
      b.panes = [pane('damped', stuck), pane('damped', { escape: true })];
      b.show.changes = true;
    },
  },
  {
    id: '5.20a',
    figure: '5.20a',
    title: 'The pseudoinverse',
    group: 'Parent 2012',
    text:
      'The target moves evenly from the tip to (−20, 5) in 20 frames, and the arm takes one step for each. ' +
      'The tip stays close to the straight line; frames 0, 5, 10, 15 and 20 remain as shadows.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('pseudoinverse')];
    },
  },
  {
    id: '5.20b',
    figure: '5.20b',
    title: 'Damped least squares',
    group: 'Parent 2012',
    text:
      'The same path with damping: every step ends a little accuracy for smaller joint speeds. ' +
      'Set the damping to {1}, {6} or {12} and watch the tip fall behind the target.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('pseudoinverse'), pane('damped')];
      b.settings.damping = 6;
    },
    acts: Object.fromEntries(
      [1, 6, 12].map((damping) => [String(damping), (b) => void (b.settings.damping = damping)]),
    ),
  },
  {
    id: '5.21',
    figure: '5.21',
    title: 'Out of reach',
    group: 'Parent 2012',
    text:
      '(−35, 5) is farther than the arm is long. Near the rim of its reach the pseudoinverse takes ever larger steps and jumps about; ' +
      'with damping the arm stretches out and stays calm. {Scrub to frame 18}, {19} and {20}.',
    edit: (b) => {
      sequence(b, -35, 5);
      b.panes = [pane('pseudoinverse'), pane('damped')];
      b.settings.damping = 6;
    },
    acts: {
      'Scrub to frame 18': (b) => void (b.cursor = 18),
      19: (b) => void (b.cursor = 19),
      20: (b) => void (b.cursor = 20),
    },
  },
  {
    id: '5.22',
    unit: 6,
    figure: '5.22',
    title: 'The control term: joints with desired angles',
    group: 'Parent 2012',
    text:
      'The desired angle of all joints is zero. On the left joint 2 has the highest gain (0.1, 0.5, 0.1), on the right joint 3 (0.1, 0.1, 0.5). ' +
      'The tip takes the same path in both; the joint with the higher gain stays straighter.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [
        pane('pseudoinverse', null, [0.1, 0.5, 0.1]),
        pane('pseudoinverse', null, [0.1, 0.1, 0.5]),
      ];
    },
  },
  {
    id: '5.23',
    figure: '5.23',
    title: 'Pulling the target to the tip',
    group: 'Parent 2012',
    text:
      'The alternative Jacobian is formed with the target in the place of the tip, as if the target were pulled to the arm. ' +
      'The motion is much like that of the ordinary one beside it.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('alternative'), pane('pseudoinverse')];
    },
  },
  {
    id: '5.24',
    unit: 7,
    figure: '5.24',
    title: 'The transpose instead of an inverse',
    group: 'Parent 2012',
    text:
      'Each joint turns as much as its arrow points towards the target: no matrix is inverted at all. ' +
      'It takes many small steps for each frame instead of one; allow {1 iteration a frame} and watch it stray, then {500}.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('transpose')];
      // Parent's 0.1 belongs to an arm of 1.5, 1 and 0.5
      b.settings.alpha = 0.001;
      b.perFrame = 500;
    },
    acts: {
      '1 iteration a frame': (b) => void (b.perFrame = 1),
      500: (b) => void (b.perFrame = 500),
    },
  },
  {
    id: '5.25',
    figure: '5.25',
    title: 'Cyclic coordinate descent',
    group: 'Parent 2012',
    text:
      'From the tip inwards, each joint turns so that the tip comes as near to the target as that joint alone can bring it. ' +
      'It needs no Jacobian; the outer joints do most of the bending.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('ccd')];
      b.perFrame = 500;
    },
  },
  {
    id: '5.25r',
    figure: '5.25',
    title: 'The variant: most useful joint first',
    group: 'Parent 2012',
    text:
      'Instead of taking the joints in turn, they are ranked by how much good each can do, and the best is moved first. ' +
      'Compare the bends with plain cyclic descent beside it.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('ccd-ranked'), pane('ccd')];
      b.perFrame = 500;
    },
  },
  // ---- Juckett 2009 ----
  {
    id: 'ccd-1',
    figure: '1',
    title: 'The best turn of one joint',
    group: 'Juckett 2009',
    text:
      'A joint can move the tip on a circle about itself. The point of that circle nearest to the target lies on the line to the target: ' +
      'one step of cyclic descent puts it there exactly.',
    edit: (b) => {
      b.motion = 'steps';
      b.links = [link(14)];
      b.start = [-0.3];
      b.target = [7, 16];
      b.cursor = 0;
      b.panes = [pane('ccd')];
      b.show.sweep = true;
      b.show.changes = true;
    },
  },
  {
    id: 'ccd-2',
    figure: '2a–d',
    title: 'One sweep, joint by joint',
    group: 'Juckett 2009',
    text:
      'Step through one iteration: first bone 3 points at the target, then bone 2 swings the tip onto its line, then bone 1. ' +
      'After a single sweep the tip is already much nearer.',
    edit: (b) => {
      b.motion = 'steps';
      b.links = [link(10), link(8), link(6)];
      b.start = [0.9, -0.5, -0.6];
      b.target = [-4, 14];
      b.cursor = 0;
      b.panes = [pane('ccd')];
      b.show.sweep = true;
    },
  },
  {
    id: 'ccd-3',
    unit: 8,
    figure: '3a–c',
    title: 'The local minimum, and the way out',
    group: 'Juckett 2009',
    text:
      'Two straight bones, the target between them on their line: bone 2 folds back, bone 1 is already where it is best, and nothing moves again. ' +
      'On the left plain descent stays locked; on the right the lock is noticed, the bones are nudged, and the tip arrives.',
    edit: (b) => {
      b.motion = 'steps';
      b.links = [link(10), link(7)];
      b.start = [0, 0];
      b.target = [7, 0];
      b.cursor = 0;
      b.panes = [pane('ccd', stuck), pane('ccd', { escape: true })];
      b.show.sweep = true;
    },
  },
  // ---- more ----
  {
    id: 'long',
    figure: '',
    title: 'A chain of twelve links',
    group: 'Explore',
    text:
      'With twelve joints there is much to choose: drag the target through the chain and see which methods tie knots. ' +
      'FABRIK moves points and keeps the chain smooth, cyclic descent rolls up the outer links first.',
    edit: (b) => {
      b.motion = 'follow';
      chain(b, 12, 3, -0.18);
      b.target = [20, 10];
      b.panes = [pane('fabrik'), pane('ccd'), pane('damped'), pane('lm')];
    },
  },
  {
    id: 'limits',
    figure: '',
    title: 'Joints that cannot turn far',
    group: 'Explore',
    text:
      'Every joint may turn 60 degrees to either side; the fans show it. ' +
      'Methods that cut a finished step at the limits get caught on them; those with limits inside the step slide along them.',
    edit: (b) => {
      b.motion = 'follow';
      const limit = Math.PI / 3;
      b.links = [
        link(10, -Math.PI, Math.PI),
        link(8, -limit, limit),
        link(6, -limit, limit),
        link(4, -limit, limit),
      ];
      b.start = [0.9, -0.6, -0.5, -0.3];
      b.target = [10, -10];
      b.panes = [pane('lm'), pane('pseudoinverse'), pane('ccd'), pane('fabrik')];
    },
  },
];

export function exampleBoard(id: string): BoardState {
  const board = plainBoard();
  board.example = id;
  examples.find((example) => example.id === id)!.edit(board);
  return board;
}
