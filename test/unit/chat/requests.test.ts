import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createChatClient } from "../../../lib/chat/client.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import { caught } from "./caught-client.ts";

const options = { appId: "app1", apiKey: "key" };

describe("requests", () => {
  it("go to the host of the service and region", async () => {
    const { seen, chat } = caught([]);

    await chat.calls.list({ status: "ended" }).page();
    await chat.users.list().page();

    expect(seen.map(({ url }) => url)).toEqual([
      "https://app1.call-us.cometchat.io/v3/calls?status=ended",
      "https://app1.api-us.cometchat.io/v3/users",
    ]);
  });

  it("write lists comma-separated or repeated and ranges in brackets, as each parameter needs it", async () => {
    const { seen, chat } = caught([]);

    await chat.users
      .list({ tags: ["a", "b"], roles: ["x", "y"], createdAt: { from: 1, to: 2 }, withTags: true })
      .page();

    expect(decodeURIComponent(seen[0]?.url.split("?")[1] ?? "")).toBe(
      "roles=x&roles=y&tags=a,b&withTags=true&createdAt[from]=1&createdAt[to]=2",
    );
  });

  it("encode what goes into the path", async () => {
    const { seen, chat } = caught();

    await chat.reactions.add("7", "👍/?", { onBehalfOf: "alice" });

    expect(seen[0]?.url).toContain("/messages/7/reactions/%F0%9F%91%8D%2F%3F");
  });

  it.each(["..", ".", "", "a/b c"])("refuse %j as a uid", async (uid) => {
    const { seen, chat } = caught();

    await expect(chat.users.get(uid)).rejects.toThrow(InvalidInputError);
    expect(seen).toHaveLength(0);
  });

  it("send forms with files as bytes, for any fetch", async () => {
    const { seen, chat } = caught({ id: "rude" });

    await chat.keywordLists.create({
      category: "word",
      searchTerms: ["darn", "heck"],
      file: new Blob(["x"]),
    });

    const { body = null, headers = {} } = seen[0]?.init ?? {};
    const form = await new Response(body, { headers }).formData();
    expect([form.get("searchTerms"), form.get("category"), form.get("file")]).toEqual([
      "darn,heck",
      "word",
      expect.any(Blob),
    ]);
    expect(body).toBeInstanceOf(ArrayBuffer);
  });

  it("send the flag's reason under both names", async () => {
    const { seen, chat } = caught({});

    const answer = await chat.flaggedMessages.flag("7", { reasonId: "spam" }, { onBehalfOf: "alice" });

    expect(JSON.parse(String(seen[0]?.init.body))).toEqual({ reasonId: "spam", id: "spam" });
    expect(answer.success).toBe(true);
  });

  it("parse a reason's numeric strings and the bare answer of its deletion", async () => {
    const fetch = async (_url: unknown, { method }: RequestInit = {}) =>
      Response.json(
        method === "DELETE"
          ? { success: true, message: "gone" }
          : { data: [{ id: "spam", name: "Spam", createdAt: "1760443648", default: true }] },
      );
    const { reasons } = createChatClient({ ...options, fetch });

    expect(await Array.fromAsync(reasons.list())).toMatchObject([
      { createdAt: 1_760_443_648, default: true },
    ]);
    expect((await reasons.delete("spam")).success).toBe(true);
  });
});

describe("input", () => {
  const { chat } = caught();
  const text = { receiver: "bob", receiverType: "user", data: { text: "hi" } } as const;
  it.each([
    [
      "a message above 10 KB",
      () => chat.messages.send({ ...text, data: { text: "ä".repeat(6_000) } }),
      "data",
      /10 KB/,
    ],
    [
      "a message without a receiver",
      // @ts-expect-error JavaScript can call it so
      () => chat.messages.send({ data: { text: "hi" } }),
      "receiver",
      /receiverType/,
    ],
    [
      "a text message without text",
      () => chat.messages.send({ ...text, data: {} }),
      "data.text",
      /non-empty/,
    ],
    ["26 tags", () => chat.messages.send({ ...text, tags: Array(26).fill("t") }), "tags", /at most 25 items/],

    ["a uid with a space", () => chat.users.create({ uid: "a b", name: "A" }), "uid", /a-z 0-9/],

    [
      "metadata above 5 KB",
      () => chat.users.create({ uid: "a", name: "A", metadata: { m: "m".repeat(6_000) } }),
      "metadata",
      /5 KB/,
    ],
    [
      "26 members in one call",
      () => chat.members.add("g", { admins: Array(13).fill("a"), participants: Array(13).fill("b") }),
      "",
      /1 to 25/,
    ],
    [
      "milliseconds for seconds",
      () => chat.users.list({ createdAt: { from: 1_700_000_000_000 } }).page(),
      "createdAt.from",
      /unix seconds/,
    ],
    [
      "seconds for milliseconds",
      () => chat.metrics.usage({ fromDate: 1_700_000_000, toDate: 1 }),
      "fromDate",
      /unix milliseconds/,
    ],
    ["more than 1000 a page", () => chat.users.list({ perPage: 1_001 }).page(), "perPage", /from 1 to 1000/],
    [
      "an import keyed by another id",
      () => chat.dataImport.users({ users: { a: { uid: "b", name: "B" } } }),
      "users",
      /own uid/,
    ],
    [
      "a password group without a password",
      () => chat.groups.create({ guid: "g", name: "G", type: "password" }),
      "password",
      /given/,
    ],
  ])("refuses %s with the reason", async (_, send, field, rule) => {
    const refusal: unknown = await (async () => send())().catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(InvalidInputError);
    expect(refusal).toMatchObject({ field, rule: expect.stringMatching(rule) });
  });
});

it.each(["/users/../apikeys", "/a b", "//evil.example", "/%2e%2e/apikeys"])(
  "request refuses the path %s",
  async (path) => {
    const { seen, chat } = caught();

    const asking = chat.request({ method: "GET", path: path as "/", answer: z.unknown() });

    await expect(asking).rejects.toThrow(InvalidInputError);
    expect(seen).toHaveLength(0);
  },
);

it("an authOnly client can only create users and tokens", () => {
  const chat = createChatClient({ ...options, scope: "authOnly" });

  expect(Object.keys(chat).toSorted()).toEqual(["authTokens", "rateLimit", "users"]);
  expect([Object.keys(chat.users), Object.keys(chat.authTokens)]).toEqual([["create"], ["create"]]);
});
