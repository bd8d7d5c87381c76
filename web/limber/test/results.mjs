// results.mjs - the same hashes as results.c, through the package.

const bytes = new Uint8Array(8);
const view = new DataView(bytes.buffer);

/** FNV-1a over the bits of numbers, 64 bits in four parts of 16, which doubles hold exactly. */
export class Hash {
  parts = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

  add(numbers) {
    for (const number of numbers) {
      view.setFloat64(0, number, true);
      for (const byte of bytes) this.#addByte(byte);
    }
    return this;
  }

  // times 0x100000001b3: each part times 0x1b3, and the two low ones times 0x100 shifted by 32 bits
  #addByte(byte) {
    const [a, b, c, d] = this.parts;
    const low = a ^ byte;
    let carry = low * 0x1b3;
    const p0 = carry & 0xffff;
    carry = Math.floor(carry / 65536) + b * 0x1b3;
    const p1 = carry & 0xffff;
    carry = Math.floor(carry / 65536) + c * 0x1b3 + low * 0x100;
    const p2 = carry & 0xffff;
    carry = Math.floor(carry / 65536) + d * 0x1b3 + b * 0x100;
    this.parts = [p0, p1, p2, carry & 0xffff];
  }

  toString() {
    return this.parts
      .map((part) => part.toString(16).padStart(4, '0'))
      .reverse()
      .join('');
  }
}

/** The hash of `count` problems: random goals within reach, from random starts. */
export function hashResults(limber, model, tip, kind, method, count) {
  let solver;
  try {
    solver = model.solver({ tip, kind }, { method });
  } catch {
    return 'refused';
  }
  const state = model.state();
  const random = limber.random(2024);
  const hash = new Hash();
  for (let i = 0; i < count; i++) {
    const target = state.update(model.random(random)).transform(tip);
    const result = solver.solve(target, model.random(random));
    hash
      .add(target)
      .add([solver.outcomes.indexOf(result.outcome), result.iterations])
      .add(result.q);
  }
  solver.release();
  state.release();
  return hash.toString();
}

/** The same of all solutions of the same problems. */
export function hashSolutions(limber, model, tip, kind, count) {
  let all;
  try {
    all = model.solutions({ tip, kind });
  } catch {
    return 'refused';
  }
  const state = model.state();
  const random = limber.random(2024);
  const hash = new Hash();
  for (let i = 0; i < count; i++) {
    const target = state.update(model.random(random)).transform(tip);
    const found = all.find(target, model.random(random));
    hash.add([all.outcomes.indexOf(found.outcome), found.count]);
    for (const { branch, distance, q } of found.solutions) hash.add([branch, distance]).add(q);
  }
  all.release();
  state.release();
  return hash.toString();
}

/** A clip of random keys, a quarter of a second apart. */
function randomClip(model, interpolation, random) {
  const keys = Array.from({ length: 8 }, (_, i) => ({ time: 0.25 * i, q: model.random(random) }));
  return model.clip(keys, { interpolation });
}

/** Of clips that are made of others: their keys, and their rates at and between them. */
export function hashMotion(limber, fixed) {
  const model = fixed.withRoot('floating');
  const random = limber.random(2024);
  const a = randomClip(model, 'linear', random);
  const b = randomClip(model, 'cubic', random);
  const retimed = b.retime({ begin: 0.5, speed: 0.5 });
  const blended = a.blend(retimed, 0.75, 1.6);
  const hash = new Hash();
  for (const clip of [blended.loop(2, 0.3), blended, retimed, b, a]) {
    hash.add(clip.times).add(clip.keys);
    clip.times.forEach((time, i) => {
      const { velocity, acceleration } = clip.rates(time + 0.1 * (i % 2));
      hash.add(velocity).add(acceleration);
    });
  }
  return hash.toString();
}
