// json.js - the limber JSON linkage format: joint trees and Denavit-Hartenberg tables.
//
// docs/format.md specifies it; src/formats/json*.c reads it in C. Both give the same model,
// to the last bit.

import { LimberError, lastError } from './error.js';
import { defaultJoint, defaultLink, kindIndex, kinds, restValue } from './kinds.js';
import {
  angle,
  boolean,
  choice,
  number,
  placement,
  positive,
  Reader,
  text,
  vector,
} from './reader.js';

const kindName = choice(
  'joint kind',
  kinds.map((kind) => kind.name),
);

// ---- shapes ----

const shapeNames = ['box', 'cylinder', 'capsule', 'sphere', 'mesh'];

function color(reader, value) {
  const rgba = reader.array(value, number, value?.length === 3 ? 3 : 4);
  if (!rgba.every((x) => x >= 0 && x <= 1)) reader.refuse('colours are between 0 and 1');
  return rgba.length === 3 ? [...rgba, 1] : rgba;
}

const ofAll = { shape: [choice('shape', shapeNames), true], placement, color };
const rod = { ...ofAll, radius: [positive, true], length: positive, from: vector, to: vector };
const shapeFields = {
  box: { ...ofAll, size: [(reader, value) => reader.array(value, positive, 3), true] },
  cylinder: rod,
  capsule: rod,
  sphere: { ...ofAll, radius: [positive, true] },
  mesh: { ...ofAll, mesh: [text, true], scale: vector },
};

/** The frame midway between two points, its z axis turned from z to their direction the short way. */
function frameBetween(reader, from, to, length) {
  const d = to.map((x, i) => (x - from[i]) / length);
  const xyz = to.map((x, i) => (from[i] + x) * 0.5);
  const straightDown = d[0] === 0 && d[1] === 0 && d[2] < 0;
  const quaternion = straightDown ? [0, 1, 0, 0] : [1 + d[2], -d[1], d[0], 0];
  return reader.transforms.from({ xyz, quaternion });
}

/** A cylinder or capsule is given by its length and placement, or by its two ends. */
function placeRod(reader, given) {
  const byEnds = 'from' in given || 'to' in given;
  if ('length' in given && !byEnds) return {};
  if ('length' in given || !('to' in given) || 'placement' in given)
    reader.refuse('give "length" and "placement", or the ends "from" and "to"', 'bad-model');
  const { from = [0, 0, 0], to } = given;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  if (!(length > 0)) reader.refuse('"from" and "to" must be two points');
  return { length, placement: frameBetween(reader, from, to, length) };
}

function visual(reader, value) {
  if (typeof value?.shape !== 'string')
    reader.refuse('an object with the key "shape" is wanted here', 'bad-model');
  const shape = reader.step('shape', choice('shape', shapeNames), value.shape);
  const given = reader.object(value, shapeFields[shape]);
  const isRod = shape === 'cylinder' || shape === 'capsule';
  return {
    placement: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    color: null,
    ...given,
    ...(isRod ? placeRod(reader, given) : {}),
  };
}

// ---- links ----

function mass(reader, value) {
  if (number(reader, value) < 0) reader.refuse('a mass is not below zero');
  return value;
}

function link(reader, value) {
  const { data_offset: dataOffset, ...given } = reader.object(value, {
    name: [text, true],
    data_offset: placement,
    mass,
    center: vector,
    inertia: (r, v) => r.array(v, number, 6),
    visuals: (r, v) => r.array(v, visual),
  });
  return { ...defaultLink(), ...given, ...(dataOffset && { dataOffset }) };
}

// ---- joints ----

const unit = (letter) => (letter === 'a' ? angle : number);

/** [lower, upper], null where there is no bound. */
function pair(letter) {
  return (reader, value) => {
    if (!Array.isArray(value) || value.length !== 2)
      reader.refuse('[lower, upper] is wanted here; null where there is no bound');
    const bound = (none) => (r, v) => (v === null ? none : unit(letter)(r, v));
    const lower = reader.step(0, bound(-Infinity), value[0]);
    const upper = reader.step(1, bound(Infinity), value[1]);
    if (lower > upper) reader.refuse('the lower limit is above the upper one');
    return [lower, upper];
  };
}

function limits(kind) {
  return (reader, value) => {
    const letters = kinds[kindIndex(kind)].limits;
    const lower = [-Infinity, -Infinity, -Infinity];
    const upper = [Infinity, Infinity, Infinity];
    const put = (i, [low, high]) => ([lower[i], upper[i]] = [low, high]);
    if (kind === 'ball') {
      const given = reader.object(value, { twist: pair('a'), swing: angle });
      if (given.twist) put(0, given.twist);
      if (given.swing !== undefined) upper[1] = given.swing;
    } else if (letters === '') {
      reader.refuse(`a ${kind} joint has no limits`, 'bad-model');
    } else if (letters.length === 1) {
      put(0, pair(letters)(reader, value));
    } else {
      if (!Array.isArray(value) || value.length !== letters.length)
        reader.refuse(`${letters.length} pairs [lower, upper] are wanted here`);
      value.forEach((element, i) => put(i, reader.step(i, pair(letters[i]), element)));
    }
    return { lower, upper };
  };
}

function jointValue(kind) {
  return (reader, value) => {
    const letters = kinds[kindIndex(kind)].values;
    const out = [0, 0, 0, 0, 0, 0, 0];
    if (letters === '') reader.refuse('a fixed joint has no value', 'bad-model');
    if (letters.length === 1) out[0] = unit(letters)(reader, value);
    else {
      reader.array(value, number, letters.length);
      value.forEach((element, i) => (out[i] = reader.step(i, unit(letters[i]), element)));
    }
    return out;
  };
}

/** The keys that say how a joint of this kind moves. */
function motionFields(kind) {
  const { values, nq } = kinds[kindIndex(kind)];
  const own = unit(nq === 1 ? values : '-');
  return {
    kind: kindName,
    limits: limits(kind),
    value: jointValue(kind),
    weight: number,
    locked: boolean,
    mimic: (reader, value) => ({
      multiplier: 1,
      offset: 0,
      ...reader.object(value, { joint: [text, true], multiplier: number, offset: own }),
    }),
    velocity: own,
    effort: number,
  };
}

/** The kind is read before what depends on it. */
function readKind(reader, value, usual) {
  return value?.kind === undefined ? usual : reader.step('kind', kindName, value.kind);
}

/** A joint from what was read; limits are spread, and it rests where it says or at zero. */
function finishJoint(given, kind) {
  const { limits: bounds, ...rest } = given;
  const joint = { ...defaultJoint(), kind, ...rest, ...bounds };
  return { ...joint, value: given.value ?? restValue(joint) };
}

function joint(reader, value) {
  const kind = readKind(reader, value, 'fixed');
  const given = reader.object(value, {
    name: [text, true],
    parent: [text, true],
    child: [text, true],
    placement,
    axis: vector,
    axis2: vector,
    ...motionFields(kind),
  });
  return finishJoint(given, kind);
}

// ---- Denavit-Hartenberg tables ----

function row(reader, value) {
  const kind = readKind(reader, value, 'revolute');
  if (!['revolute', 'continuous', 'prismatic'].includes(kind))
    reader.step('kind', () =>
      reader.refuse(`a row is revolute, continuous or prismatic, not ${kind}`, 'bad-model'),
    );
  const {
    joint: name = '',
    link: child = '',
    theta = 0,
    d = 0,
    a = 0,
    alpha = 0,
    ...motion
  } = reader.object(value, {
    joint: text,
    link: text,
    theta: angle,
    d: number,
    a: number,
    alpha: angle,
    ...motionFields(kind),
  });
  return { joint: finishJoint({ ...motion, name, child }, kind), numbers: [theta, d, a, alpha] };
}

function table(reader, value) {
  const given = reader.object(value, {
    convention: [choice('convention', ['standard', 'modified']), true],
    base: text,
    tool: (r, v) => r.object(v, { joint: text, link: text }),
    rows: [
      (r, v) => {
        if (!Array.isArray(v) || v.length === 0)
          r.refuse('an array of at least one row is wanted here', 'bad-model');
        return r.array(v, row);
      },
      true,
    ],
  });
  if (given.convention === 'modified' && given.tool)
    reader.refuse(
      'the modified convention ends at its last joint: there is no tool; ' +
        'add a fixed joint to "joints"',
      'bad-model',
    );
  return given;
}

/** The joints of a table: placements and names from the library, all else from the rows. */
function tableJoints(heap, { convention, base, tool = {}, rows }) {
  const numbers = rows.flatMap(({ joint: { kind }, numbers: [theta, d, a, alpha] }) => [
    kindIndex(kind),
    theta,
    d,
    a,
    alpha,
    -Infinity,
    Infinity,
  ]);
  const model = heap.withNumbers(numbers, (pointer) =>
    heap.withStrings([''], (name) =>
      heap.call.model_from_dh(name, pointer, rows.length, convention === 'modified' ? 1 : 0),
    ),
  );
  if (model === 0) throw lastError(heap);
  const joints = [];
  let parent = base ?? heap.string(heap.call.model_link_name(model, 0));
  const first = parent;
  const count = convention === 'modified' ? rows.length : rows.length + 1;
  for (let i = 0; i < count; i++) {
    const given =
      i < rows.length
        ? rows[i].joint
        : { ...defaultJoint(), name: tool.joint ?? '', child: tool.link ?? '' };
    heap.call.model_joint(model, i, heap.scratch.pointer);
    const made = heap.scratch.numbers;
    joints.push({
      ...given,
      name: given.name || heap.string(heap.call.model_joint_name(model, i)),
      child: given.child || heap.string(heap.call.model_link_name(model, i + 1)),
      parent,
      placement: [...made.slice(1, 13)],
      axis: [...made.slice(13, 16)],
    });
    parent = joints[i].child;
  }
  heap.call.model_release(model);
  return { joints, names: [first, ...joints.map((j) => j.child)] };
}

// ---- whole files ----

function version(reader, value) {
  if (value !== 1) reader.refuse('this version of the format is not known; 1 is', 'unsupported');
  return value;
}

function angles(reader, value) {
  reader.degrees = choice('unit of angles', ['radians', 'degrees'])(reader, value) === 'degrees';
  return value;
}

function parse(json) {
  if (typeof json !== 'string') return json;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new LimberError(`this is not JSON: ${error.message}`, 'syntax-error');
  }
}

/** The source of a model, as Model wants it. */
export function readModel(heap, transforms, json) {
  const reader = new Reader(transforms);
  // angles come first, whatever the file's order
  const {
    dh,
    links = [],
    joints = [],
    root,
    name,
    summary = '',
    source = '',
  } = reader.object(parse(json), {
    limber: version,
    name: [text, true],
    summary: text,
    source: text,
    angles,
    root: placement,
    links: (r, v) => r.array(v, link),
    dh: table,
    joints: (r, v) => r.array(v, joint),
  });
  const made = dh ? tableJoints(heap, dh) : { joints: [], names: [] };
  const known = new Set(links.map((l) => l.name));
  const added = made.names.filter((n) => !known.has(n)).map((n) => defaultLink(n));
  if (links.length + added.length === 0)
    throw new LimberError('it has no links; give "links" or "dh"', 'bad-model');
  return {
    name,
    summary,
    source,
    root: root ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    links: [...links, ...added],
    joints: [...made.joints, ...joints],
  };
}
