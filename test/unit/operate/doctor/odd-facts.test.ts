import { describe, expect, it } from "vitest";
import { checkAlarms } from "../../../../cli/doctor/check-aws.ts";
import { typedTarget } from "../../../../cli/doctor/doctor-of-target.ts";
import type { AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { pause } from "../../../../lib/base/timers.ts";
import { ChatApiError, ChatUnreachableError } from "../../../../lib/chat/errors.ts";
import { createCanaryStore } from "../../../../lib/handle/canary/canary.ts";
import { playCanary } from "../../../../lib/handle/canary/play-canary.ts";
import { appChecks } from "../../../../lib/operate/doctor/app-checks.ts";
import { checkApiKey } from "../../../../lib/operate/doctor/check-credentials.ts";
import { changedAtMsOf, checkDeliveries } from "../../../../lib/operate/doctor/check-deliveries.ts";
import type { DoctorServices } from "../../../../lib/operate/doctor/doctor-services.ts";
import { runChecks, whyUnknown } from "../../../../lib/operate/doctor/run-checks.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";
import { createTestGuard } from "../../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const credentials = doctorCredentials;
const services: DoctorServices = createDoctorServices();
const { remedies } = services;

/** Runs an app's checks of these names. */
function check(names: readonly string[], more: Partial<DoctorServices>, isForOperator = true) {
  const options = { facts: undefined, canary: undefined, isForOperator };
  const checks = appChecks("a", { ...services, ...more }, options).filter(({ name }) => names.includes(name));
  return runChecks(checks, { atOnce: 4, limitMs: 1_000, sleep: pause });
}

describe("alarms", () => {
  const alarm = (AlarmName: string) => ({ AlarmName, AlarmDescription: "" });
  const resource = (name: string) =>
    [name, { type: "AWS::CloudWatch::Alarm", physicalId: `chat-prod-${name}` }] as const;
  const stack = { name: "chat-prod", resources: new Map([resource("dead-letters"), resource("queue")]) };

  it("exclude those of a stage with the same prefix", async () => {
    const callAws = async () => ({ MetricAlarms: [alarm("chat-prod-queue"), alarm("chat-prod-eu-queue")] });

    const found = await checkAlarms(callAws, stack, remedies);

    expect(found.map(({ says }) => says)).toEqual(["The alarm chat-prod-queue is in alarm."]);
  });
});

describe("a platform that answers with an outage", () => {
  const secret = JSON.stringify({ ...credentials, apiKey: "key", webhookPassword: "a-long-password" });
  const callAws: AwsCaller = async () => ({ SecretString: secret, CreatedDate: 1 });

  it.each([
    [429, true, "wrong"],
    [500, true, "wrong"],
    [500, false, "unknown"],
  ])(
    "is reported without a retry after %i, for an operator (%s) as %s",
    async (status, isForOperator, found) => {
      let asked = 0;
      const fetch: DoctorServices["fetch"] = async () => {
        asked += 1;
        return Response.json({ error: { code: "ERR_X" } }, { status, headers: { "retry-after": "60" } });
      };
      const [key] = await check(["key"], { callAws, fetch }, isForOperator);

      expect([key?.status, asked]).toEqual([found, 1]);
      expect(key?.says).toContain(String(status));
    },
  );

  it("is reported once, by one check, with a link to the logs", async () => {
    const fetch: DoctorServices["fetch"] = async () => Response.json({}, { status: 503 });
    const fail = () =>
      Promise.reject(
        new ChatUnreachableError({ operation: "o", phase: "answer", reason: "TIMEOUT", maybeExecuted: true }),
      );
    const names = ["key", "webhook", "triggers", "retries"];

    const found = await check(names, { callAws, fetch, webhookLists: fail });

    const wrong = found.filter(({ status }) => status === "wrong");
    expect(wrong).toEqual([expect.objectContaining({ remedy: remedies.logs("a") })]);
    expect(found.filter((one) => "because" in one && one.because === "no answer")).toHaveLength(3);
  });
});

describe("an app's check", () => {
  const unknownApp = () =>
    Response.json({ error: { code: "AUTH_ERR_INVALID_APPID", message: "no such app" } }, { status: 400 });

  it("names the regions that gave no answer about an unknown app", async () => {
    const fetch: DoctorServices["fetch"] = async (url) => {
      if (url.includes("-us.")) throw new TypeError("fetch failed");
      return unknownApp();
    };

    const found = await checkApiKey(credentials, { ...services, fetch });

    expect(found).toMatchObject({
      status: "wrong",
      says: "The platform knows no app a in region eu; whether it is in us is unknown, because there was no answer.",
    });
  });

  it("reports nothing about the key if the plan lacks the feature", async () => {
    const answer = { error: { code: "ERR_FEATURE_NOT_ACCESSIBLE", message: "no" } };
    const fetch: DoctorServices["fetch"] = async () => Response.json(answer, { status: 403 });

    const found = await checkApiKey(credentials, { ...services, fetch }).catch(whyUnknown);

    expect(found).toEqual({
      status: "unknown",
      says: expect.stringContaining("ERR_FEATURE_NOT_ACCESSIBLE"),
      remedy: expect.stringContaining("plan"),
    });
  });

  it.each([
    ["AUTH_ERR_NO_ACCESS", "wrong", "scope is too small"],
    ["ERR_SUBSCRIPTION_EXPIRED", "wrong", "subscription has ended"],
    ["ERR_SOMETHING_NEW", "unknown", "403 ERR_SOMETHING_NEW"],
    [undefined, "unknown", "403 HTTP_403"], // a proxy's page
  ])("reports the key's scope only for the platform's code for it: 403 %s", async (code, status, says) => {
    const fetch: DoctorServices["fetch"] = async () =>
      code === undefined
        ? new Response("<html>", { status: 403 })
        : Response.json({ error: { code, message: "no" } }, { status: 403 });

    const found = await checkApiKey(credentials, { ...services, fetch }).catch(whyUnknown);

    expect(found).toMatchObject({ status, says: expect.stringContaining(says) });
    expect("remedy" in found && found.remedy === remedies.replaceKey("a")).toBe(says.includes("scope"));
  });

  it.each([
    [401, "AUTH_ERR_EMPTY_AUTH_HEADER", "wrong", "refuses the management credentials"],
    [403, "HTTP_403", "unknown", "unexpected answer"],
    [404, "ERR_APP_NOT_FOUND", "wrong", "The platform has no app a."],
  ])(
    "reports refused management credentials only for the platform's code: %i %s",
    async (status, code, found, says) => {
      const fail = async () => {
        throw new ChatApiError("no", {
          operation: "list-webhooks",
          code,
          status,
          retryable: false,
          maybeExecuted: false,
        });
      };
      const [webhook] = await check(["webhook"], { webhookLists: fail });

      expect(webhook).toMatchObject({ status: found, says: expect.stringContaining(says) });
    },
  );

  it("counts a region that refuses every request as unanswered", async () => {
    const fetch: DoctorServices["fetch"] = async (url) =>
      url.includes("-us.")
        ? Response.json({ error: { code: "ERR_BLOCKED", message: "a wall" } }, { status: 403 })
        : unknownApp();

    const found = await checkApiKey(credentials, { ...services, fetch });

    expect(found.says).toContain("whether it is in us is unknown");
  });
});

it("a canary is deleted even if its note cannot be read", async () => {
  const removed: string[] = [];
  const store = createCanaryStore(createMemoryTable("lane", "item"), () => 0);
  const played = playCanary({
    appId: "a",
    users: { sender: "canary-a", receiver: "canary-b" },
    guard: createTestGuard("a"),
    store: { ...store, find: () => Promise.reject(new Error("no table")) },
    send: async () => ({ id: "77" }),
    remove: async (id) => removed.push(id),
    now: () => 0,
    sleep: async () => undefined,
    maxWaitMs: 1_000,
  });

  await expect(played).rejects.toThrow("no table");
  expect(removed).toEqual(["77"]);
});

it("refused deliveries are reported even if a webhook's updatedAt lies in the future", async () => {
  const at = services.now() / 1000 - 600;
  const callAws: AwsCaller = async () => ({
    MetricDataResults: [{ Id: "m0", Timestamps: [at], Values: [3] }],
  });

  const changedAtMs = changedAtMsOf([{ updatedAt: services.now() }], services);
  const mends = { changedAtMs, changedFromMs: changedAtMs, isKnown: true, over: [] };
  const found = await checkDeliveries("a", { ...services, callAws }, mends);

  expect(found).toMatchObject([{ status: "wrong" }]);
});

it("a printed command names the chosen region and local stack", () => {
  const stage = { kind: "stage", stage: "prod" } as const;
  const local = { kind: "local", stage: "local" } as const;

  expect(typedTarget({ ...stage, chosen: [] })).toBe("--stage prod");
  expect(typedTarget({ ...stage, chosen: ["--region", "eu-west-1"] })).toBe(
    "--stage prod --region eu-west-1",
  );
  expect(typedTarget({ ...local, chosen: ["--world", "7"] })).toBe("--local --world 7");
});
