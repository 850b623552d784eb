import { Worker } from "node:worker_threads";

/** The work of matching one pattern with one text. */
export interface Search {
  readonly pattern: string;
  readonly text: string;
}

export interface CountedSearch extends Search {
  /** The number of the pattern's instructions. */
  readonly size: number;
  /** How often blocks of the engine's source ran, as V8 counts for coverage: the same on a busy machine. */
  readonly steps: number;
}

/**
 * Matches each pattern with an engine of its own, because V8 counts only in code that is compiled afterwards.
 */
export async function countSteps(searches: readonly Search[]): Promise<readonly CountedSearch[]> {
  const worker = new Worker(counter, {
    eval: true,
    workerData: { searches, engine: import.meta.resolve("re2js") },
  });
  const counted = await new Promise<readonly { size: number; steps: number }[]>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  return searches.map((search, index) => ({ ...search, size: 0, steps: 0, ...counted[index] }));
}

const counter = `
const { parentPort, workerData } = require("node:worker_threads");
const { Session } = require("node:inspector/promises");
(async () => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const { RE2JS } = await import(workerData.engine);
  const counted = [];
  for (const { pattern, text } of workerData.searches) {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    await session.post("Profiler.takePreciseCoverage"); // sets all counts to zero
    compiled.test(text);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const ranges = result
      .filter(({ url }) => url === workerData.engine)
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
    counted.push({ size: compiled.programSize(), steps: ranges.reduce((sum, { count }) => sum + count, 0) });
  }
  parentPort.postMessage(counted);
})();
`;
