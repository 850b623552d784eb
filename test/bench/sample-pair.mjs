// Runs two bundles warm in one process, in turns of a few hundred invocations, and prints how much CPU the
// first takes for each of the second's. What disturbs one turn disturbs its neighbour too. Arguments: first,
// second, turns.
const [, , first, second, turnCount] = process.argv;
const input = JSON.parse(process.env.BENCH_EVENT);
const perTurn = 200;
const warmUp = 3000;

const handlers = [];
for (const bundle of [first, second]) handlers.push((await import(bundle)).handler);

async function cpuUsPerInvocation(handler, count) {
  const before = threadCpuUs();
  for (let i = 0; i < count; i++) {
    const { statusCode } = await handler(input, {});
    if (statusCode !== 200) throw new Error(`A handler answered ${statusCode}.`);
  }
  return (threadCpuUs() - before) / count;
}

/** CPU time of this thread so far. Linux updates it when the process's is read. */
function threadCpuUs() {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

for (const handler of handlers) await cpuUsPerInvocation(handler, warmUp);
const turns = [];
for (let turn = 0; turn < Number(turnCount); turn++) {
  const [one, other] = handlers;
  turns.push([await cpuUsPerInvocation(one, perTurn), await cpuUsPerInvocation(other, perTurn)]);
}
const medianOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ratio = medianOf(turns.map(([one, other]) => one / other));
process.stdout.write(`\n${JSON.stringify({ ratio })}`, () => process.exit(0));
