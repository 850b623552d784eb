import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestCredentials } from "../../../lib/base/http/basic-auth.ts";
import { verifySender } from "../../../lib/receive/verify-sender.ts";
import type { AcceptedSender, AcceptedSenders } from "../../../lib/receive/webhook-credentials.ts";
import { basic } from "../../helpers/deliver.ts";

const body = Buffer.from('{"text":"Grüße 🎉"}');
const right = basic("platform", "with:colons:пароль");
const sender = (more: Partial<AcceptedSender> = {}, password = "with:colons:пароль"): AcceptedSender => ({
  digest: digestCredentials({ username: "platform", password }),
  families: ["webhook"],
  ...more,
});
const known: AcceptedSenders = { senders: [sender()], signingKeys: [] };

/** Verifies a request of app-1, and reports how often its credentials were refreshed. */
async function verify(
  accepted: AcceptedSenders,
  headers: Record<string, string | undefined>,
  { appId = "app-1" as string | undefined, refreshed = accepted } = {},
) {
  let lookups = 0;
  const refresh = async () => {
    lookups += 1;
    return refreshed;
  };
  const apps = new Map([["app-1", { get: async () => accepted, refresh }]]);
  const found = await verifySender({ headers, pathParameters: { appId }, body }, apps);
  return { sender: found, lookups };
}

describe("verifySender", () => {
  it("does not refresh credentials that match", async () => {
    expect(await verify(known, { authorization: right })).toEqual({
      sender: { families: ["webhook"], isReplaced: false, mustBeSigned: false },
      lookups: 0,
    });
  });

  it("refreshes them once if they do not match", async () => {
    const headers = { authorization: basic("platform", "second") };
    const refreshed = { ...known, senders: [...known.senders, sender({}, "second")] };

    expect(await verify(known, headers)).toEqual({ sender: undefined, lookups: 1 });
    expect(await verify(known, headers, { refreshed })).toMatchObject({
      sender: { isReplaced: false },
      lookups: 1,
    });
  });

  it.each([
    ["a part of the password", basic("platform", "with:colons:парол")],
    ["the credentials without the scheme", right.replace("Basic ", "")],
    ["no header", undefined],
  ])("refuses %s", async (_case, authorization) => {
    expect((await verify(known, { authorization })).sender).toBeUndefined();
  });

  it.each(["app-2", undefined])("refuses the app %s, which is not served", async (appId) => {
    const request = { headers: { authorization: right }, pathParameters: { appId }, body };
    const get = async () => known;

    expect(await verifySender(request, new Map([["app-1", { get, refresh: get }]]))).toBeUndefined();
  });

  it("refuses a request without credentials, even if the placeholder's digest were accepted", async () => {
    const zeros = { ...known, senders: [sender({ digest: Buffer.alloc(32) })] };

    expect((await verify(zeros, {})).sender).toBeUndefined();
  });

  it.each([
    ["wrong credentials", basic("platform", "wrong"), async () => known],
    ["the right ones of a served app", right, async () => known],
    ["no credentials", undefined, async () => known],
    ["a secret that cannot be read", right, () => Promise.reject(new Error("There is no such secret."))],
  ])(
    "answers an unknown app like a served one, after the same reads, with %s",
    async (_, authorization, read) => {
      const ask = async (appId: string, header = authorization) => {
        const reads: string[] = [];
        const readAs = (kind: string) => () => {
          reads.push(kind);
          return read();
        };
        const apps = new Map([["app-1", { get: readAs("get"), refresh: readAs("refresh") }]]);
        const request = { headers: { authorization: header }, pathParameters: { appId }, body };
        return { reads, answer: await verifySender(request, apps).catch(String) };
      };

      expect(await ask("app-2")).toEqual(
        await ask("app-1", authorization === right ? basic("platform", "wrong") : authorization),
      );
    },
  );

  it("names the missing setting if no app is served", async () => {
    const request = { headers: {}, pathParameters: { appId: "app-1" }, body };

    await expect(verifySender(request, new Map())).rejects.toThrow("No app is served: see config/apps.yml.");
  });

  it("reports a replaced password, unless the current version has it, too", async () => {
    const old = sender({ isReplaced: true, families: ["bot"] });

    const replaced = await verify({ ...known, senders: [old] }, { authorization: right });
    const both = await verify({ ...known, senders: [sender(), old] }, { authorization: right });

    expect(replaced.sender).toMatchObject({ isReplaced: true });
    expect(both.sender).toMatchObject({ isReplaced: false, families: ["webhook", "bot"] });
  });

  describe("with signing keys", () => {
    const hmac = (key: string, text: Buffer = body) => createHmac("sha256", key).update(text).digest("hex");
    const isTaken = async (signature: string | undefined, signingKeys = ["key", "next-key"]) => {
      const headers = { authorization: right, "x-cometchat-signature": signature };
      return (await verify({ ...known, signingKeys }, headers)).sender !== undefined;
    };

    it.each([
      ["the right signature", hmac("key")],
      ["that of another one of the keys", hmac("next-key")],
      ["the right signature in capitals", hmac("key").toUpperCase()],
      ["no signature, which is not required", undefined],
    ])("accepts %s", async (_case, signature) => {
      expect(await isTaken(signature)).toBe(true);
    });

    it.each([
      ["another key's signature", hmac("another-key")],
      ["a signature of other bytes", hmac("key", Buffer.concat([body, Buffer.from(" ")]))],
      ["an empty signature", ""],
      ["half a signature", hmac("key").slice(0, 32)],
      ...["0", "00", "zz"].flatMap((more) => [
        [`${more} before it`, more + hmac("key")],
        [`${more} behind it`, hmac("key") + more],
      ]),
    ])("refuses %s", async (_case, signature) => {
      expect(await isTaken(signature)).toBe(false);
    });

    it("ignores signatures while no key is configured", async () => {
      expect(await isTaken("anything", [])).toBe(true);
    });

    it.each([
      ["the right signature", ["key"], hmac("key"), true],
      ["no signature", ["key"], undefined, false],
      ["a wrong one", ["key"], hmac("another-key"), false],
      ["a signature without a key to check it: closed", [], hmac("key"), false],
    ])("that are required, decides about %s", async (_case, signingKeys, signature, isTaken) => {
      const accepted = { ...known, signingKeys, isSignatureRequired: true };
      const headers = { authorization: right, "x-cometchat-signature": signature };
      const request = { headers, pathParameters: { appId: "app-1" }, body };
      const get = async () => accepted;
      const apps = new Map([["app-1", { get, refresh: get }]]);

      const sender = await verifySender(request, apps, undefined, true);

      expect(sender?.mustBeSigned === true).toBe(isTaken);
      expect(sender !== undefined).toBe(isTaken);
      const asked = { ...request, headers: { authorization: right } };
      expect(await verifySender(asked, apps), "a question").toBeDefined();
    });

    it("requires the password in addition to a signature", async () => {
      const headers = { "x-cometchat-signature": hmac("key") };

      expect((await verify({ ...known, signingKeys: ["key"] }, headers)).sender).toBeUndefined();
    });
  });
});
