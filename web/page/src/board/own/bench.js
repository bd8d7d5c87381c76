// bench.js - what is around a typed method in its worker: the arm, and steps until it arrives or fails.
//
// The page puts the typed code before this text, as the function makeStep().

/** What a method can ask of the arm: planar, its base at the origin. */
function armOf(lengths) {
  const points = (q) => {
    let [x, y, angle] = [0, 0, 0];
    const ends = lengths.map((length, i) => {
      angle += q[i];
      return [(x += length * Math.cos(angle)), (y += length * Math.sin(angle))];
    });
    return [[0, 0], ...ends];
  };
  const tip = (q) => points(q).at(-1);
  const jacobian = (q) => {
    const [x, y] = tip(q);
    return lengths.map((_, i) => points(q)[i]).map(([jx, jy]) => [jy - y, x - jx]);
  };
  return { lengths: [...lengths], points, tip, jacobian };
}

/** What a step returned, as angles within the limits; anything else is refused in words. */
function anglesOf(returned, limits) {
  const isList = Array.isArray(returned) || ArrayBuffer.isView(returned);
  if (!isList || returned.length !== limits.length) {
    const given = isList ? `${returned.length} numbers` : String(returned);
    throw new Error(`step returned ${given}; it must return an array of ${limits.length} angles`);
  }
  return Array.from(returned, (angle, i) => {
    if (!Number.isFinite(angle)) throw new Error(`step returned ${angle} for joint ${i + 1}`);
    const [lower, upper] = limits[i];
    return Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, angle));
  });
}

/** An error in words, with the line of the typed code, which begins in the second line. */
function wordsOf(error) {
  const line = /own\.js:(\d+)/.exec(error?.stack ?? '')?.[1] - 1;
  return `${String(error).replace(/^Error: /, '')}${line <= codeLines ? ` (line ${line})` : ''}`;
}

let chased = { chase: 0, step: null };

onmessage = ({ data: { lengths, limits, start, goals, most, every, tolerance, chase } }) => {
  const frames = [];
  let [q, still, failure] = [start, false, ''];
  try {
    // a run begins anew; while arms follow a target the code keeps its variables
    if (chase > 0 && chase !== chased.chase) chased = { chase, step: makeStep() };
    const step = chase > 0 ? chased.step : makeStep();
    const arm = armOf(lengths);
    for (const goal of goals) {
      const away = () => Math.hypot(...arm.tip(q).map((x, i) => goal[i] - x));
      still = false;
      for (let k = 0; k < most && !still && away() > tolerance; k++) {
        const next = anglesOf(step(armOf(lengths), [...q], [...goal]), limits);
        still = next.every((angle, i) => angle === q[i]);
        q = next;
        // a step without effect is no picture of its own
        if (every && !still) frames.push(q);
      }
      if (!every) frames.push(q);
    }
  } catch (error) {
    failure = wordsOf(error);
  }
  postMessage({ frames, still, failure });
};

postMessage('ready');
