// examples.ts - the figures of the chapter and of the article, and some more to play with.
//
// Each is a change of the plain board and two sentences: what it is, and what to notice.

import { type BoardState, link, noLimit, pane, plainBoard } from './document';

export interface Example {
  id: string;
  /** The figure's number, or '' */
  figure: string;
  title: string;
  text: string;
  group: 'The chapter' | 'The article' | 'Explore';
  edit: (board: BoardState) => void;
}

/** The chapter's sequences: 21 frames, the target on a straight way to (x, y). */
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
  // ---- the chapter ----
  {
    id: '5.1',
    figure: '5.1',
    title: 'Forward kinematics',
    group: 'The chapter',
    text:
      'Drag a joint: the link before it turns, and everything after it comes along. ' +
      'Try to bring the tip to the target this way, and see why inverse kinematics is wanted.',
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
    figure: '5.2',
    title: 'Inverse kinematics',
    group: 'The chapter',
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
    group: 'The chapter',
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
    figure: '5.15',
    title: 'Two solutions for every goal',
    group: 'The chapter',
    text:
      'The law of cosines gives the elbow angle up to its sign, so two arms reach every goal, mirrored on the line to it. ' +
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
    title: 'Three joints, one goal',
    group: 'The chapter',
    text:
      'Three joints, but a point in the plane has two coordinates: one freedom is left over, and the goal is reached in infinitely many ways. ' +
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
    figure: '5.18',
    title: 'Where each joint takes the tip',
    group: 'The chapter',
    text:
      'The arrows are the columns of the Jacobian: the way the tip goes when one joint alone turns, at right angles to the line from that joint. ' +
      'A longer line makes a longer arrow; every step is a blend of these arrows.',
    edit: (b) => {
      b.motion = 'steps';
      b.cursor = 0;
      b.target = [-12, 14];
      b.panes = [pane('pseudoinverse')];
      b.show.changes = true;
      b.show.labels = true;
    },
  },
  {
    id: '5.19',
    figure: '5.19',
    title: 'A singular configuration',
    group: 'The chapter',
    text:
      'The arm is stretched out and the goal lies on its forearm: all arrows are at right angles to the way it should go, so no blend of them leads there. ' +
      'On the left the method stays stuck; on the right it notices, bends a little, and arrives.',
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
    group: 'The chapter',
    text:
      'The goal moves evenly from the tip to (−20, 5) in 20 frames, and the arm takes one step for each. ' +
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
    group: 'The chapter',
    text:
      'The same way with damping: every step gives up a little accuracy for smaller joint speeds. ' +
      'Move the damping slider and watch the tip fall behind the goal.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('pseudoinverse'), pane('damped')];
      b.settings.damping = 6;
    },
  },
  {
    id: '5.21',
    figure: '5.21',
    title: 'Out of reach',
    group: 'The chapter',
    text:
      '(−35, 5) is farther than the arm is long. Near the limit of its reach the pseudoinverse asks for ever larger turns and jerks about; ' +
      'with damping the arm stretches out and stays calm. Scrub through frames 18 to 20.',
    edit: (b) => {
      sequence(b, -35, 5);
      b.panes = [pane('pseudoinverse'), pane('damped')];
      b.settings.damping = 6;
    },
  },
  {
    id: '5.22',
    figure: '5.22',
    title: 'Joints with a will of their own',
    group: 'The chapter',
    text:
      'All joints would rather be straight. On the left joint 2 wants it most (gains 0.1, 0.5, 0.1), on the right joint 3 (0.1, 0.1, 0.5). ' +
      'The tip takes the same way in both; the stiffer joint stays straighter.',
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
    title: 'Pulling the goal to the tip',
    group: 'The chapter',
    text:
      'The alternative Jacobian is formed with the goal in the place of the tip, as if the goal were pulled to the arm. ' +
      'The motion is much like that of the ordinary one beside it.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('alternative'), pane('pseudoinverse')];
    },
  },
  {
    id: '5.24',
    figure: '5.24',
    title: 'The transpose instead of an inverse',
    group: 'The chapter',
    text:
      'Each joint turns as much as its arrow points along the way to the goal: no matrix is inverted at all. ' +
      'It takes many small steps for each frame instead of one; lower “Iterations a frame” to 1 and watch it stray.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('transpose')];
      // the chapter's 0.1 belongs to an arm of 1.5, 1 and 0.5
      b.settings.alpha = 0.001;
      b.perFrame = 500;
    },
  },
  {
    id: '5.25',
    figure: '5.25',
    title: 'Cyclic coordinate descent',
    group: 'The chapter',
    text:
      'From the tip inwards, each joint turns so that the tip comes as near to the goal as that joint alone can bring it. ' +
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
    group: 'The chapter',
    text:
      'Instead of taking the joints in turn, they are ranked by how much good each can do, and the best is moved first. ' +
      'Compare the bends with plain cyclic descent beside it.',
    edit: (b) => {
      sequence(b, -20, 5);
      b.panes = [pane('ccd-ranked'), pane('ccd')];
      b.perFrame = 500;
    },
  },
  // ---- the article ----
  {
    id: 'ccd-1',
    figure: '1',
    title: 'The best turn of one joint',
    group: 'The article',
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
    group: 'The article',
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
    figure: '3a–c',
    title: 'The local minimum, and the way out',
    group: 'The article',
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
      'With twelve joints there is much to choose: drag the target through the chain and see who ties knots. ' +
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
      'Methods that cut a finished step at the limits get caught on them; those that know the limits while they step slide along.',
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
