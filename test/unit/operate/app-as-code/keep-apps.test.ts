import { describe, expect, it } from "vitest";
import { bots } from "../../../../lib/chat/resources/bots.ts";
import { keepApp, keepApps, SeedFailedError } from "../../../../lib/operate/app-as-code/keep-apps.ts";
import { botsSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { openWebhookSecret } from "../../../../lib/operate/app-as-code/webhook-secret.ts";
import { startApp, testFacts } from "../../../helpers/app-apis.ts";

const time = { deadlineMs: 60_000, now: () => 0 };
const blocked = { kind: "reason", id: "spam", outcome: "blocked", cause: "refused" } as const;
const keep = async () => ({ things: [blocked], unseen: [], drift: 1 });

describe("a resource that the app refuses", () => {
  it("is reported by a rehearsal, and fails a repair", async () => {
    expect(await keepApps(["a"], true, time, keep)).toMatchObject({ apps: [{ things: [blocked] }] });
    await expect(keepApps(["a"], false, time, keep)).rejects.toThrow(SeedFailedError);
  });

  it("is reported by app, with the cause", async () => {
    const missing = Object.assign(new Error("none"), { name: "ResourceNotFoundException" });
    const seeding = keepApps(["shop-one", "shop-two", "shop-three"], false, time, async (appId) => {
      if (appId === "shop-one") throw missing;
      return appId === "shop-two" ? keep() : { things: [], unseen: [], drift: 0 };
    });

    await expect(seeding).rejects.toThrow(
      "Seeding failed in part; run it again after mending the causes. shop-one: its secret is missing. shop-two: reason spam: refused",
    );
  });

  it("fails a rehearsal if the app cannot be read", async () => {
    await expect(keepApps(["a"], true, time, () => Promise.reject(new Error("no")))).rejects.toThrow(
      SeedFailedError,
    );
  });
});

describe("a bot's credentials while the webhook's password is rotated", () => {
  const secretId = "x/one/webhook";
  const textOf = (webhookPassword: string) =>
    JSON.stringify({ webhookUsername: "platform", webhookPassword });
  const declared = botsSubject.declare({ bots: [{ uid: "robot", name: "Robot" }] }, testFacts);

  it.each([
    ["kept once the platform has the pending one", { AWSPENDING: textOf("new") }, "blocked", "new"],
    ["kept once the pending one is in use", { later: textOf("new") }, "blocked", "new"],
    ["repaired without a rotation", {}, "updated", "old"],
    ["repaired after Secrets Manager's own rotation", { AWSPENDING: textOf("old") }, "updated", "old"],
  ])("are %s", async (_, { AWSPENDING, later = textOf("old") }: Versions, outcome, password) => {
    const { apis } = startApp();
    await apis.apply(
      { bots: { bots: [{ uid: "robot", name: "Robot" }] } },
      { secrets: { webhookUsername: "platform", webhookPassword: "new" } },
    );
    const current = [textOf("old")];
    const webhook = openWebhookSecret(async (_id, stage) => {
      if (stage === undefined) return current.shift() ?? later;
      if (AWSPENDING !== undefined) return AWSPENDING;
      throw Object.assign(new Error("none"), { name: "ResourceNotFoundException" });
    }, secretId);

    const { things } = await keepApp({
      kinds: botsSubject.kinds,
      declared,
      apis,
      secretOf: async (name) => (await webhook.fields()).optionalText(name),
      isRotating: webhook.isRotating,
      isRehearsal: false,
    });

    expect(things).toMatchObject([{ id: "robot", outcome }]);
    expect(await apis.chat.using({ bots }).bots.get("robot")).toMatchObject({ password });
  });
});

interface Versions {
  readonly AWSPENDING?: string;
  readonly later?: string;
}
