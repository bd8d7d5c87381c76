// reader.js - reading JSON objects by tables of their keys, with errors that lead to the place.

import { LimberError } from './error.js';
import { nearest } from './suggest.js';

function typeName(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return (
    { object: 'an object', string: 'a text', number: 'a number' }[typeof value] ?? String(value)
  );
}

/** One reading; `path` leads to the value that is being read. */
export class Reader {
  constructor(transforms) {
    this.transforms = transforms;
    this.path = [];
    this.degrees = false;
  }

  refuse(message, code = 'bad-value') {
    const path = this.path
      .map((step, i) => (typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + step))
      .join('');
    throw new LimberError(path ? `${path}: ${message}` : message, code);
  }

  refuseType(value, wanted) {
    this.refuse(`${wanted} is wanted here, not ${typeName(value)}`);
  }

  /** What `read` makes of `value`, which stands at `step` of the present path. */
  step(step, read, value) {
    this.path.push(step);
    const result = read(this, value);
    this.path.pop();
    return result;
  }

  /** fields: {key: read or [read, 'required']}; answers the keys that are there, in table order. */
  object(value, fields) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.refuseType(value, 'an object {...}');
    const known = Object.keys(fields);
    for (const key of Object.keys(value))
      if (!known.includes(key))
        this.step(key, () => {
          const near = nearest(key, known);
          this.refuse(
            `there is no such key here${near ? `; did you mean '${near}'?` : ''}`,
            'bad-model',
          );
        });
    const out = {};
    for (const [key, field] of Object.entries(fields)) {
      const [read, required] = Array.isArray(field) ? field : [field, false];
      if (key in value) out[key] = this.step(key, read, value[key]);
      else if (required) this.refuse(`the key "${key}" is missing`, 'bad-model');
    }
    return out;
  }

  array(value, read, count = -1) {
    if (!Array.isArray(value)) this.refuseType(value, 'an array');
    if (count >= 0 && value.length !== count)
      this.refuse(`${count} values are wanted here, not ${value.length}`);
    return value.map((element, i) => this.step(i, read, element));
  }
}

// ---- values ----

export function number(reader, value) {
  if (typeof value !== 'number') reader.refuseType(value, 'a number');
  return value;
}

export function angle(reader, value) {
  const given = number(reader, value);
  // dividing first makes 45, 90 and 180 degrees exact fractions of pi
  return reader.degrees ? (given / 180) * Math.PI : given;
}

export function text(reader, value) {
  if (typeof value !== 'string') reader.refuseType(value, 'a text');
  if (value === '') reader.refuse('the text is empty');
  return value;
}

export function boolean(reader, value) {
  if (typeof value !== 'boolean') reader.refuseType(value, 'true or false');
  return value;
}

export function vector(reader, value) {
  return reader.array(value, number, 3);
}

export function positive(reader, value) {
  if (!(number(reader, value) > 0)) reader.refuse('a size must be above zero');
  return value;
}

/** One of some words. */
export function choice(what, words) {
  return (reader, value) => {
    if (words.includes(text(reader, value))) return value;
    const near = nearest(value, words);
    return reader.refuse(
      `there is no ${what} '${value}'${near ? `; did you mean '${near}'?` : `: one of ${words.join(', ')}`}`,
      'bad-model',
    );
  };
}

// ---- placements ----

function matrix(reader, value) {
  const rows = reader.array(value, vector, 3);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [a, b, c] = rows;
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  // six digits are enough to write down a rotation
  const off = [dot(a, a) - 1, dot(b, b) - 1, dot(c, c) - 1, dot(a, b), dot(cross, c) - 1];
  if (!off.every((x) => Math.abs(x) <= 2e-5))
    reader.refuse('the rows must be of length 1, at right angles and right-handed');
  return rows;
}

function quaternion(reader, value) {
  const q = reader.array(value, number, 4);
  const length = Math.hypot(...q);
  // two digits may be all that is written, but one far from unit length is a slip
  if (!(Math.abs(length - 1) <= 0.01))
    reader.refuse(`a quaternion must have length 1, not ${length}`);
  return q;
}

const rpy = (reader, value) => reader.array(value, angle, 3);

/** {"xyz", and one of "rpy", "quaternion", "matrix"} as a transform. */
export function placement(reader, value) {
  const given = reader.object(value, { xyz: vector, rpy, quaternion, matrix });
  const rotations = ['rpy', 'quaternion', 'matrix'].filter((key) => key in given).length;
  if (rotations > 1)
    reader.refuse(`give one of "rpy", "quaternion" and "matrix", not ${rotations}`, 'bad-model');
  // like the C reader: nothing is rounded where there is no rotation
  if (rotations === 0) return [1, 0, 0, 0, 1, 0, 0, 0, 1, ...(given.xyz ?? [0, 0, 0])];
  return reader.transforms.from(given);
}
