// Runs one bundle in a process of its own and prints what it took. Plain JavaScript, and no module but the measured
// one: whatever else were loaded here would no longer be measured there. Arguments: bundle.
const [, , bundle] = process.argv;
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
 * CPU time of this thread so far. Linux adds up a thread's time at the scheduler's ticks, and brings it up to date when
 * the whole process's is asked for: without that, an import of 2 ms was seen to take anything from 0 to 6.
 */
const cpuMs = () => {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
/** The usual step of the CPU clock: some kernels count whole ticks of 1 to 10 ms, with a smaller step now and then. */
const clockStepMs = () => {
  const steps = [];
  for (let last = cpuMs(); steps.length < 21; ) {
    const next = cpuMs();
    if (next > last) steps.push(next - last);
    last = next;
  }
  return steps.sort((a, b) => a - b)[10];
};

const cpuBefore = cpuMs();
const { handler } = await import(bundle);
const cpuImported = cpuMs();
const answer = await handler({ ...input }, context);
const result = {
  importCpuMs: cpuImported - cpuBefore,
  firstCpuMs: cpuMs() - cpuBefore,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
if (answer.statusCode !== 200 && answer.batchItemFailures?.length !== 0) {
  process.stderr.write(`${bundle} answered ${JSON.stringify(answer)}\n`);
  process.exit(1);
}
result.clockStepMs = clockStepMs();
process.stdout.write(`\n${JSON.stringify(result)}`, () => process.exit(0));
