import { describe, expect, it } from "vitest";
import type { Webhook } from "../../../../lib/chat/types/webhooks.ts";
import {
  checkLegacyWebhooks,
  checkRetries,
  checkTriggers,
  checkWebhook,
  sortWebhooks,
} from "../../../../lib/operate/doctor/check-webhooks.ts";
import { onlyLegacy } from "../../../../lib/operate/doctor/doctor-services.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";

const services = createDoctorServices();
const { httpUrl } = services;
const setUp = "npx cometchat-functions setup --app a --stage prod";

const webhook = (more: Partial<Webhook> = {}): Webhook => ({
  id: "ours",
  webhookURL: `${httpUrl}/webhooks/a`,
  enabled: true,
  ...more,
});

const check = (webhooks: readonly Webhook[]) =>
  checkWebhook("a", sortWebhooks("a", httpUrl, webhooks), doctorCredentials, services);

describe("checkWebhook", () => {
  it("accepts one webhook to this deployment beside other webhooks", () => {
    const found = check([webhook(), webhook({ id: "other", webhookURL: "https://example.com/webhook" })]);

    expect(found).toEqual([{ status: "ok", says: "The webhook ours leads here and is switched on." }]);
  });

  it("ignores case of the host, a default port and a trailing slash in an address", () => {
    const odd = "https://ABC.execute-api.us-east-1.amazonaws.com:443/webhooks/a/";

    expect(check([webhook({ webhookURL: odd })])).toMatchObject([{ status: "ok" }]);
  });

  it("reports unknown if the platform does not show whether a webhook is enabled", () => {
    expect(check([webhook({ enabled: undefined })])).toMatchObject([{ status: "unknown", remedy: setUp }]);
  });

  it("reports each problem", () => {
    const misled = webhook({ id: "misled", webhookURL: `${httpUrl}/webhooks/b` });

    const found = check([webhook({ enabled: false }), misled]);

    expect(found.map(({ says }) => says)).toEqual([
      `The webhook misled has another app's id in its address: it must be ${httpUrl}/webhooks/a.`,
      "The webhook ours is switched off.",
    ]);
  });

  it.each([
    ["a plain path", httpUrl],
    ["another address of the stage", `${httpUrl}/${"b".repeat(24)}`],
  ])("reports a webhook to %s as outdated", (_case, base) => {
    const current = `${httpUrl}/${"a".repeat(24)}`;
    const earlier = sortWebhooks("a", current, [webhook({ webhookURL: `${base}/webhooks/a` })]);

    expect(checkWebhook("a", earlier, doctorCredentials, { ...services, httpUrl: current })).toEqual([
      {
        status: "wrong",
        says: `The webhook ours leads to an earlier address of this deployment: it must be ${current}/webhooks/a.`,
        remedy: setUp,
      },
    ]);
  });

  it("accepts a misdirected webhook that is switched off", () => {
    const misled = webhook({ id: "misled", webhookURL: `${httpUrl}/webhooks/b`, enabled: false });

    expect(check([webhook(), misled])).toMatchObject([{ status: "ok" }]);
  });

  it("reports a webhook to another deployment as unknown", () => {
    const other = webhook({ id: "old", webhookURL: "https://old.example.com/webhooks/a" });

    expect(check([webhook(), other])).toMatchObject([
      { status: "ok" },
      {
        status: "unknown",
        says: "The webhook old leads to another address, as if it were a receiver of this app: if a deployment answers there, both handle its events.",
      },
    ]);
    expect(check([webhook(), { ...other, enabled: false }])).toMatchObject([{ status: "ok" }]);
  });

  it("checks the enabled webhook, independent of its position", () => {
    const off = { ...webhook({ id: "off", enabled: false }), retryOnFailure: true };
    const on = { ...webhook(), retryOnFailure: false };

    expect(checkRetries("a", sortWebhooks("a", httpUrl, [off, on]), services)).toMatchObject({
      status: "wrong",
      says: expect.stringContaining("webhook ours"),
    });
  });

  it("ignores invalid addresses of other webhooks", () => {
    expect(
      check([webhook(), webhook({ id: "odd", webhookURL: "not an address" }), { id: "none" }]),
    ).toMatchObject([{ status: "ok" }]);
  });

  it("ignores fields that the platform does not return", () => {
    expect(check([{ ...webhook(), username: undefined, useBasicAuth: undefined }])).toMatchObject([
      { status: "ok" },
    ]);
    expect(check([{ ...webhook(), useBasicAuth: false }])).toMatchObject([
      { status: "wrong", says: expect.stringContaining("sends no credentials") },
    ]);
  });
});

describe("checkRetries", () => {
  const found = (more: object) =>
    checkRetries("a", sortWebhooks("a", httpUrl, [{ ...webhook(), ...more }]), services).status;

  it("reports disabled retries as wrong, and missing or invalid values as unknown", () => {
    expect(found({ retryOnFailure: true })).toBe("ok");
    expect(found({ retryOnFailure: false })).toBe("wrong");
    expect(found({})).toBe("unknown");
    expect(found({ retryOnFailure: "yes" })).toBe("unknown");
  });
});

describe("checkTriggers", () => {
  const needs = {
    appIds: ["a"],
    webhook: { message_sent: ["auto-reply"], user_blocked: ["mine"] },
    elsewhere: { after_message: ["bot"] },
    everything: [],
  };

  it("names missing triggers and what needs them", () => {
    expect(checkTriggers("a", ["message_sent"], needs, services)).toEqual({
      status: "wrong",
      says: "The webhook lacks triggers that are needed: user_blocked (mine).",
      remedy: setUp,
    });
  });

  it("accepts more triggers than needed, and names them", () => {
    expect(checkTriggers("a", ["message_sent", "user_blocked", "group_created"], needs, services)).toEqual({
      status: "ok",
      says: "The webhook is subscribed to all needed triggers (2). 1 more are not needed by anything: group_created. No webhook reports after_message.",
    });
  });

  it("reports unknown if the deployed triggers are unknown", () => {
    expect(checkTriggers("a", [], undefined, services).status).toBe("unknown");
  });
});

it("checkLegacyWebhooks reports only enabled webhooks to this deployment", () => {
  const off = webhook({ enabled: false });
  const elsewhere = webhook({ webhookURL: "https://example.com/hook" });

  expect(checkLegacyWebhooks([off], services).status).toBe("ok");
  expect(checkLegacyWebhooks([elsewhere], services).status).toBe("ok");
  expect(checkLegacyWebhooks([webhook()], services).status).toBe("wrong");
});

it("onlyLegacy leaves out webhooks that the current engine lists", () => {
  const [shared, legacy] = [webhook({ createdAt: 5 }), webhook({ createdAt: 9 })];

  expect(onlyLegacy([shared, legacy], [shared])).toEqual([legacy]);
});
