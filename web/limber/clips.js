// clips.js - what the module with clips has: files of motion, contacts, retargeting.

import { Bvh, bvhMade } from './bvh.js';
import { Clip } from './clip.js';
import { LimberError, lastError } from './error.js';
import { Gltf } from './gltf.js';
import {
  clipFile,
  contactsFile,
  mapFile,
  mapValue,
  readClip,
  withContacts,
  withContactsOf,
  withFoundMap,
  withMap,
} from './motion_json.js';
import { npzOf, readNpz } from './npz.js';
import { pick, readTexts, withDefaults } from './names.js';
import { written } from './output.js';

const retargetDefaults = {
  scale: 0,
  rootScale: 0,
  ground: 0,
  rate: 0,
  anySpeed: false,
  unlocked: false,
  blend: 0,
  groundNormal: [0, 0, 0],
  sourceGroundNormal: [0, 0, 0],
  hands: false,
  rest: null,
  map: null,
  contacts: null,
};

// as in bindings/flat/clips/gait.c
const walkDefaults = { stepLength: 0, cadence: 0, stepWidth: 0, cycles: 0, rate: 0 };

// as in bindings/flat/clips/retarget.c
const reportNames = [
  'scale',
  'rootScale',
  'frames',
  'solved',
  'iterations',
  'slowed',
  'fastest',
  'worstSlide',
  'worstPenetration',
  'held',
];
// and two normals after these
const reportNumbers = reportNames.length + 6;

export class Clips {
  #heap;
  #limber;

  constructor(heap, limber) {
    this.#heap = heap;
    this.#limber = limber;
    this.roles = readTexts(heap, 'role_text');
    this.tables = readTexts(heap, 'robot_csv_text');
  }

  // ---- files ----

  /** A capture from the text of a BVH file, or from its bytes. */
  bvh(file, options) {
    return new Bvh(this.#limber, this.#heap, file, options);
  }

  /** The bytes of a BVH file of any motion. */
  writeBvh(clip, options) {
    return bvhMade(this.#heap, clip, options);
  }

  /** A figure with its animations from the bytes of a .glb or .gltf, with the files beside it. */
  gltf(file, options) {
    return new Gltf(this.#limber, this.#heap, file, options);
  }

  /** Robot motion from the text of a table, over a model with a root that moves. */
  robotCsv(file, model, { name = '', kind = 'recognise', rate = 0 } = {}) {
    this.#expectOwn(model);
    const heap = this.#heap;
    const which = pick(heap, 'kind of table', kind, this.tables);
    const pointer = heap.withStrings([name], (path) =>
      heap.withBytes(file, (text, size) =>
        heap.call.robot_csv_load(path, text, size, model.pointer, which, rate),
      ),
    );
    return new Clip(model, pointer);
  }

  /** The bytes of such a table. */
  writeRobotCsv(clip, { kind = 'lafan1' } = {}) {
    const which = pick(this.#heap, 'kind of table', kind, this.tables);
    return written(this.#heap, this.#heap.call.robot_csv_write(clip.pointer, which));
  }

  /** Robot motion from the bytes of an .npz, over a model with a root that moves; a promise. */
  async robotNpz(file, model, options) {
    this.#expectOwn(model);
    return readNpz(this.#heap, file, model, options);
  }

  /** The bytes of an .npz of a robot's motion. */
  writeRobotNpz(clip) {
    return npzOf(this.#heap, clip);
  }

  /** Motion as JSON over any model: from its text, its bytes, or what JSON.parse made of it. */
  clipJson(file, model, { name = '' } = {}) {
    this.#expectOwn(model);
    return readClip(this.#heap, file, model, name);
  }

  /** The bytes of such a file. */
  writeClipJson(clip) {
    return clipFile(this.#heap, clip);
  }

  // ---- feet ----

  /** Heels and toes of a figure, and the spans of time in which they rest. */
  findContacts(clip, { rest = null, ground = 0 } = {}) {
    const { call } = this.#heap;
    const pointer = this.#withRest(rest, clip.model, (at) =>
      call.contacts_find(clip.pointer, at, ground),
    );
    if (pointer === 0) throw lastError(this.#heap);
    return this.#takeContacts(pointer);
  }

  /** Contacts of a file, or of its value; spans that touch become one. */
  readContacts(file, model, { name = '' } = {}) {
    this.#expectOwn(model);
    return withContactsOf(this.#heap, file, model, name, (at) => this.#pointsOf(at));
  }

  /** The bytes of a file of contacts. */
  writeContacts(points, model) {
    return contactsFile(this.#heap, points, model);
  }

  /** Which link of a figure has each role: { pelvis: 3, 'left foot': 12 ... }. */
  findRig(model) {
    this.#expectOwn(model);
    const { call, memory, scratch } = this.#heap;
    if (call.rig_find(model.pointer, scratch.pointer) !== 0) throw lastError(this.#heap);
    const links = new Int32Array(memory.buffer, scratch.pointer, this.roles.length);
    const found = this.roles.map((role, i) => [role, links[i]]);
    return Object.fromEntries(found.filter(([, link]) => link >= 0));
  }

  /** Walking from a few numbers: { clip, contacts }. */
  walk(model, options = {}) {
    this.#expectOwn(model);
    const heap = this.#heap;
    const numbers = Object.values(withDefaults(heap, options, walkDefaults));
    const pointer = heap.withNumbers(numbers, (n) =>
      heap.call.gait_walk(model.pointer, n, heap.scratch.pointer),
    );
    const clip = new Clip(model, pointer);
    const held = new Int32Array(heap.memory.buffer, heap.scratch.pointer, 1)[0];
    return { clip, contacts: this.#takeContacts(held) };
  }

  // plain values of contacts, which are released
  #takeContacts(pointer) {
    const points = this.#pointsOf(pointer);
    this.#heap.call.contacts_release(pointer);
    return points;
  }

  #pointsOf(pointer) {
    const { call, scratch } = this.#heap;
    const spansOf = (point) => {
      const at = call.contacts_spans(pointer, point) / 8;
      return Array.from({ length: call.contacts_span_count(pointer, point) }, (_, i) => ({
        begin: this.#heap.f64[at + 2 * i],
        end: this.#heap.f64[at + 2 * i + 1],
      }));
    };
    return Array.from({ length: call.contacts_count(pointer) }, (_, i) => {
      call.contacts_point(pointer, i, scratch.pointer);
      const [link, x, y, z, height] = scratch.numbers;
      return { link, at: [x, y, z], height, spans: spansOf(i) };
    });
  }

  // ---- retargeting ----

  /** What of one figure another one follows, by names or shape: the value of a map's file. */
  findMap(source, target, { rest = null } = {}) {
    this.#expectOwn(source);
    this.#expectOwn(target);
    return this.#withRest(rest, source, (at) =>
      withFoundMap(this.#heap, source, at, target, (map) =>
        mapValue(this.#heap, map, source, target),
      ),
    );
  }

  /** The map of a file, or of its value: limber's own or one of GMR's; its value in our form. */
  readMap(file, source, target, { name = '' } = {}) {
    this.#expectOwn(source);
    this.#expectOwn(target);
    return withMap(this.#heap, file, source, target, name, (map) =>
      mapValue(this.#heap, map, source, target),
    );
  }

  /** The bytes of a map's file. */
  writeMap(map, source, target) {
    return withMap(this.#heap, map, source, target, '', (at) =>
      mapFile(this.#heap, at, source, target),
    );
  }

  /** The motion of a clip on another figure: { clip, contacts, report }. */
  retarget(clip, target, options = {}) {
    this.#expectOwn(target);
    const heap = this.#heap;
    const { rest, map, contacts, ...o } = withDefaults(heap, options, retargetDefaults);
    const numbers = Object.values(o).flatMap((value) => Array.from([value].flat(), Number));
    const { scratch } = heap;
    const pointer = heap.withNumbers(numbers, (given) =>
      this.#withRest(rest, clip.model, (at) =>
        withMap(heap, map, clip.model, target, 'the map', (m) =>
          withContacts(heap, contacts, clip.model, (held) =>
            heap.call.retarget(
              ...[clip.pointer, target.pointer, given, at, m, held],
              ...[scratch.at(reportNumbers), scratch.pointer],
            ),
          ),
        ),
      ),
    );
    const made = new Clip(target, pointer);
    const report = Object.fromEntries(reportNames.map((key, i) => [key, scratch.numbers[i]]));
    const normals = Array.from(scratch.numbers.slice(reportNames.length, reportNumbers));
    report.sourceGroundNormal = normals.slice(0, 3);
    report.groundNormal = normals.slice(3);
    const held = new Int32Array(heap.memory.buffer, scratch.at(reportNumbers), 1)[0];
    return { clip: made, contacts: held === 0 ? [] : this.#takeContacts(held), report };
  }

  // a pose in the module's memory, null: none
  #withRest(rest, model, use) {
    return rest ? this.#heap.withNumbers(model.expect(rest), use) : use(0);
  }

  #expectOwn(model) {
    if (model.heap !== this.#heap)
      throw new LimberError(`model '${model.name}' is of another instance of the module`);
  }
}
