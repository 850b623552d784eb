import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { type ExamineServices, examineDeployment } from "../../../../lib/operate/doctor/build-doctor.ts";
import type { DeployedFacts } from "../../../../lib/operate/doctor/deployed-facts.ts";
import { createDoctorServices } from "../../../helpers/doctor-services.ts";
import { createJumpingTime } from "../../../helpers/jumping-time.ts";
import { createTestGuard } from "../../../helpers/loop-guard.ts";

const minutesMs = 60_000;

/** A deployment with so many apps without a secret; each call takes `callMs`. */
function createWorld(apps: number, callMs = 100, { hasRights = true } = {}) {
  const time = createJumpingTime(Date.UTC(2026, 2, 2, 8));
  const counted: unknown[][] = [];
  const secretsAsked = new Set<unknown>();
  const log: string[] = [];
  const line = (text: string) => void log.push(text);
  const services: ExamineServices = {
    ...createDoctorServices(),
    callAws: async (call) => {
      await time.sleep(callMs);
      if (!hasRights) {
        throw new AwsCallError(call, { code: "AccessDeniedException", status: 400, maybeExecuted: false });
      }
      if (call.service === "sqs") {
        const [free, taken] = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"];
        return {
          Attributes: {
            [free]: call.input.QueueUrl === "d" ? "2" : "0",
            [taken]: "0",
            ApproximateNumberOfMessagesDelayed: "0",
          },
        };
      }
      if (call.service === "monitoring") return { MetricDataResults: [] };
      secretsAsked.add(String(call.input.SecretId).replace("/webhook", ""));
      throw new AwsCallError(call, { code: "ResourceNotFoundException", status: 400, maybeExecuted: false });
    },
    now: time.now,
    sleep: time.sleep,
    canaryMeans: { guardOf: createTestGuard },
    log: { debug: line, info: line, warn: line, error: line },
    count: (...call) => void counted.push(call),
  };
  const appIds = Array.from({ length: apps }, (_, index) => `app-${index}`);
  const facts: DeployedFacts = { appIds, triggers: [], flows: [], needs: [], canaries: [] };
  const examine = (withinMs: number) =>
    time.passUntil(examineDeployment(facts, time.now() + withinMs, services));
  return { time, counted, secretsAsked, log, examine };
}

describe("examineDeployment", () => {
  it("reports what is wrong with its remedy, and counts it per check", async () => {
    const { examine, counted } = createWorld(2);

    const { findings } = await examine(5 * minutesMs);

    expect(findings.filter(({ status }) => status === "wrong")).toEqual([
      {
        check: "dead-letters",
        status: "wrong",
        says: "2 dead letters in the queue.",
        remedy: "npx cometchat-functions dead-letters list --stage prod",
      },
      ...["app-1", "app-0"].map((appId) => ({
        check: "secret",
        appId,
        status: "wrong",
        says: "The app has no secret.",
        remedy: `npx cometchat-functions setup --app ${appId} --stage prod`,
      })),
    ]);
    expect(counted).toEqual([
      ["DoctorFailed", { deployment: "service/prod" }, {}, { value: 3 }],
      ["DoctorFailed", { deployment: "service/prod", check: "dead-letters" }, {}, { value: 1 }],
      ["DoctorFailed", { deployment: "service/prod", check: "secret" }, {}, { value: 2 }],
    ]);
  });

  it("throws if every check fails for lack of rights", async () => {
    const { examine } = createWorld(2, 100, { hasRights: false });

    await expect(examine(5 * minutesMs)).rejects.toThrow(
      "The doctor could look at nothing. queue: These credentials may not read it (sqs: AccessDeniedException).",
    );
  });

  it("examines every app within a day if time is short", async () => {
    const { examine, secretsAsked, time } = createWorld(37, 15_000);

    for (let run = 0; run < 96; run += 1) {
      await examine(2 * minutesMs);
      await time.passUntil(time.sleep(15 * minutesMs));
    }

    expect(secretsAsked.size).toBe(37);
  });

  it("looks at hundreds of apps within its time", async () => {
    const { examine, secretsAsked } = createWorld(500);

    const { notLookedAt } = await examine(5 * minutesMs);

    expect(notLookedAt).toEqual([]);
    expect(secretsAsked.size).toBe(500);
  });

  it("ends in time if calls are slow, names skipped apps, and examines others next time", async () => {
    const { examine, time, secretsAsked } = createWorld(2_000, 4_000);
    const startedAt = time.now();

    const first = await examine(5 * minutesMs);
    const seenAtFirst = new Set(secretsAsked);
    await time.passUntil(time.sleep(15 * minutesMs));
    await examine(5 * minutesMs);

    expect(time.now() - startedAt).toBeLessThan(25 * minutesMs);
    expect(first.notLookedAt.length).toBeGreaterThan(0);
    expect(secretsAsked.size).toBeGreaterThan(seenAtFirst.size);
  });
});
