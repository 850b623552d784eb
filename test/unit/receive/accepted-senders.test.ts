import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestCredentials } from "../../../lib/base/http/basic-auth.ts";
import { verifySender } from "../../../lib/receive/verify-sender.ts";
import type { AcceptedSenders } from "../../../lib/receive/webhook-credentials.ts";
import { basic } from "../../helpers/deliver.ts";

const digest = digestCredentials({ username: "platform", password: "p" });
const known: AcceptedSenders = { senders: [{ digest, families: ["webhook"] }], signingKeys: [] };
const body = Buffer.from("{}");

/** Verifies a request of app-1, and tells how often its credentials were looked up anew. */
async function verify(accepted: AcceptedSenders, headers: Record<string, string>, appId?: string) {
  let lookups = 0;
  const refresh = async () => {
    lookups += 1;
    return accepted;
  };
  const apps = new Map([["app-1", { get: async () => accepted, refresh }]]);
  const sender = await verifySender({ headers, pathParameters: { appId }, body }, apps);
  return { sender, lookups };
}

describe("verifySender", () => {
  it("does not look credentials up anew while they fit", async () => {
    const { sender, lookups } = await verify(known, { authorization: basic("platform", "p") }, "app-1");

    expect(sender).toEqual({ appId: "app-1", families: new Set(["webhook"]), isReplaced: false });
    expect(lookups).toBe(0);
  });

  it("looks them up anew, once, when they do not", async () => {
    const { sender, lookups } = await verify(known, { authorization: basic("platform", "q") }, "app-1");

    expect(sender).toBeUndefined();
    expect(lookups).toBe(1);
  });

  it("refuses a path without an app", async () => {
    const { sender } = await verify(known, { authorization: basic("platform", "p") });

    expect(sender).toBeUndefined();
  });

  it("refuses a request without credentials, even if what stands in for them were accepted", async () => {
    const zeros: AcceptedSenders = {
      senders: [{ digest: Buffer.alloc(32), families: ["webhook"] }],
      signingKeys: [],
    };

    const { sender } = await verify(zeros, {}, "app-1");

    expect(sender).toBeUndefined();
  });

  it("refuses an app that is not served even while the secret that stands in for its own cannot be read", async () => {
    const unreadable = () => Promise.reject(new Error("There is no such secret."));
    const apps = new Map([["app-1", { get: unreadable, refresh: unreadable }]]);
    const from = (appId: string) =>
      verifySender(
        { headers: { authorization: basic("platform", "p") }, pathParameters: { appId }, body },
        apps,
      );

    expect(await from("app-2")).toBeUndefined();
    await expect(from("app-1")).rejects.toThrow("There is no such secret.");
  });

  it("says what to set when no app is served", async () => {
    const request = { headers: {}, pathParameters: { appId: "app-1" }, body };

    await expect(verifySender(request, new Map())).rejects.toThrow(
      "No app is served: config/apps.yml names those that a deployment serves.",
    );
  });

  it("looks at no signature while no key for one is configured", async () => {
    const headers = { authorization: basic("platform", "p"), "x-cometchat-signature": "anything" };

    expect((await verify(known, headers, "app-1")).sender).toBeDefined();
  });

  it.each(["", "0", "00", "zz"])(
    "refuses the right signature with %j before or behind it, unless empty",
    async (more) => {
      const signature = createHmac("sha256", "key").update(body).digest("hex");
      const signed = async (value: string) => {
        const headers = { authorization: basic("platform", "p"), "x-cometchat-signature": value };
        return (await verify({ ...known, signingKeys: ["key"] }, headers, "app-1")).sender !== undefined;
      };

      expect(await signed(more + signature)).toBe(more === "");
      expect(await signed(signature + more)).toBe(more === "");
    },
  );
});
