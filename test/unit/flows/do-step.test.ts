import { describe, expect, it } from "vitest";
import { EffectBusyError, EventEndedError } from "../../../lib/effects/effect-errors.ts";
import { doStep, type StepServices, type StepTry } from "../../../lib/flows/flow-step.ts";
import { createWayGate } from "../../../lib/flows/way-gate.ts";
import { type CrashPoint, flows, startMs, storeWithSdk } from "../../cloud/play-durable.ts";
import { awsFailure, chatRefusal } from "../../helpers/failed-calls.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const pause = { id: "p", sinceMs: 0, untilMs: 0, by: "bob" };

interface Played extends Partial<StepServices> {
  readonly name?: string;
  readonly work?: (of: StepTry) => Promise<unknown>;
  readonly hold?: { readonly of: "flow" | "app"; readonly restSeconds?: number };
  readonly crash?: CrashPoint;
}

/** One step, with Lambda's own SDK, on a clock that stops while the step runs. */
async function play({
  name = "it",
  work = async () => "done",
  hold = { of: "flow" },
  crash,
  ...given
}: Played = {}) {
  const lines: [string, object][] = [];
  const tries: StepTry[] = [];
  const at: number[] = [];
  const waited: [nowSeconds: number, sinceSeconds: number][] = [];
  const services: StepServices = {
    now: () => made.now(),
    random: () => 0,
    sleep: (_ms, signal) => new Promise((_, reject) => signal?.addEventListener("abort", reject)),
    lane: "flow it",
    maxWaitMs: dayMs,
    remainingMs: () => 60_000,
    log: {
      debug: () => {},
      info: () => {},
      warn: (_message, fields) => void lines.push(["warn", fields ?? {}]),
      error: (_message, fields) => void lines.push(["error", fields ?? {}]),
    },
    names: { flow: "try" },
    pauses: { current: async () => undefined, enter: async () => true },
    noteWait: (sinceMs) => void waited.push([(made.now() - startMs) / 1000, (sinceMs - startMs) / 1000]),
    ...given,
  };
  const tried = async (of: StepTry) => {
    tries.push(of);
    at.push((made.now() - startMs) / 1000);
    return work(of);
  };
  const step = (_input: unknown, context: Parameters<typeof doStep>[0]) =>
    doStep(context, name, tried, services, startMs - 1, hold);
  const made = storeWithSdk(step, { ...(crash && { crash }) });
  const { arn } = made.store.start(flows, { payload: "{}" });
  return {
    lines,
    tries,
    at,
    waited,
    made,
    /** This many hours after the start. */
    end: async (hours = 72) => {
      await made.playUntil(startMs + hours * hourMs);
      const names = made.store.history(arn).Events.map(({ Name, EventType }) => `${EventType} ${Name}`);
      return { ...made.store.get(arn), names };
    },
  };
}

function failingWith(...errors: readonly unknown[]) {
  const left = [...errors];
  return async () => {
    if (left.length > 0) throw left.shift();
    return "done";
  };
}

const refusal = (more: object) => chatRefusal(429, "ERR_TOO_MANY_REQUESTS", { retryable: true, ...more });
const outage = awsFailure("InternalServerError");
const busy = (seconds: number) => new EffectBusyError({ name: "it", id: "1" }, startMs + seconds * 1000);

describe("a step's time", () => {
  it.each([
    ["begins with eight seconds left, and ends three before", [8_000], 0, 5_000],
    ["begins in the next invocation with less", [7_999, 60_000], 9, 28_000],
  ])("%s", async (_, remaining, at, limitMs) => {
    const left = [...remaining];
    const played = await play({ remainingMs: () => left.shift() ?? 0 });

    await played.end();

    const deadlineMs = startMs + at * 1000 + limitMs;
    expect(played.tries).toMatchObject([
      { begunAt: startMs + at * 1000, isGuessed: false, limits: { deadlineMs } },
    ]);
  });

  it("ends after 30 s, at each of five tries, although its work continues", async () => {
    const limits: number[] = [];
    const sleep = async (ms: number) => void limits.push(ms);
    const played = await play({ work: () => new Promise(() => {}), sleep });

    const { Status, Error: error } = await played.end();

    expect(limits).toEqual(Array.from({ length: 5 }, () => 30_000));
    expect(played.tries.map(({ limits }) => limits.signal.aborted)).toEqual(Array(5).fill(true));
    expect(played.at.map((at, index) => at - (played.at[index - 1] ?? 0))).toEqual([0, 5, 15, 45, 135]);
    expect([Status, error?.ErrorMessage]).toEqual([
      "FAILED",
      '"it" failed for good: EventTimeUpError: It did not end within 30 s. Await less, or give what it awaits a time limit.',
    ]);
  });

  it("ends for a request that waits for another host, as that host's outage", async () => {
    const wait = async ({ limits }: StepTry) => {
      limits.waitsFor.set("example.org", 1);
      return new Promise(() => {});
    };
    const played = await play({ work: wait, sleep: async () => {} });

    await played.end(1);

    expect(played.lines[0]).toEqual(["warn", expect.objectContaining({ failure: "outage", tries: 0 })]);
  });

  it("does not count as a try if the invocation left it less", async () => {
    const works = [new Promise(() => {}), "done"];
    const played = await play({
      work: async () => works.shift(),
      remainingMs: () => 20_000,
      sleep: async (ms) => (works.length === 2 && ms === 19_000 ? undefined : new Promise(() => {})),
    });

    await played.end();

    expect(played.at).toEqual([0, 1]);
    expect(played.lines).toEqual([["warn", expect.objectContaining({ failure: "later", tries: 0 })]]);
  });

  it.each([
    ["a crash", "after", { begunAt: startMs - 1, isGuessed: true }],
    ["no crash", undefined, { begunAt: startMs, isGuessed: false }],
  ] as const)("is recorded after %s", async (_, when, expected) => {
    const played = await play({ ...(when && { crash: { nth: 1, when } }) });

    await played.end();

    expect(played.tries).toMatchObject([expected]);
  });
});

describe("a step that failed", () => {
  it.each([
    ["an outage", outage, 5],
    ["an outage of a known length", refusal({ retryAfterMs: 40_000 }), 40],
    ["an outage of hours", refusal({ retryAfterMs: 7_200_000 }), 900],
    ["a user's limit", refusal({ isUserLimit: true, retryAfterMs: 40_000 }), 40],
    ["a fault of ours", new TypeError("A bug."), 5],
    ["another process", busy(40), 40],
    ["another process that is done", busy(-40), 1],
    ["its time", new Error("It was late.", { cause: new EventEndedError() }), 1],
  ])("because of %s is retried when that may be over", async (_, error, seconds) => {
    const played = await play({ work: failingWith(error) });

    const { Result = "", names } = await played.end();

    expect(played.at).toEqual([0, seconds]);
    expect(JSON.parse(Result)).toEqual({ value: "done", begunAt: startMs, at: startMs + seconds * 1000 });
    expect(names.filter((name) => !/^(Execution|Invocation)/.test(name))).toEqual([
      ...[
        "StepStarted it",
        "StepSucceeded it",
        "WaitStarted before it again",
        "WaitSucceeded before it again",
      ],
      ...["StepStarted it (again 1)", "StepSucceeded it (again 1)"],
    ]);
  });

  it("waits longer each time, and gives up after its maximum wait", async () => {
    const played = await play({ work: failingWith(...Array(9).fill(outage)), maxWaitMs: 1_325_000 });

    expect(await played.end()).toMatchObject({ Status: "FAILED" });
    expect(played.at).toEqual([0, 5, 20, 65, 200, 605, 1_325]);
  });

  it("waits for the end of a user's limit beyond its maximum wait, 12 minutes at a time", async () => {
    const limit = refusal({ isUserLimit: true, retryAfterMs: 40_000 });
    const played = await play({ work: failingWith(...Array(8).fill(limit)), maxWaitMs: 1_325_000 });

    expect(await played.end()).toMatchObject({ Status: "SUCCEEDED" });
    expect(played.at).toEqual([0, 40, 80, 125, 260, 665, 1_385, 2_105, 2_825]);
  });

  it("reports which step failed, why and where", async () => {
    const played = await play({
      work: failingWith(new TypeError("A bug."), outage, ...Array(4).fill(new Error())),
    });

    await played.end();

    const where = expect.stringContaining("do-step.test.ts");
    const known = { flow: "try", failure: "ours", cause: expect.any(String), stack: where };
    expect(played.lines).toEqual([
      ["warn", { ...known, tries: 1 }],
      ["warn", { ...known, tries: 1, failure: "outage", stack: undefined }],
      ["warn", { ...known, tries: 2 }],
      ["warn", { ...known, tries: 3 }],
      ["warn", { ...known, tries: 4 }],
      ["error", { ...known, tries: 5 }],
    ]);
  });
});

it.each([
  [239_994, "SUCCEEDED"],
  [239_995, "FAILED"],
])("keeps a result of %d characters only if a checkpoint can", async (characters, Status) => {
  const played = await play({ work: async () => "x".repeat(characters) });

  expect((await played.end()).Status).toBe(Status);
});

it("reports since when it waits at each failure of an outage, and at no other", async () => {
  const played = await play({ work: failingWith(outage, new TypeError("A bug."), outage) });

  await played.end();

  expect(played.waited).toEqual([
    [0, 0],
    [20, 0],
  ]);
});

describe("a paused step", () => {
  const open = (enter: StepServices["pauses"]["enter"], more: Played = {}) => {
    const left = [pause];
    return play({ pauses: { current: async () => left.shift(), enter }, ...more });
  };

  it.each<[string, StepServices["pauses"]["enter"], number]>([
    ["begins after five seconds if the pause is over", async () => false, 5],
    ["checks again in six hours if the pause ends without a wake-up", async () => true, 6 * 3600],
    [
      "checks again in five seconds if the pause cannot be watched",
      async () => Promise.reject(new Error("no table")),
      5,
    ],
  ])("%s", async (_, enter, seconds) => {
    for (const gate of [undefined, createWayGate()]) {
      const played = await open(enter, gate && { gate });

      expect(await played.end()).toMatchObject({ Status: "SUCCEEDED" });
      expect(played.at).toEqual([seconds]);
    }
  });

  it("checks less and less often while the pause cannot be watched: an execution has 3,000 operations", async () => {
    let checks = 0;
    const current = async () => {
      checks += 1;
      return pause;
    };
    const played = await play({
      pauses: { current, enter: async () => Promise.reject(new Error("no table")) },
    });

    expect(await played.end(24)).toMatchObject({ Status: "RUNNING" });
    expect(checks).toBeLessThan(130);
  });

  it("may have a name that Lambda refuses, which its error keeps", async () => {
    const name = `Grüße 👋 ${"x".repeat(300)}`;
    for (const isWatched of [true, false]) {
      const work = failingWith(outage, ...Array(5).fill(new TypeError("A bug.")));
      const played = await open(async () => isWatched, { name, work, hold: { of: "app", restSeconds: 1 } });

      expect((await played.end()).Error?.ErrorMessage).toContain(`"${name}" failed for good`);
    }
  });

  it("begins when it is woken, after steps that wait with it", async () => {
    const entered: unknown[] = [];
    const played = await open(
      async (...of) => {
        entered.push(of);
        return true;
      },
      { hold: { of: "app", restSeconds: 120 } },
    );
    await played.made.playUntil(startMs + hourMs);
    const id = String(entered.flat()[1]);
    played.made.store.completeCallback(id, { result: "{}" });

    expect(await played.end()).toMatchObject({ Status: "SUCCEEDED" });
    expect(entered).toEqual([[pause, id, startMs]]);
    expect(played.at).toEqual([3600 + 120]);
  });

  it.each([
    ["between two tries", [undefined, pause], failingWith(outage, outage), 10_000, [0, 21_605, 21_650]],
    ["before the first", [pause], failingWith(...Array(9).fill(outage)), 60_000, [21_600, 21_615, 21_660]],
  ])("%s does not use or extend its maximum wait", async (_, pauses, work, maxWaitMs, at) => {
    const left = [...pauses];
    const current = async () => left.shift();
    const played = await play({ pauses: { current, enter: async () => true }, work, maxWaitMs });

    await played.end();

    expect(played.at).toEqual(at);
  });
});

it("a closed gate of ways starts no step, and waits for running ones", async () => {
  const [outer, ended] = [createWayGate(), Promise.withResolvers<string>()];
  const inner = createWayGate(outer);
  const running = inner.pass(() => ended.promise);
  const closed = outer.close().then(() => "closed");

  expect(await Promise.race([closed, new Promise((resolve) => setImmediate(resolve))])).toBeUndefined();
  ended.resolve("done");
  expect([await running, await closed]).toEqual(["done", "closed"]);
  let begun = 0;
  void inner.pass(async () => (begun += 1));
  expect(begun).toBe(0);
});
