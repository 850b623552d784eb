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
  it("is content with one that leads here, whatever else there is", () => {
    const found = check([webhook(), webhook({ id: "other", webhookURL: "https://example.com/webhook" })]);

    expect(found).toEqual([{ status: "ok", says: "The webhook ours leads here and is switched on." }]);
  });

  it("takes an address for the same with a capital in the host, a port that is usual, or a slash at its end", () => {
    const odd = "https://ABC.execute-api.us-east-1.amazonaws.com:443/webhooks/a/";

    expect(check([webhook({ webhookURL: odd })])).toMatchObject([{ status: "ok" }]);
  });

  it("does not know whether one is on of which the platform does not say so", () => {
    expect(check([webhook({ enabled: undefined })])).toMatchObject([{ status: "unknown", remedy: setUp }]);
  });

  it("tells each thing that is wrong", () => {
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
  ])("names one that leads to %s, although it may still be served", (_case, base) => {
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

  it("is content once one that is misled is switched off", () => {
    const misled = webhook({ id: "misled", webhookURL: `${httpUrl}/webhooks/b`, enabled: false });

    expect(check([webhook(), misled])).toMatchObject([{ status: "ok" }]);
  });

  it("tells of one that leads to another deployment, which may act, too", () => {
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

  it("looks at the one that is on, whichever comes first", () => {
    const off = { ...webhook({ id: "off", enabled: false }), retryOnFailure: true };
    const on = { ...webhook(), retryOnFailure: false };

    expect(checkRetries("a", sortWebhooks("a", httpUrl, [off, on]), services)).toMatchObject({
      status: "wrong",
      says: expect.stringContaining("webhook ours"),
    });
  });

  it("takes no odd address for a fault of its own", () => {
    expect(
      check([webhook(), webhook({ id: "odd", webhookURL: "not an address" }), { id: "none" }]),
    ).toMatchObject([{ status: "ok" }]);
  });

  it("takes what does not come back for no difference", () => {
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

  it("tells off from not known", () => {
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

  it("names what is missing with who needs it", () => {
    expect(checkTriggers("a", ["message_sent"], needs, services)).toEqual({
      status: "wrong",
      says: "The webhook lacks triggers that are needed: user_blocked (mine).",
      remedy: setUp,
    });
  });

  it("tells what is more than needed, and is content", () => {
    expect(checkTriggers("a", ["message_sent", "user_blocked", "group_created"], needs, services)).toEqual({
      status: "ok",
      says: "The webhook is subscribed to all needed triggers (2). 1 more are not needed by anything: group_created. No webhook reports after_message.",
    });
  });

  it("cannot tell where nobody knows what is deployed", () => {
    expect(checkTriggers("a", [], undefined, services).status).toBe("unknown");
  });
});

it("checkLegacyWebhooks minds those alone that are on and lead here", () => {
  const off = webhook({ enabled: false });
  const elsewhere = webhook({ webhookURL: "https://example.com/hook" });

  expect(checkLegacyWebhooks([off], services).status).toBe("ok");
  expect(checkLegacyWebhooks([elsewhere], services).status).toBe("ok");
  expect(checkLegacyWebhooks([webhook()], services).status).toBe("wrong");
});

it("onlyLegacy leaves out what the current engine lists as well", () => {
  const [shared, legacy] = [webhook({ createdAt: 5 }), webhook({ createdAt: 9 })];

  expect(onlyLegacy([shared, legacy], [shared])).toEqual([legacy]);
});
