import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { OwnError } from "../../../../lib/base/own-error.ts";
import { type Check, ok, runChecks, whyUnknown, wrong } from "../../../../lib/operate/doctor/run-checks.ts";
import { createJumpingTime } from "../../../helpers/jumping-time.ts";

const never = new Promise<never>(() => {});

/** Runs them in time that jumps. */
function run(checks: readonly Check[], atOnce = 2) {
  const time = createJumpingTime(0);
  return time.passUntil(runChecks(checks, { atOnce, limitMs: 5_000, sleep: time.sleep }));
}

describe("runChecks", () => {
  it("tells findings in the order of the checks, whichever is done first", async () => {
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

  it("takes one that hangs for not known after its time, and goes on with the others", async () => {
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

  it("takes what one throws for not known", async () => {
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

  it("takes several findings of one check", async () => {
    const found = await run([{ name: "webhook", run: async () => [ok("one"), ok("two")] }]);

    expect(found.map(({ says }) => says)).toEqual(["one", "two"]);
  });

  it("runs no more side by side than it is told", async () => {
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

describe("whyUnknown", () => {
  const call = { service: "sqs", target: "AmazonSQS.GetQueueAttributes", input: {} } as const;

  it("tells a right that is missing from silence", () => {
    const refused = new AwsCallError(call, {
      code: "AccessDeniedException",
      status: 400,
      maybeExecuted: false,
    });
    const silent = new AwsCallError(call, { code: "ECONNREFUSED", maybeExecuted: false });

    expect(whyUnknown(refused).says).toBe("These credentials may not read it (sqs: AccessDeniedException).");
    expect(whyUnknown(silent).says).toBe("AWS gave no usable answer (sqs: ECONNREFUSED).");
  });
});
