import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod/mini";
import { createChatClient } from "../../../lib/chat/client.ts";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import type { Route, RouteArguments, RouteResult } from "../../../lib/chat/escape-hatch.ts";
import { users } from "../../../lib/chat/resources/users.ts";
import type { User } from "../../../lib/chat/types/users.ts";
import { caught } from "./caught-client.ts";

const alice = { uid: "alice", name: "Alice" };

describe("request of a route", () => {
  it("calls the route's operation, with path values and input by name", async () => {
    const { seen, chat } = caught(alice);

    const updated = await chat.request("PUT /users/{uid}", { uid: "alice", name: "Alice" });

    expect(updated.name).toBe("Alice");
    expect(seen[0]).toMatchObject({
      url: "https://app1.api-us.cometchat.io/v3/users/alice",
      init: { method: "PUT", body: '{"name":"Alice"}' },
    });
  });

  it("returns a list if the operation does", async () => {
    const { seen, chat } = caught([alice]);

    const listed = await chat.request("GET /users", { status: "online" }).toArray({ limit: 1 });

    expect(listed).toEqual([alice]);
    expect(seen[0]?.url).toMatch(/\/users\?status=available&perPage=1$/);
  });

  it.each([
    [{}, "uid", /get-user: "uid" is missing; it must be 1 to 100/],
    [{ uid: "a", name: "x" }, "options", /followed by nothing else. It takes \(uid, options\)/],
    ["alice", "", /the input must be an object, not string/],
    [null, "", /the input must be an object, not null/],
  ])("refuses the fields %j with the reason", async (fields, field, rule) => {
    const { seen, chat } = caught(alice);

    const asking = chat.request("GET /users/{uid}", fields as { uid: string });

    await expect(asking).rejects.toMatchObject({ name: "InvalidInputError", field });
    await expect(asking).rejects.toThrow(rule);
    expect(seen).toEqual([]);
  });

  it("is typed by its route", () => {
    const chat = createChatClient({ appId: "app1", apiKey: "key" });
    const calls = () => [
      chat.request(
        "POST /messages/{id}/thread",
        { id: "1", receiver: "bob", receiverType: "user" },
        { onBehalfOf: "alice" },
      ),
      // @ts-expect-error the path's value is missing
      chat.request("GET /users/{uid}", {}),
      // @ts-expect-error there is no such field
      chat.request("PUT /users/{uid}", { uid: "a", nom: "x" }),
      // @ts-expect-error the answer of an unknown route needs a reader
      chat.request("GET /tomorrow", {}),
      // @ts-expect-error there is no such method
      chat.request("get /users"),
      // @ts-expect-error the path values are missing
      chat.request("GET /users/{uid}"),
      // @ts-expect-error the acting user is missing
      chat.request("POST /messages/{id}/thread", { id: "1", receiver: "a", receiverType: "user" }),
      // @ts-expect-error the answer of a raw request needs a reader
      chat.request({ method: "GET", path: "/x" }),
      // @ts-expect-error a path begins with a slash
      chat.request({ method: "GET", path: "x", answer: String }),
      chat.request("GET /tomorrow/{id}", { id: "1" }, { answer: String }),
      chat.request("GET /users", { more: 1 }, { answer: String }),
      chat.request({ method: "GET", path: "/tomorrow", answer: String }),
    ];
    const traced = <R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R> =>
      chat.request(route, ...args);
    expect(traced).toBeTypeOf("function");
    expect(calls).toBeTypeOf("function");
    const get = () => chat.request("GET /users/{uid}", { uid: "alice" });
    expectTypeOf(get).returns.resolves.toEqualTypeOf<User>();
  });
});

describe("request of an unknown route", () => {
  it("fills its path, and puts the other fields into the query of a GET", async () => {
    const { seen, chat } = caught({ id: "7" });

    const answer = await chat.request(
      "GET /tomorrow/{id}",
      { id: "7/8", tags: ["a", "b"] },
      { answer: z.object({ id: z.string() }) },
    );

    expect(answer.id).toBe("7");
    expect(seen[0]?.url).toBe("https://app1.api-us.cometchat.io/v3/tomorrow/7%2F8?tags=a&tags=b");
  });

  it("puts the fields into the body of any other method, and parses the answer with a function", async () => {
    const { seen, chat } = caught({ id: "7" });
    const read = (data: unknown) => JSON.stringify(data);

    const answer = await chat.request("POST /tomorrow", { what: 1 }, { answer: read, onBehalfOf: "bob" });

    expectTypeOf(answer).toEqualTypeOf<string>();
    expect(answer).toBe('{"id":"7"}');
    expect(seen[0]?.init).toMatchObject({
      method: "POST",
      body: '{"what":1}',
      headers: { onBehalfOf: "bob" },
    });
  });

  it("reports an answer that the function cannot parse", async () => {
    const { chat } = caught({});
    const read = () => {
      throw new TypeError("the answer was …");
    };

    await expect(chat.request("GET /tomorrow", {}, { answer: read })).rejects.toMatchObject({
      name: "ChatUnreachableError",
      phase: "body",
      reason: "UNEXPECTED_SHAPE",
    });
  });

  it("requires a parser, also for an operation whose family the client lacks", async () => {
    const { fetch } = caught();
    const chat = composeChatClient({ appId: "app1", apiKey: "key", fetch }, { users });

    const asking = chat.request("GET /groups/{guid}", { guid: "lobby" });

    await expect(asking).rejects.toThrow(/GET \/groups\/\{guid\}: "answer" is missing.*no such operation/);
  });

  it.each([
    ["GET", {}, "path"],
    ["FETCH /users", {}, "method"],
    ["GET /a/{id}", {}, "id"],
    ["GET /a/{id}", { id: ".." }, "id"],
    ["GET /a/../{id}", { id: "x" }, "path"],
    ["GET /a b", {}, "path"],
  ])("refuses %s with %j", async (route, fields, field) => {
    const { seen, chat } = caught();

    const asking = chat.request(route as "GET /", fields, { answer: z.unknown() });

    await expect(asking).rejects.toMatchObject({ name: "InvalidInputError", field });
    expect(seen).toEqual([]);
  });
});
