// urdf.js - the Unified Robot Description Format, from a parsed XML document.
//
// The page hands over what DOMParser made; in node any XML parser with the same
// document interface will do. src/formats/urdf*.c reads it in C; both read and refuse the same.

import { LimberError } from './error.js';
import { defaultJoint, defaultLink, restValue } from './kinds.js';
import { nearest } from './suggest.js';

function refuse(where, message, code = 'bad-model') {
  throw new LimberError(`${where}: ${message}`, code);
}

// ---- elements and attributes ----

function childrenOf(element, name) {
  return [...element.children].filter((child) => child.localName === name);
}

function onlyChild(where, element, name) {
  const found = childrenOf(element, name);
  if (found.length > 1) refuse(where, `it has ${found.length} <${name}>; one is allowed`);
  return found[0] ?? null;
}

function textOf(where, element, name) {
  const value = element.getAttribute(name);
  if (!value) refuse(where, `<${element.localName}> needs ${name}="..."`);
  return value;
}

/** `usual.length` numbers of an attribute, `usual` itself where it is missing. */
function numbersOf(where, element, name, usual) {
  const value = element?.getAttribute(name);
  if (value === null || value === undefined) return usual;
  const words = value.trim().split(/\s+/);
  const numbers = words.map(Number);
  if (numbers.length !== usual.length)
    refuse(
      where,
      `${name}="${value}" must have ${usual.length} numbers, not ${words.length}`,
      'bad-value',
    );
  if (!numbers.every(Number.isFinite))
    refuse(where, `${name}="${value}" is not a finite number`, 'bad-value');
  return numbers;
}

function numberOf(where, element, name, usual) {
  return numbersOf(where, element, name, [usual])[0];
}

/** <origin xyz="..." rpy="..."/> of an element as a transform. */
function originOf(where, element, transforms) {
  const origin = onlyChild(where, element, 'origin');
  const xyz = numbersOf(where, origin, 'xyz', [0, 0, 0]);
  const quat = origin?.getAttribute('quat_xyzw');
  if (quat && origin.getAttribute('rpy'))
    refuse(where, '<origin> has both rpy and quat_xyzw; leave one of them');
  if (!quat) return transforms.from({ xyz, rpy: numbersOf(where, origin, 'rpy', [0, 0, 0]) });
  const [x, y, z, w] = numbersOf(where, origin, 'quat_xyzw', [0, 0, 0, 1]);
  if (Math.abs(Math.hypot(x, y, z, w) - 1) > 0.01)
    refuse(where, 'quat_xyzw must have length 1', 'bad-value');
  return transforms.from({ xyz, quaternion: [w, x, y, z] });
}

// ---- links ----

function shapeOf(where, element) {
  const size = (name) => numberOf(where, element, name, NaN);
  const needed = (name) => {
    textOf(where, element, name);
    return size(name);
  };
  switch (element.localName) {
    case 'box':
      textOf(where, element, 'size');
      return { shape: 'box', size: numbersOf(where, element, 'size', [1, 1, 1]) };
    case 'cylinder':
    case 'capsule':
      return { shape: element.localName, radius: needed('radius'), length: needed('length') };
    case 'sphere':
      return { shape: 'sphere', radius: needed('radius') };
    case 'mesh':
      return {
        shape: 'mesh',
        mesh: textOf(where, element, 'filename'),
        scale: numbersOf(where, element, 'scale', [1, 1, 1]),
      };
    default:
      return refuse(where, `no shape <${element.localName}>`);
  }
}

/** Colours by the names of materials: what the robot defines first, then what its visuals do. */
function colorsOf(robot) {
  const colors = new Map();
  const materials = [
    ...childrenOf(robot, 'material'),
    ...childrenOf(robot, 'link').flatMap((link) =>
      childrenOf(link, 'visual').flatMap((visual) => childrenOf(visual, 'material')),
    ),
  ];
  for (const material of materials) {
    const color = childrenOf(material, 'color')[0];
    const name = material.getAttribute('name');
    if (color && name && !colors.has(name)) colors.set(name, color);
  }
  return colors;
}

function colorOf(where, visual, colors) {
  const material = onlyChild(where, visual, 'material');
  if (!material) return null;
  const color = childrenOf(material, 'color')[0] ?? colors.get(material.getAttribute('name'));
  return color ? numbersOf(where, color, 'rgba', [0, 0, 0, 1]) : null;
}

function visualOf(where, element, colors, transforms) {
  const geometry = onlyChild(where, element, 'geometry');
  const shape = geometry?.children[0];
  if (!shape) refuse(where, 'a <visual> needs a <geometry> with a shape');
  return {
    ...shapeOf(where, shape),
    placement: originOf(where, element, transforms),
    color: colorOf(where, element, colors),
  };
}

/** R I R^T: inertia xx yy zz xy xz yz turned from the axes of `frame`. */
function turnInertia(frame, [xx, yy, zz, xy, xz, yz]) {
  const turn = ([x, y, z]) =>
    [0, 1, 2].map((i) => frame[i] * x + frame[3 + i] * y + frame[6 + i] * z);
  const [x, y, z] = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ].map(turn);
  const [rx, ry, rz] = [0, 1, 2].map((i) => turn([x[i], y[i], z[i]]));
  return [rx[0], ry[1], rz[2], rx[1], rx[2], ry[2]];
}

function inertialOf(where, element, transforms) {
  const inertial = onlyChild(where, element, 'inertial');
  if (!inertial) return {};
  const frame = originOf(where, inertial, transforms);
  const mass = numberOf(where, onlyChild(where, inertial, 'mass'), 'value', 0);
  if (mass < 0) refuse(where, `mass ${mass} is below zero`, 'bad-value');
  const tensor = onlyChild(where, inertial, 'inertia');
  const given = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map((name) =>
    numberOf(where, tensor, name, 0),
  );
  return { mass, center: [...frame.slice(9)], inertia: turnInertia(frame, given) };
}

function linkOf(element, colors, transforms) {
  const name = textOf('link', element, 'name');
  const where = `link '${name}'`;
  return {
    ...defaultLink(name),
    ...inertialOf(where, element, transforms),
    visuals: childrenOf(element, 'visual').map((visual) =>
      visualOf(where, visual, colors, transforms),
    ),
  };
}

// ---- joints ----

const jointTypes = {
  revolute: { axis: true, limits: true },
  continuous: { axis: true, limits: false },
  prismatic: { axis: true, limits: true },
  fixed: { axis: false, limits: false },
  planar: { axis: true, limits: false },
  floating: { axis: false, limits: false },
};

function axesOf(where, element) {
  const axis = numbersOf(where, onlyChild(where, element, 'axis'), 'xyz', [1, 0, 0]);
  if (axis.every((x) => x === 0)) refuse(where, 'axis is zero; give it a direction', 'bad-value');
  // the first of a planar joint's two ways: x, or y where the normal is nearer to x
  const [x, y, z] = axis.map(Math.abs);
  return { axis, axis2: x > y && x > z ? [0, 1, 0] : [1, 0, 0] };
}

function limitsOf(where, element, kind) {
  const limit = onlyChild(where, element, 'limit');
  const wanted = jointTypes[kind].limits;
  if (!limit && wanted) refuse(where, `a ${kind} joint needs <limit lower="..." upper="..."/>`);
  if (!limit) return {};
  const lower = numberOf(where, limit, 'lower', 0);
  const upper = numberOf(where, limit, 'upper', 0);
  const rates = {
    velocity: numberOf(where, limit, 'velocity', Infinity),
    effort: numberOf(where, limit, 'effort', Infinity),
  };
  if (!wanted) return rates;
  if (lower > upper) refuse(where, `limit lower ${lower} is above upper ${upper}`, 'bad-value');
  return { ...rates, lower: [lower, -Infinity, -Infinity], upper: [upper, Infinity, Infinity] };
}

function mimicOf(where, element) {
  const mimic = onlyChild(where, element, 'mimic');
  return (
    mimic && {
      joint: textOf(where, mimic, 'joint'),
      multiplier: numberOf(where, mimic, 'multiplier', 1),
      offset: numberOf(where, mimic, 'offset', 0),
    }
  );
}

function endOf(where, element, which) {
  const end = onlyChild(where, element, which);
  if (!end) refuse(where, `it needs <${which} link="..."/>`);
  return textOf(where, end, 'link');
}

function jointOf(element, transforms) {
  const name = textOf('joint', element, 'name');
  const where = `joint '${name}'`;
  const kind = textOf(where, element, 'type');
  if (!(kind in jointTypes)) {
    const near = nearest(kind, Object.keys(jointTypes));
    refuse(where, `no joint type '${kind}'${near ? `; did you mean '${near}'?` : ''}`);
  }
  const joint = {
    ...defaultJoint(),
    name,
    kind,
    parent: endOf(where, element, 'parent'),
    child: endOf(where, element, 'child'),
    placement: originOf(where, element, transforms),
    ...(jointTypes[kind].axis ? axesOf(where, element) : {}),
    ...limitsOf(where, element, kind),
    mimic: mimicOf(where, element),
  };
  return { ...joint, value: restValue(joint) };
}

// ---- whole robots ----

/** What a browser says of broken XML, without the advice for its own page around it. */
function syntaxError(text) {
  const found = /line (\d+) at column (\d+): (.*?)\s*(Below is|$)/s.exec(text);
  return found ? `line ${found[1]}, column ${found[2]}: ${found[3]}` : text.split('\n')[0];
}

/**
 * The source of a model, for limber.modelFromSource().
 * @param {Document} document what an XML parser made of the file
 * @param {import('./transform.js').Transforms} transforms of the module that will build it
 */
export function readUrdf(document, transforms) {
  const robot = document.documentElement;
  const broken = document.getElementsByTagName('parsererror')[0];
  if (broken) refuse('this is not XML', syntaxError(broken.textContent.trim()), 'syntax-error');
  if (robot?.localName !== 'robot')
    refuse('this is not URDF', `the outermost element is <${robot?.localName}>, not <robot>`);
  const macro = [...robot.getElementsByTagName('*')].find((element) =>
    element.nodeName.startsWith('xacro:'),
  );
  if (macro)
    refuse(
      'robot',
      `<${macro.nodeName}> must be expanded first: xacro FILE > robot.urdf`,
      'unsupported',
    );
  const colors = colorsOf(robot);
  return {
    name: textOf('robot', robot, 'name'),
    summary: '',
    source: '',
    root: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    links: childrenOf(robot, 'link').map((link) => linkOf(link, colors, transforms)),
    joints: childrenOf(robot, 'joint').map((joint) => jointOf(joint, transforms)),
  };
}
