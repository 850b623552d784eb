import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  backlogOf,
  checkPaused,
  isAppPaused,
  queueChecks,
} from "../../../../lib/operate/doctor/check-queues.ts";
import type { DoctorServices } from "../../../../lib/operate/doctor/doctor-services.ts";
import type { CauseGroup } from "../../../../lib/queue/cause-group.ts";
import { createPauseStore } from "../../../../lib/queue/pauses/pause-store.ts";
import { createDoctorServices } from "../../../helpers/doctor-services.ts";

const group = (name: string, count: number): CauseGroup => ({
  name,
  count,
  cause: `Error: ${name}`,
  reason: "tries",
  appId: "shop",
  trigger: "message_sent",
  failedTriggers: [],
  firstAt: 0,
  lastAt: 0,
  exampleId: "1",
});

const counted = (count: number) => ({
  Attributes: {
    ApproximateNumberOfMessages: String(count),
    ApproximateNumberOfMessagesNotVisible: "0",
    ApproximateNumberOfMessagesDelayed: "0",
  },
});

/** Checks a queue of that many dead letters in these groups. */
async function look(
  count: number,
  groupDeadLetters?: () => Promise<readonly CauseGroup[]>,
  sleep: DoctorServices["sleep"] = () => new Promise<never>(() => {}),
) {
  const services: DoctorServices = {
    ...createDoctorServices(),
    sleep,
    callAws: async () => counted(count),
    ...(groupDeadLetters && { groupDeadLetters }),
  };
  const found = await queueChecks(services)
    .find(({ name }) => name === "dead-letters")
    ?.run();
  return [found].flat();
}

describe("the check of dead letters", () => {
  it("reports one line per group, with the command that lists it", async () => {
    expect(await look(900, async () => [group("A-1", 900)])).toEqual([
      {
        status: "wrong",
        says: "900 dead letters (tries) of message_sent, app shop: Error: A-1",
        remedy: "npx cometchat-functions dead-letters list --cause A-1 --stage prod",
      },
    ]);
  });

  it("reports at most six lines; the last one counts the rest", async () => {
    const groups = Array.from({ length: 30 }, (_, index) => group(`A-${index}`, 10));

    const found = await look(5_000, async () => groups);

    expect(found).toHaveLength(6);
    expect(found.at(-1)).toEqual({
      status: "wrong",
      says: "4950 more dead letters in the queue.",
      remedy: "npx cometchat-functions dead-letters list --stage prod",
    });
  });

  it("names no app or trigger of a message that is not an event", async () => {
    const found = await look(1, async () => [{ ...group("A-1", 1), appId: "", trigger: "" }]);

    expect(found).toMatchObject([{ says: "1 dead letter (tries): Error: A-1" }]);
  });

  it("names the plan where it lacks the feature", async () => {
    const lacking = { ...group("A-1", 1), cause: "ChatApiError: pin-message 403 ERR_FEATURE_NOT_ACCESSIBLE" };

    const [found] = await look(1, async () => [lacking]);

    expect(found?.says).toContain("plan");
  });

  it.each([
    ["the scheduled doctor", undefined],
    ["an operator without the right to look", () => Promise.reject(new Error("AccessDenied"))],
  ])("reports their number for %s", async (_case, groupDeadLetters) => {
    expect(await look(1, groupDeadLetters)).toMatchObject([{ says: "1 dead letter in the queue." }]);
  });

  it("reports their number if AWS takes too long to read their causes", async () => {
    const waited: number[] = [];
    const sleep = async (ms: number) => void waited.push(ms);

    const found = await look(900, () => new Promise<never>(() => {}), sleep);

    expect(found).toMatchObject([{ status: "wrong", says: "900 dead letters in the queue." }]);
    expect(waited).toEqual([10_000]);
  });

  it("passes without dead letters, and reads no groups", async () => {
    const look0 = look(0, () => Promise.reject(new Error("not to be asked")));

    expect(await look0).toEqual([{ status: "ok", says: "No event is dead-lettered." }]);
  });
});

describe("a queue", () => {
  const run = async (name: string, count: number, oldestSeconds: number) => {
    const services: DoctorServices = {
      ...createDoctorServices(),
      callAws: async ({ service, input }) =>
        service === "sqs"
          ? counted(count)
          : {
              MetricDataResults: Object(input).MetricDataQueries.map(({ Id }: { Id: string }) => ({
                Id,
                Timestamps: [Object(input).StartTime],
                Values: [oldestSeconds],
              })),
            },
    };
    return queueChecks(services)
      .find((check) => check.name === name)
      ?.run();
  };

  const late = "npx cometchat-functions logs --function processEvents --level warn --stage prod";
  const unread = "npx cometchat-functions dead-letters list --quarantine --stage prod";
  const waits = "2 events wait and 0 are being handled.";

  it.each([
    ["queue", 0, 0, "ok", "0 events wait and 0 are being handled.", undefined],
    ["queue", 1, 0, "ok", "1 event waits and 0 are being handled.", undefined],
    ["queue", 2, 600, "ok", waits, undefined],
    ["queue", 2, 660, "wrong", `${waits} The oldest event waits for 11 minutes.`, late],
    ["quarantine", 0, 0, "ok", "No delivery is in quarantine.", undefined],
    ["quarantine", 1, 0, "wrong", "1 unreadable delivery is in quarantine.", unread],
    ["quarantine", 2, 0, "wrong", "2 unreadable deliveries are in quarantine.", unread],
  ])(
    "%s with %i messages, the oldest of %i s, is %s",
    async (name, count, oldestSeconds, status, says, remedy) => {
      expect(await run(name, count, oldestSeconds)).toEqual({ status, says, ...(remedy && { remedy }) });
    },
  );

  it("is ok if its age is unknown", async () => {
    const callAws: DoctorServices["callAws"] = async ({ service }) =>
      service === "sqs" ? counted(1) : { MetricDataResults: [] };
    const [queue] = queueChecks({ ...createDoctorServices(), callAws });

    expect(await queue?.run()).toMatchObject({ status: "ok" });
  });
});

describe("the check of pauses", () => {
  it.each([
    [{ kind: "app" }, "npx cometchat-functions resume app:a --stage prod", true],
    [{ kind: "lease" }, undefined, true],
    [{ kind: "trigger", name: "b" }, "npx cometchat-functions resume trigger:b --app a --stage prod", false],
  ] as const)("passes, and names the command that ends it: %j", async (target, remedy, isOfApp) => {
    const services = createDoctorServices();
    const order = { by: "ann", reason: "loud", untilMs: services.now() + 60_000 };
    await createPauseStore(services.lanes, services.now, () => "id").begin("a", target, order);

    const [found, ...more] = await checkPaused("a", services, undefined);

    expect(found).toMatchObject({
      status: "ok",
      says: expect.stringMatching(/2026-03-02T08:00Z until 2026-03-02T08:01Z.*by ann: loud/),
    });
    expect([found?.remedy, more, await isAppPaused("a", services)]).toEqual([remedy, [], isOfApp]);
  });

  it("names shadowed triggers if nothing is paused", async () => {
    const services = createDoctorServices();
    const triggers = [
      { name: "b", isShadowed: true },
      { name: "c", isShadowed: false },
    ];
    const facts = { appIds: ["a"], triggers, flows: [], needs: [], canaries: [] };

    expect(await checkPaused("a", services, facts)).toEqual([
      { status: "ok", says: "Nothing is paused; only showing what they would do: trigger b." },
    ]);
    expect(await checkPaused("a", services, undefined)).toEqual([
      { status: "ok", says: "Nothing is paused." },
    ]);
  });
});

it("a backlog is reported from the same age as the alarm", () => {
  const file = join(import.meta.dirname, "../../../../infrastructure/alarms.yml");
  const limit = Number(parse(readFileSync(file, "utf8"))["events-age"].above);

  const found = [limit, limit + 1].map((oldestSeconds) => backlogOf({ waiting: 1, oldestSeconds }));

  expect(found).toEqual([undefined, "The oldest event waits for 10 minutes."]);
  expect(backlogOf({ waiting: 0, oldestSeconds: limit + 1 })).toBeUndefined();
});
