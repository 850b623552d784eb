import { describe, expect, it } from "vitest";
import { isDocumented, refusalIn } from "../../../lib/chat/judge-answer.ts";
import { settingsOperations } from "../../../lib/chat/management/extension-settings.ts";
import type { Operation } from "../../../lib/chat/operation.ts";
import { clientMethods } from "../../contract/client-operations.ts";
import { answered } from "./caught-client.ts";

const operations: readonly Operation[] = [
  ...clientMethods().map(({ operation }) => operation),
  ...Object.values(settingsOperations),
];
const lists = operations.filter(({ paged }) => paged !== undefined);
const single = operations.filter(({ paged, documented }) => paged === undefined && documented !== "none");
const free = operations.filter(({ paged, documented }) => paged === undefined && documented === "none");

/** JSON bodies without information; undefined is an empty body. */
const nothings = [undefined, null, {}, "OK", 1, { data: null }, { data: "OK" }, { data: 1 }];
const noes = [
  { error: { code: "ERR_UID_NOT_FOUND", message: "No." } },
  { error: "No." },
  { error: {} },
  { success: false },
  { data: { error: { message: "No." } } },
  { data: { success: false, message: "No." } },
  { data: { statusCode: 200, success: true, body: { data: { success: false } } } },
];

describe("the table of documented forms", () => {
  it("has a form for each operation outside of campaigns, and several for a few operations", () => {
    expect(free.map(({ request }) => request.split("/")[1])).toEqual(
      free.map(() => expect.stringMatching(/^(campaigns|notifications|notification-feed|analytics)/)),
    );
    expect(
      operations
        .filter(({ documented }) => documented === "several")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([
      "blockreview-flagged-message",
      "delete-extension-settings",
      "delete-message",
      "flag-a-message",
      "get-extension-settings",
      "notifications-get-contact-details",
      "notifications-push-list-preferences",
      "notifications-push-reset-preferences",
      "notifications-push-update-preferences",
      "query-push-notification-certificates",
      "store-extension-settings",
      "update-extension-settings",
    ]);
  });

  it.each(nothings.map((body) => [JSON.stringify(body), body]))("treats %s as undocumented", (_, body) => {
    expect([...single, ...lists].filter((operation) => isDocumented(operation, body))).toEqual([]);
    expect(free.filter((operation) => !isDocumented(operation, body))).toEqual([]);
  });

  it.each([{}, { a: 1 }, { data: {} }, { data: { uid: "alice" } }])("does not treat %j as a list", (body) => {
    expect(lists.filter((operation) => isDocumented(operation, body))).toEqual([]);
  });
});

describe("refusalIn", () => {
  it.each(noes)("finds the refusal in %j", (body) => {
    expect(refusalIn(body)).toBeDefined();
  });

  it.each([
    { data: { success: true } },
    { data: { error: { success: true }, success: { success: true } } },
    { data: { bob: { success: false, error: { code: "ERR_UID_NOT_FOUND" } } } },
    { data: { id: "1", data: { error: "what a user wrote", success: false } } },
    { data: [{ success: false }], error: null },
  ])("finds no refusal in %j", (body) => {
    expect(refusalIn(body)).toBeUndefined();
  });
});

/** A client that gets these bodies with status 200 in order, then the last one repeatedly. */
const clientFor = (...bodies: readonly unknown[]) =>
  answered(...bodies.map((body) => () => Response.json(body)));

describe("a 200 with a refusal", () => {
  it("is an ordinary refusal if its code is final: not retried, certainly not executed", async () => {
    const { chat, requests } = clientFor({ error: { code: "ERR_UID_NOT_FOUND", message: "No such user." } });

    const refused = await chat.users.get("bob").catch((error) => error);

    expect(refused).toMatchObject({
      name: "ChatApiError",
      status: 200,
      code: "ERR_UID_NOT_FOUND",
      retryable: false,
      maybeExecuted: false,
      message: expect.stringContaining("No such user."),
    });
    expect(requests()).toBe(1);
  });

  it("is an outage with any other code or without one: retried if that is safe", async () => {
    const trouble = clientFor({ error: { code: "ERR_EXCEPTION" } }, { data: { uid: "bob" } });
    const { chat, requests } = clientFor({ data: { success: false, message: "Not now." } });

    expect(await trouble.chat.users.get("bob")).toEqual({ uid: "bob" });
    await expect(chat.bannedUsers.ban("lobby", "bob")).rejects.toMatchObject({
      code: "HTTP_200",
      retryable: false,
      maybeExecuted: true,
      message: expect.stringContaining("Not now."),
    });
    expect(requests()).toBe(1);
  });
});

describe("a 200 without information", () => {
  it.each([{}, null, { data: {} }])("is retried if that is safe: %j", async (body) => {
    const { chat, requests } = clientFor(body, { data: { uid: "bob" } });

    expect(await chat.users.get("bob")).toEqual({ uid: "bob" });
    expect(requests()).toBe(2);
  });

  it("is not an acknowledgement, nor is an object of an undocumented form", async () => {
    const { chat } = clientFor({ data: { outcome: "ok" } });

    await expect(chat.bannedUsers.ban("lobby", "bob")).rejects.toThrow(/UNEXPECTED_SHAPE at success/);
    await expect(chat.members.changeScope("lobby", "bob", { scope: "admin" })).rejects.toThrow(
      /UNEXPECTED_SHAPE/,
    );
  });
});

describe("a list", () => {
  const first = { data: [{ uid: "alice" }], meta: { pagination: { current_page: 1, total_pages: 2 } } };

  it.each([...noes.slice(0, 6), ...nothings.slice(1), { data: { outcome: "ok" } }])(
    "throws for %j, on its first page or a later one",
    async (body) => {
      const onFirst = clientFor(body).chat.users.list();
      const onSecond = clientFor(first, body).chat.users.list();

      await expect(onFirst.page()).rejects.toThrow(/refused with 200|No usable answer/);
      await expect(onFirst.toArray({ limit: Infinity })).rejects.toThrow(/refused with 200|No usable answer/);
      await expect(onSecond.toArray({ limit: Infinity })).rejects.toThrow(
        /refused with 200|No usable answer/,
      );
    },
  );

  it("may be empty", async () => {
    expect(await clientFor({ data: [] }).chat.users.list().toArray({ limit: 5 })).toEqual([]);
  });
});
