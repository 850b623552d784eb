/**
 * Makes time for clients and servers of one process: it stands still while calls are under way, otherwise it
 * jumps to the next due timer. Minutes pass immediately, in the same order on every machine.
 */
export function createJumpingTime(startMs: number = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs;
  let underWay = 0;
  let timers: { readonly dueMs: number; readonly ring: () => unknown }[] = [];

  const schedule = (dueMs: number, ring: () => unknown) => {
    const timer = { dueMs, ring };
    timers.push(timer);
    return {
      cancel: () => {
        timers = timers.filter((other) => other !== timer);
      },
    };
  };

  const jump = () => {
    const next = Math.min(...timers.map(({ dueMs }) => dueMs));
    if (!Number.isFinite(next)) return;
    nowMs = Math.max(nowMs, next);
    const due = timers.filter(({ dueMs }) => dueMs <= nowMs);
    timers = timers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { ring } of due) ring();
  };

  return {
    now: () => nowMs,
    schedule,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const timer = schedule(nowMs + ms, resolve);
        signal?.addEventListener("abort", () => {
          timer.cancel();
          reject(signal.reason);
        });
      }),
    /** Calls and reads the whole answer; until then, time stands still. */
    fetch: async (...call: Parameters<typeof fetch>): Promise<Response> => {
      underWay += 1;
      try {
        const { status, headers, ...answer } = await readWhole(await fetch(...call));
        return new Response(answer.body, { status, headers });
      } finally {
        underWay -= 1;
      }
    },
    /** Lets time pass until the work is done. */
    async passUntil<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      while (!isDone) {
        await new Promise((resolve) => setImmediate(resolve));
        if (underWay === 0) jump();
      }
      return await work;
    },
  };
}

async function readWhole(response: Response) {
  return { status: response.status, headers: response.headers, body: await response.arrayBuffer() };
}
