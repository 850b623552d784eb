import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { OwnError } from "../../../../lib/base/errors.ts";
import { ChatApiError, ChatUnreachableError } from "../../../../lib/chat/errors.ts";
import {
  type Check,
  ok,
  platformFails,
  runChecks,
  whyUnknown,
  wrong,
} from "../../../../lib/operate/doctor/run-checks.ts";
import { createJumpingTime } from "../../../helpers/jumping-time.ts";

const never = new Promise<never>(() => {});

/** Runs the checks with a clock that jumps. */
function run(checks: readonly Check[], atOnce = 2) {
  const time = createJumpingTime(0);
  return time.passUntil(runChecks(checks, { atOnce, limitMs: 5_000, sleep: time.sleep }));
}

describe("runChecks", () => {
  it("returns findings in the order of the checks", async () => {
    const first = Promise.withResolvers<ReturnType<typeof ok>>();

    const found = await run([
      { name: "key", appId: "a", run: () => first.promise },
      {
        name: "queue",
        run: async () => {
          first.resolve(ok("late"));
          return ok("early");
        },
      },
    ]);

    expect(found).toEqual([
      { check: "key", appId: "a", status: "ok", says: "late" },
      { check: "queue", status: "ok", says: "early" },
    ]);
  });

  it("reports a check that hangs as unknown after its limit, and runs the others", async () => {
    const found = await run(
      [
        { name: "key", run: () => never },
        { name: "canary", run: () => never, limitMs: 60_000 },
        { name: "queue", run: async () => wrong("It is full.", "empty it") },
      ],
      1,
    );

    expect(found).toEqual([
      { check: "key", status: "unknown", says: "It took longer than 5 s.", because: "no answer" },
      { check: "canary", status: "unknown", says: "It took longer than 60 s.", because: "no answer" },
      { check: "queue", status: "wrong", says: "It is full.", remedy: "empty it" },
    ]);
  });

  it("reports a check that throws as unknown", async () => {
    const found = await run([
      {
        name: "key",
        run: () => {
          throw new OwnError("It broke.");
        },
      },
    ]);

    expect(found).toEqual([{ check: "key", status: "unknown", says: "Error: It broke." }]);
  });

  it("accepts several findings of one check", async () => {
    const found = await run([{ name: "webhook", run: async () => [ok("one"), ok("two")] }]);

    expect(found.map(({ says }) => says)).toEqual(["one", "two"]);
  });

  it("limits the checks that run in parallel", async () => {
    let [running, most] = [0, 0];
    const check: Check = {
      name: "key",
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return ok("");
      },
    };

    await run(
      Array.from({ length: 20 }, () => check),
      3,
    );

    expect(most).toBe(3);
  });
});

it("counts completed checks, and starts no check after an interrupt", async () => {
  const interrupted = new AbortController();
  const dones: number[] = [];
  const check: Check = { name: "key", run: async () => ok("well") };
  const last: Check = {
    name: "queue",
    run: async () => {
      interrupted.abort();
      return ok("last");
    },
  };
  const time = createJumpingTime(0);

  const found = await runChecks([check, last, check], {
    atOnce: 1,
    limitMs: 5_000,
    sleep: time.sleep,
    signal: interrupted.signal,
    onDone: (done) => dones.push(done),
  });

  expect(found).toEqual([
    { check: "key", status: "ok", says: "well" },
    { check: "queue", status: "ok", says: "last" },
  ]);
  expect(dones).toEqual([1, 2]);
});

describe("whyUnknown", () => {
  const call = { service: "sqs", target: "AmazonSQS.GetQueueAttributes", input: {} } as const;

  it("distinguishes a missing right from a missing answer", () => {
    const refused = new AwsCallError(call, {
      code: "AccessDeniedException",
      status: 400,
      maybeExecuted: false,
    });
    const silent = new AwsCallError(call, { code: "ECONNREFUSED", maybeExecuted: false });

    expect(whyUnknown(refused)).toEqual({
      status: "unknown",
      says: "These credentials may not read it (sqs: AccessDeniedException).",
      because: "no right",
    });
    expect(whyUnknown(silent)).toEqual({
      status: "unknown",
      says: "AWS gave no usable answer (sqs: ECONNREFUSED).",
      because: "no answer",
    });
  });

  it.each([
    ["sqs", "AWS.SimpleQueueService.NonExistentQueue", "gone"],
    ["sqs", "QueueDoesNotExist", "gone"],
    ["dynamodb", "ResourceNotFoundException", "gone"],
    ["sqs", "ThrottlingException", "no answer"],
    ["sqs", "ValidationException", "no answer"],
  ] as const)("returns the cause of an AWS error: %s %s", (service, code, because) => {
    const error = new AwsCallError({ ...call, service }, { code, status: 400, maybeExecuted: false });

    expect(whyUnknown(error)).toMatchObject({ status: "unknown", because });
  });

  it.each([
    [refusal(401), "no right"],
    [refusal(403), "no right"],
    [refusal(404), "no answer"],
    [silence("connect"), "no answer"],
    [refusal(403, "ERR_FEATURE_NOT_ACCESSIBLE"), undefined],
    [ofSdk("ThrottlingException"), "no answer"],
    [ofSdk("TimeoutError"), "no answer"],
  ])("returns the cause of an error of the platform or the AWS SDK: %s", (error, because) => {
    const found = whyUnknown(error);

    expect(found.because).toBe(because);
    expect(found.remedy === undefined).toBe(because !== undefined);
  });
});

describe("platformFails", () => {
  it.each([refusal(429), refusal(500), refusal(503), silence("connect")])(
    "reports an outage as wrong: %s",
    (error) => {
      expect(platformFails(error, "look")).toMatchObject({ status: "wrong", remedy: "look" });
    },
  );

  it.each([refusal(404), refusal(499), silence("body"), new Error("other")])(
    "rethrows other errors: %s",
    (error) => {
      expect(() => platformFails(error, "look")).toThrow(error);
    },
  );
});

function ofSdk(name: string): Error {
  return Object.assign(new Error("no"), { name });
}

function refusal(status: number, code: ChatApiError["code"] = "ERR_EXCEPTION"): ChatApiError {
  return new ChatApiError("no", {
    operation: "list-bots",
    code,
    status,
    retryable: false,
    maybeExecuted: false,
  });
}

function silence(phase: "connect" | "body"): ChatUnreachableError {
  const facts = { operation: "list-bots", phase, reason: "ECONNREFUSED", maybeExecuted: false };
  return new ChatUnreachableError(facts);
}
