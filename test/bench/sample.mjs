// Runs one bundle in a process of its own and prints what it took. Plain JavaScript, and no module but the
// measured one: whatever else were loaded here would no longer be measured there. Arguments: bundle, number
// of warm invocations.
const [, , bundle, warmCount] = process.argv;
const input = JSON.parse(process.env.BENCH_EVENT);
const context = {
  functionName: "bench",
  functionVersion: "$LATEST",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:bench",
  memoryLimitInMB: "512",
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  getRemainingTimeInMillis: () => 30_000,
};
/**
 * CPU time of this thread so far. Linux adds up a thread's time at the scheduler's ticks, and brings it up to
 * date when the whole process's is asked for: without that, an import of 2 ms was seen to take anything from
 * 0 to 6.
 */
const cpuMs = () => {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const fail = (answer) => {
  process.stderr.write(`${bundle} answered ${JSON.stringify(answer)}\n`);
  process.exit(1);
};
/** The usual step of the CPU clock: some kernels mostly count whole ticks of 1 to 10 ms. */
const clockStepMs = () => {
  const steps = [];
  for (let last = cpuMs(); steps.length < 21; ) {
    const next = cpuMs();
    if (next > last) steps.push(next - last);
    last = next;
  }
  return steps.sort((a, b) => a - b)[10];
};
const isGood = (answer) => answer.statusCode === 200 || answer.batchItemFailures?.length === 0;

const before = performance.now(); // first: Node builds `performance` when it is named, for 1.5 ms of CPU
const cpuBefore = cpuMs();
const { handler } = await import(bundle);
const imported = performance.now();
const cpuImported = cpuMs();
const answer = await handler({ ...input }, context);
const answered = performance.now();
const result = {
  importMs: imported - before,
  importCpuMs: cpuImported - cpuBefore,
  firstMs: answered - before,
  firstCpuMs: cpuMs() - cpuBefore,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
if (!isGood(answer)) fail(answer);
result.clockStepMs = clockStepMs();

const count = Number(warmCount);
if (count > 0) {
  for (let i = 0; i < count / 2; i++) await handler({ ...input }, context);
  const latencies = new Float64Array(count);
  const cpuWarm = cpuMs();
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    const warm = await handler({ ...input }, context);
    latencies[i] = performance.now() - started;
    if (!isGood(warm)) fail(warm);
  }
  result.warmCpuUs = ((cpuMs() - cpuWarm) * 1000) / count;
  latencies.sort();
  result.warmP50Us = latencies[Math.floor(count * 0.5)] * 1000;
  result.warmP99Us = latencies[Math.floor(count * 0.99)] * 1000;
  result.warmMegabytes = process.resourceUsage().maxRSS / 1024;
}
process.stdout.write(`\n${JSON.stringify(result)}`, () => process.exit(0));
