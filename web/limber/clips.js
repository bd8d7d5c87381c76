// clips.js - what the module with clips has: files of motion, contacts, retargeting.

import { Bvh, bvhMade } from './bvh.js';
import { checkClip, checkOptions, compareClips } from './check.js';
import { Clip } from './clip.js';
import { Collision } from './collision.js';
import { derive } from './derivation.js';
import { reportWarnings } from './document.js';
import { Elbow } from './elbow.js';
import { LimberError, lastError } from './error.js';
import { Gltf, gltfOf } from './gltf.js';
import { Block } from './heap.js';
import {
  contactPoint,
  contactSpan,
  gait,
  retargetOptions,
  retargetReport,
  rig,
  robotCsvTexts,
  roleTexts,
} from './layouts.js';
import { Model } from './model.js';
import {
  clipFile,
  contactsFile,
  documentOfEither,
  mapFile,
  mapValue,
  readClip,
  withContacts,
  withContactsOf,
  withFoundMap,
  withMap,
} from './motion_json.js';
import { npzOf, readNpz } from './npz.js';
import { pick, vectorOf } from './names.js';
import { written } from './output.js';
import {
  dataIn,
  optionsOf,
  readField,
  readRecord,
  readRecords,
  withRecord,
  writeRecord,
} from './record.js';
import { readSrdf } from './srdf.js';
import { Workspace } from './workspace.js';

/** Options of retargeting that are not data. */
const retargetOwn = {
  retime: false,
  rest: null,
  start: null,
  map: null,
  contacts: null,
  collision: null,
  accelerations: null,
  warn: undefined,
};

// tolerance of even keys where the program looks for a rate
const even = 1e-3;

export class Clips {
  #heap;
  #limber;

  constructor(heap, limber) {
    this.#heap = heap;
    this.#limber = limber;
    this.roles = roleTexts;
    this.tables = robotCsvTexts;
  }

  /** The first step of a method from q, as the lines of its derivation. */
  derive(model, task, options, target, q) {
    this.#expectOwn(model);
    return derive(this.#heap, model, task, options, target, q);
  }

  // ---- arms ----

  /** The free motion of an arm of seven joints while its tool stays. */
  elbow(model, task) {
    this.#expectOwn(model);
    return new Elbow(model, task);
  }

  /** Where a tool can be. */
  workspace(model, tip, options) {
    this.#expectOwn(model);
    return new Workspace(model, tip, options);
  }

  // ---- files ----

  /** A capture from the text of a BVH file, or from its bytes. */
  bvh(file, options) {
    return new Bvh(this.#limber, this.#heap, file, options);
  }

  /** The bytes of a BVH file of any motion. */
  writeBvh(clip, options) {
    this.#expectOwn(clip.model);
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
    this.#expectOwn(clip.model);
    const which = pick(this.#heap, 'kind of table', kind, this.tables);
    return written(this.#heap, this.#heap.call.robot_csv_write(clip.pointer, which));
  }

  /** Robot motion from the bytes of an .npz, over a model with a root that moves; a promise. */
  async robotNpz(file, model, options) {
    this.#expectOwn(model);
    return readNpz(this.#heap, file, model, options);
  }

  /** The bytes of an .npz of a robot's motion. */
  writeRobotNpz(clip, { order } = {}) {
    this.#expectOwn(clip.model);
    return npzOf(this.#heap, clip, order);
  }

  /** Motion as JSON over any model: from its text, its bytes, or what JSON.parse made of it. */
  clipJson(file, model, { name = '' } = {}) {
    this.#expectOwn(model);
    return readClip(this.#heap, file, model, name);
  }

  /** The bytes of such a file. */
  writeClipJson(clip) {
    this.#expectOwn(clip.model);
    return clipFile(this.#heap, clip);
  }

  // ---- feet ----

  /** Heels and toes of a figure, and the spans of time in which they rest. */
  findContacts(clip, { rest = null, ground = 0, groundNormal = [0, 0, 0], warn } = {}) {
    this.#expectOwn(clip.model);
    const { pointer } = this.#detect(clip, { rest, ground, groundNormal, warn });
    if (pointer === 0) throw lastError(this.#heap);
    return this.#takeContacts(pointer);
  }

  // a pointer to what rests when, 0 where there are no feet; whether soles are assumed
  #detect(clip, { rest, ground, groundNormal, warn }) {
    const { call, scratch, memory } = this.#heap;
    const pointer = this.#withRest(rest, clip.model, (at) =>
      this.#heap.withNumbers([ground, ...vectorOf('groundNormal', groundNormal)], (g) =>
        call.contacts_find(clip.pointer, gltfOf(clip.model), at, g, scratch.pointer),
      ),
    );
    const [assumed] = new Int32Array(memory.buffer, scratch.pointer, 1);
    reportWarnings(this.#heap, warn);
    return { pointer, assumed: pointer !== 0 && assumed !== 0 };
  }

  // ---- what is wrong with a motion ----

  /** How near the links of a figure come to each other, for check() and retarget(). */
  collision(model, options) {
    this.#expectOwn(model);
    return new Collision(model, options);
  }

  /** Feet that slide, jumps, limits, links that overlap: what limber check prints. */
  check(clip, options = {}) {
    const heap = this.#heap;
    this.#expectOwn(clip.model);
    const o = checkOptions(heap, clip, options);
    const measure = (contacts, points, assumed, origin) => {
      const report = checkClip(heap, clip, { contacts, points, assumed, o });
      const spans = points?.reduce((sum, point) => sum + point.spans.length, 0);
      report.contacts = points && { points: points.length, spans, origin, solesAssumed: assumed };
      return report;
    };
    if (o.contacts)
      return withContacts(heap, o.contacts, clip.model, (at) =>
        measure(at, o.contacts, false, 'given'),
      );
    const { pointer, assumed } = this.#detect(clip, o);
    if (pointer === 0) {
      const error = lastError(heap);
      if (error.code !== 'bad-model') throw error;
      return measure(0, null, false, '');
    }
    try {
      return measure(pointer, this.#pointsOf(pointer), assumed, 'detected');
    } finally {
      heap.call.lb_contacts_release(pointer);
    }
  }

  /** How like its source a motion is: places of both figures' joints, at equal times. */
  fidelity(clip, source, options) {
    this.#expectOwn(clip.model);
    this.#expectOwn(source.model);
    return compareClips(this.#heap, clip, source, options);
  }

  /**
   * The same model with the limits of a file, MoveIt's joint_limits as YAML or JSON, and
   * accelerations of its joints for check().
   */
  withLimits(file, model, { name = '', strict = false, warn } = {}) {
    this.#expectOwn(model);
    const heap = this.#heap;
    const accelerations = new Block(heap, model.joints.length + 1);
    try {
      const pointer = documentOfEither(file, name).withRows(heap, (strings, rows, count) =>
        heap.call.model_limited(
          ...[strings, rows, count, model.pointer, strict ? 1 : 0, accelerations.pointer],
        ),
      );
      reportWarnings(heap, warn);
      if (pointer === 0) throw lastError(heap);
      return {
        model: new Model(heap, pointer, this.#limber, null, model),
        accelerations: accelerations.numbers.slice(0, model.joints.length),
      };
    } finally {
      accelerations.release();
    }
  }

  /** Of the text of an SRDF: its named states, and the pairs of links that may touch. */
  srdf(text, model, options) {
    this.#expectOwn(model);
    return readSrdf(this.#heap, text, model, options);
  }

  /** Contacts of a file, or of its value; spans that touch become one. */
  readContacts(file, model, { name = '' } = {}) {
    this.#expectOwn(model);
    return withContactsOf(this.#heap, file, model, name, (at) => this.#pointsOf(at));
  }

  /** The bytes of a file of contacts. */
  writeContacts(points, model) {
    this.#expectOwn(model);
    return contactsFile(this.#heap, points, model);
  }

  /** Which link of a figure has each role: { pelvis: 3, 'left foot': 12 ... }. */
  findRig(model) {
    this.#expectOwn(model);
    const heap = this.#heap;
    const links = withRecord(heap, rig, (at) => {
      if (heap.call.lb_rig_find(model.pointer, 0, at, heap.error) !== 0) throw lastError(heap);
      return readField(heap, rig, at, 'links');
    });
    const found = this.roles.map((role, i) => [role, links[i]]);
    return Object.fromEntries(found.filter(([, link]) => link >= 0));
  }

  /** Walking from numbers: { clip, contacts }; 0 is the library's choice, as what is left out is. */
  walk(model, options = {}) {
    this.#expectOwn(model);
    const heap = this.#heap;
    const { call } = heap;
    const o = optionsOf(heap, gait, call.lb_gait_default, {}, options);
    for (const name of Object.keys(o)) if (options[name] === 0) o[name] = undefined;
    const held = heap.take(4);
    try {
      const pointer = withRecord(heap, gait, (at) => {
        call.lb_gait_default(at);
        writeRecord(heap, gait, at, o);
        return heap.made((place, error) =>
          call.lb_gait_walk(model.pointer, at, 0, place, held, error),
        );
      });
      return { clip: new Clip(model, pointer), contacts: this.#takeContacts(heap.pointerAt(held)) };
    } finally {
      call.memory_give(held);
    }
  }

  // plain values of contacts, which are released
  #takeContacts(pointer) {
    const points = this.#pointsOf(pointer);
    this.#heap.call.lb_contacts_release(pointer);
    return points;
  }

  #pointsOf(pointer) {
    const heap = this.#heap;
    const spansOf = (point) =>
      heap.withBytes(new Uint8Array(4), (place) => {
        const at = heap.call.lb_contacts_spans(pointer, point, place);
        return readRecords(heap, contactSpan, at, heap.pointerAt(place));
      });
    const points = heap.call.lb_contacts_points(pointer);
    const count = heap.call.lb_contacts_count(pointer);
    return readRecords(heap, contactPoint, points, count).map(({ anyHeight, ...point }, i) => ({
      ...point,
      ...(anyHeight ? { anyHeight } : {}),
      spans: spansOf(i),
    }));
  }

  // ---- retargeting ----

  /** What of one figure another one follows, by names or shape: the value of a map's file. */
  findMap(source, target, { rest = null, warn } = {}) {
    const model = source.model ?? source;
    this.#expectOwn(model);
    this.#expectOwn(target);
    const pose = rest ?? (model === source ? null : this.#standing(source, target, null));
    return this.#withRest(pose, model, (at) =>
      withFoundMap(this.#heap, model, at, target, warn, (map) =>
        mapValue(this.#heap, map, model, target),
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
    this.#expectOwn(source);
    this.#expectOwn(target);
    return withMap(this.#heap, map, source, target, '', (at) =>
      mapFile(this.#heap, at, source, target),
    );
  }

  /** The motion of a clip on another figure: { clip, contacts, report }. */
  retarget(clip, target, options = {}) {
    this.#expectOwn(clip.model);
    this.#expectOwn(target);
    const heap = this.#heap;
    const defaults = heap.call.lb_retarget_options_default;
    const { retime, ...o } = optionsOf(heap, retargetOptions, defaults, retargetOwn, options);
    // one scale alone is both
    o.scale ||= o.rootScale;
    o.rest ??= this.#standing(clip, target, o.map);
    if (retime) return this.#retargetSlowed(clip, target, o);
    if (o.collision && o.collision.model !== target)
      throw new LimberError(`the collision is of another model than '${target.name}'`);
    if (o.accelerations && o.accelerations.length !== target.joints.length)
      throw new LimberError(
        `accelerations: model '${target.name}' has ${target.joints.length} joints, not ${o.accelerations.length}`,
      );
    return this.#withRetargeting(clip, target, o, (given, held) =>
      withRecord(heap, retargetReport, (out) => {
        const pointer = heap.made((place, error) =>
          heap.call.lb_retarget(
            ...[clip.pointer, target.pointer, given, 0, place, held, out, error],
          ),
        );
        const report = readRecord(heap, retargetReport, out);
        const contacts = heap.pointerAt(held);
        return {
          clip: new Clip(target, pointer),
          contacts: contacts === 0 ? [] : this.#takeContacts(contacts),
          report,
        };
      }),
    );
  }

  /** The pose in which a captured figure stands, by its motion. Throws where there is no figure. */
  findRest(clip) {
    this.#expectOwn(clip.model);
    return this.#findRest(clip, 0);
  }

  // by the roles of a map as well, which is at a pointer
  #findRest(clip, map) {
    const heap = this.#heap;
    return heap.withBytes(new Uint8Array(8 * clip.model.nq), (at) => {
      if (heap.call.lb_retarget_rest_find(clip.pointer, map, 0, at, heap.error) !== 0)
        throw lastError(heap);
      return heap.f64.slice(at / 8, at / 8 + clip.model.nq);
    });
  }

  // how the source of a retargeting stands, null: it has no figure, and what has none stays as it is
  #standing(clip, target, map) {
    try {
      if (map === null) return this.#findRest(clip, 0);
      return withMap(this.#heap, map, clip.model, target, 'the map', (at) =>
        this.#findRest(clip, at),
      );
    } catch (error) {
      if (error.code !== 'bad-model') throw error;
      return null;
    }
  }

  // calls `use` with pointers to the options and to where contacts of the result are put
  #withRetargeting(clip, target, o, use) {
    const heap = this.#heap;
    const write = (at, pointers) => {
      heap.call.lb_retarget_options_default(at);
      const numbers = { ...dataIn(retargetOptions, o), blend: o.blend || undefined };
      writeRecord(heap, retargetOptions, at, { ...numbers, ...pointers });
      return heap.withBytes(new Uint8Array(4), (held) => use(at, held));
    };
    const collision = o.collision ? o.collision.pointer : 0;
    return this.#withRest(o.rest, clip.model, (rest) =>
      this.#withRest(o.start, target, (start) =>
        this.#withMapOf(o.map, clip.model, rest, target, o.warn, (map) =>
          withContacts(heap, o.contacts, clip.model, (contacts) =>
            heap.withNumbers(o.accelerations ?? [], (numbers) =>
              withRecord(heap, retargetOptions, (at) => {
                const accelerations = o.accelerations ? numbers : 0;
                return write(at, { rest, start, map, contacts, collision, accelerations });
              }),
            ),
          ),
        ),
      ),
    );
  }

  // a pointer to the map that is given, or that is found
  #withMapOf(map, source, rest, target, warn, use) {
    if (map === null) return withFoundMap(this.#heap, source, rest, target, warn, use);
    return withMap(this.#heap, map, source, target, 'the map', use);
  }

  // of a clip that is slowed down where the target's legs would be too fast
  #retargetSlowed(clip, target, o) {
    const given = { anySpeed: o.anySpeed, unlocked: o.unlocked };
    const refused = Object.keys(given).find((key) => given[key]);
    if (refused) throw new LimberError(`retime cannot be given with ${refused}`);
    const heap = this.#heap;
    const { pointer, held } = this.#withRetargeting(clip, target, o, (given, place) => ({
      pointer: heap.made((made, error) =>
        heap.call.lb_retarget_slow(...[clip.pointer, target.pointer, given, 0, made, place, error]),
      ),
      held: heap.pointerAt(place),
    }));
    const slowed = new Clip(clip.model, pointer);
    try {
      const contacts = held === 0 ? null : this.#takeContacts(held);
      const rate = o.rate || clip.rate(even);
      const made = this.retarget(slowed, target, { ...o, rate, contacts, warn: undefined });
      made.keyTimes = slowed.times;
      made.report.secondsBeforeRetiming = clip.end - clip.begin;
      return made;
    } finally {
      slowed.release();
    }
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
