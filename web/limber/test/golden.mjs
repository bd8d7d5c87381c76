// golden.mjs - bench/golden.c through the package: a thousand problems under two protocols,
// and all bits of what comes out in one hash. It runs in node and in browsers.

import { Hash } from './results.mjs';

const problems = 1000;
const batchSize = 101;

const numbersOf = ({ outcomes }, result) => [
  outcomes.indexOf(result.outcome),
  result.tries,
  result.iterations,
  result.positionError,
  result.rotationError,
  result.beyondReach,
];

/** The same configurations in double and in single precision, and what follows from them. */
function addFkBatch(hash, limber, model, tip, width) {
  const random = limber.random(2025);
  const rows = Array.from({ length: batchSize }, () => [...model.random(random)]).flat();
  const batch = model.fkBatch({ tip, point: [0.1, -0.2, 0.3], width });
  const { transforms, jacobians } = batch.forward(rows);
  hash.add(transforms).add(jacobians).add(batch.matrices(rows));
  batch.release();
}

/** The hash of one row of the table, { base, tip, kind }, at a width (0: the module's own). */
export function goldenHash(limber, model, { base, tip, kind }, width = 0) {
  const state = model.state();
  const hash = new Hash();
  for (const protocol of ['nearest', 'any']) {
    const random = limber.random(2024);
    const solver = model.solver({ tip, base, kind }, { protocol, width });
    for (let i = 0; i < problems; i++) {
      const goal = model.random(random);
      const start = model.random(random);
      const target = state.update(goal).transform(tip, base);
      // most problems can be reached; every hundredth is somewhere beyond
      if (i % 100 === 99) for (let k = 9; k < 12; k++) target[k] *= 3;
      const result = solver.solve(target, start);
      state.update(result.q);
      hash.add(result.q).add(numbersOf(solver, result));
      hash.add(state.transforms).add(state.jacobian(tip, [0.1, -0.2, 0.3]));
    }
    solver.release();
  }
  state.release();
  addFkBatch(hash, limber, model, tip, width);
  return hash.toString();
}
