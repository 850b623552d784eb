import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { isChatUnreachableError, isInvalidInputError } from "../../../lib/chat/error-guards.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import { runs } from "../../helpers/property-runs.ts";
import { oddities as oddOnes } from "../package/oddities.ts";
import { caught } from "./caught-client.ts";

const fetch = async () => Response.json({ data: { id: "1" } });
const sleep = async () => {};
const chat = createChatClient({ appId: "app1", apiKey: "key", fetch, sleep });
const management = createManagementClient({ credentials: { key: "k", secret: "s" }, fetch, sleep });

type Callable = (...args: unknown[]) => unknown;

/** Every method of a client, detached from its `this`. */
const methodsOf = (client: object): [string, Callable][] =>
  Object.entries(client).flatMap(([family, methods]) =>
    typeof methods === "object"
      ? Object.entries(methods).map(([name, method]): [string, Callable] => [
          `${family}.${name}`,
          method as Callable,
        ])
      : [],
  );

const hostile = oddOnes.hostile?.();
const cyclic: Record<string, unknown> = { uid: "a" };
cyclic.metadata = cyclic;

/** Invalid and hostile arguments. */
const oddities: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  12n,
  true,
  "",
  "alice",
  "a/../b",
  "\ud800",
  "\u0000\r\n",
  Symbol("s"),
  () => "x",
  [],
  ["alice"],
  [undefined],
  {},
  { uid: "alice", name: 5 },
  { uid: Symbol("s"), metadata: { n: 12n } },
  { onBehalfOf: "alice" },
  { onBehalfOf: {} },
  { signal: "now" },
  { headers: { "x-a": "b\r\nc" } },
  { headers: hostile },
  { maxTries: 0 },
  { timeoutMs: Number.MAX_VALUE },
  { deadlineMs: -1 },
  { alreadyDone: () => 5 },
  { alreadyDone: 5 },
  { metadata: { toJSON: () => hostile } },
  { receiver: "bob", receiverType: "user", data: cyclic },
  Object.create(null),
  new Date(0),
  new Map([["uid", "alice"]]),
  new (class User {
    uid = "alice";
    get name(): string {
      throw new RangeError("no name");
    }
  })(),
  Promise.resolve({ uid: "alice" }),
  cyclic,
  hostile,
  new Proxy({ data: new Proxy({}, { get: () => hostile }) }, {}),
];
/** Boxed, because a failed test cannot print a value that throws on access. */
const odd = fc.oneof(
  fc.nat(oddities.length - 1).map((place) => ({ place })),
  fc
    .anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSparseArray: true,
      withTypedArray: true,
    })
    .map((value) => ({ value })),
);
const unbox = (box: { place: number } | { value: unknown }) =>
  "place" in box ? oddities[box.place] : box.value;

/** Returns a call's error, or undefined. Reads lists. */
async function cameTo(call: () => unknown): Promise<unknown> {
  try {
    const called = await call();
    if (typeof called === "object" && called !== null && "page" in called)
      await (called as { page: Callable }).page();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns true for an error of this client. */
function isOurs(error: unknown) {
  return error === undefined || isInvalidInputError(error) || isChatUnreachableError(error);
}

const methods = [...methodsOf(chat), ...methodsOf(management)];

describe("an invalid call", () => {
  it("is tested for every operation", () => {
    expect(methods.length).toBeGreaterThan(250);
  });

  it("fails with an error of this client for random arguments", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(odd, { maxLength: 6 }),
        async ([name, method], args) => {
          const error = await cameTo(() => method(...args.map(unbox)));
          expect(isOurs(error), `${name}: ${String(error)}`).toBe(true);
        },
      ),
      { ...runs(150), ignoreEqualValues: true },
    );
  });

  it("fails with an error of this client for each invalid value in each place", async () => {
    const bare: unknown[] = [];
    for (const [name, method] of methods) {
      for (const value of oddities) {
        for (const args of [[value], ["alice", value], ["a", {}, value]]) {
          const error = await cameTo(() => method(...args));
          if (!isOurs(error)) bare.push([name, args.length, String(error)]);
        }
      }
    }
    expect(bare).toEqual([]);
  });

  const ways: [string, (...args: unknown[]) => unknown][] = [
    ["call", (...args) => (chat.call as Callable)(...args)],
    [
      "call of a custom operation",
      (...args) => (chat.call as Callable)({ id: "x", request: "GET /x", answer: () => args[0] }, ...args),
    ],
    ["using", (...args) => (chat.using as Callable)(...args)],
    ["using an invalid family", (value) => (chat.using as Callable)({ odd: { get: value } })],
    ["request", (...args) => (chat.request as Callable)(...args)],
    ["request of a route", (...args) => (chat.request as Callable)("PUT /users/{uid}", ...args)],
    ["request of a list's route", (...args) => (chat.request as Callable)("GET /users", ...args)],
    ["request of an unknown route", (...args) => (chat.request as Callable)("PUT /tomorrow/{id}", ...args)],
    [
      "raw request",
      (value) =>
        (chat.request as Callable)({
          method: "POST",
          path: "/x",
          body: value,
          query: value,
          answer: () => 1,
        }),
    ],
    ["toArray", (...args) => (chat.users.list().toArray as Callable)(...args)],
    ["extensionSettings.store", (...args) => (management.extensionSettings.store as Callable)(...args)],
    ["createChatClient", (...args) => (createChatClient as Callable)(...args)],
    ["composeChatClient", (...args) => (composeChatClient as Callable)(...args)],
    [
      "composeChatClient with invalid families",
      (value) => (composeChatClient as Callable)({ appId: "a", apiKey: "k" }, value),
    ],
    ["createManagementClient", (...args) => (createManagementClient as Callable)(...args)],
  ];
  it.each(ways)("of %s fails with an error of this client", async (_, call) => {
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 4 }), async (args) => {
        const error = await cameTo(() => call(...args.map(unbox)));
        expect(isOurs(error), String(error)).toBe(true);
      }),
      runs(30),
    );
    for (const value of oddities) expect(isOurs(await cameTo(() => call(value)))).toBe(true);
  });
});

describe("the message of an invalid call", () => {
  const text = { receiver: "bob", receiverType: "user", data: { text: "hi" } } as const;
  const { chat: sender } = caught();
  const any = sender as unknown as Record<string, Record<string, Callable>>;

  it.each([
    [
      "a field that is missing",
      () => any.users?.create?.({ uid: "a" }),
      'Cannot call create-user: "name" is missing; it must be of type string.',
    ],
    [
      "headers of an unsupported type",
      () => any.users?.get?.("alice", { headers: new Headers({ "x-own": "1" }) }),
      'Cannot call get-user: "headers" must be an object.',
    ],
    [
      "a name where families belong",
      () => (chat.using as Callable)("users"),
      'Cannot call using: "families" must be families by their names, such as { messages, users }.',
    ],
    [
      "a path value that is missing",
      () => any.members?.remove?.("lobby"),
      'Cannot call kick-group-member: "uid" is missing; it must be 1 to 100 of the characters a-z 0-9 - _.',
    ],
    [
      "a number for an id",
      () => any.messages?.get?.(5),
      'Cannot call get-message-details: "id" must be a non-empty string that can be part of a path, not number.',
    ],
    [
      "a list for an object",
      () => any.users?.create?.([]),
      "Cannot call create-user: the input must be of type object, not array.",
    ],
    [
      "no acting user",
      () => any.messages?.save?.("1"),
      'Cannot call save-message: "onBehalfOf" is missing; it must be the acting user\'s uid, among the options.',
    ],
    [
      "an option within the input",
      () => any.messages?.send?.({ ...text, onBehalfOf: "alice" }),
      'Cannot call send-message: "onBehalfOf" must be among the options, which come after the input.',
    ],
    [
      "options in place of a path value",
      () => any.users?.get?.({ timeoutMs: 5 }),
      /"uid" must be 1 to 100 of .*, not object\./,
    ],
    [
      "an input where there is none",
      () => any.users?.get?.("alice", { name: "A" }),
      'Cannot call get-user: "name" must be left out: there is no such option. It takes (uid, options).',
    ],
    [
      "too many arguments",
      () => any.users?.get?.("alice", {}, {}),
      'Cannot call get-user: "options" must be followed by nothing else. It takes (uid, options).',
    ],
    [
      "one of several types",
      () => any.messages?.list?.({ sentAt: "now" }),
      /"sentAt" must be of type number or of type object/,
    ],
  ])("%s", async (_, call, message) => {
    const error = await cameTo(() => call());

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "InvalidInputError" });
    expect((error as Error).message).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });
});
