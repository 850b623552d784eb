import { describe, expect, expectTypeOf, it } from "vitest";
import { readRegion } from "../../../../lib/chat/address.ts";
import { createChatClient } from "../../../../lib/chat/client.ts";
import { type ChatApiError, InvalidInputError } from "../../../../lib/chat/errors.ts";
import { createManagementClient } from "../../../../lib/chat/management/management-client.ts";
import { groups } from "../../../../lib/chat/resources/groups.ts";
import type { NamedOperations } from "../../../../lib/chat/types/operations.ts";
import { clientMethods } from "../../../contract/client-operations.ts";
import { caught } from "../caught-client.ts";

/** Changes that accept an empty input. */
type Empty<All> = {
  [Id in keyof All]: All[Id] extends {
    readonly request: `${"PUT" | "PATCH"} ${string}`;
    readonly input: infer Input;
  }
    ? Input extends undefined
      ? never
      : string extends keyof Input
        ? never
        : Record<never, never> extends Input
          ? Id
          : never
    : never;
}[keyof All];

const content = { type: "text", data: { text: "hi" } };

// The compiler checks the comments (npm run types); the runtime refuses JavaScript's calls.
describe("a call without required input", () => {
  it("is refused by compiler and runtime, and nothing is sent", async () => {
    const { seen, chat } = caught();
    const management = createManagementClient({ credentials: { key: "k", secret: "s" } });
    const calls = [
      // @ts-expect-error without input
      chat.messages.send(),
      // @ts-expect-error without receiver
      chat.messages.send({}),
      // @ts-expect-error without receiver
      chat.messages.send(content),
      // @ts-expect-error without the receiver's type
      chat.messages.send({ ...content, receiver: "bob" }),
      // @ts-expect-error without receiver
      chat.bots.send("bot", content),
      // @ts-expect-error without receiver
      chat.threads.reply("1", content, { onBehalfOf: "bob" }),
      // @ts-expect-error without receiver
      chat.request("POST /messages", content),
      // @ts-expect-error without input
      chat.members.add("lobby"),
      // @ts-expect-error without members
      chat.members.add("lobby", {}),
      // @ts-expect-error without features
      chat.restrictedFeatures.allow("default", {}),
      // @ts-expect-error without anything in it
      chat.users.update("bob", {}),
      // @ts-expect-error without anything in it
      chat.messages.send({ ...content, multipleReceivers: {} }),
      // @ts-expect-error without anything in it
      chat.request("PUT /users/{uid}", { uid: "bob" }),
      // @ts-expect-error without anything in it
      chat.call(groups.update, "lobby", {}),
      // @ts-expect-error without anything in it
      management.team.change("app1", {}),
      // @ts-expect-error no such scope
      chat.members.changeScope("lobby", "bob", { scope: "owner" }),
    ];

    const outcomes = await Promise.allSettled(calls);

    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual(
      calls.map(() => expect.any(InvalidInputError)),
    );
    expect(seen).toEqual([]);
  });

  it("is refused by every change whose input is empty", async () => {
    const { seen, chat } = caught();
    const changes = clientMethods().flatMap(({ operation }) =>
      /^(PUT|PATCH) /.test(operation.request) && operation.input ? [operation] : [],
    );

    for (const operation of changes) {
      const path = [...operation.request.matchAll(/\{/g)].map(() => "a");
      const options = operation.onBehalfOf === undefined ? {} : { onBehalfOf: "bob" };
      const calling = Reflect.apply(chat.call, undefined, [operation, ...path, {}, options]);
      await expect(calling, operation.id).rejects.toThrow(InvalidInputError);
    }
    expect(changes.length).toBeGreaterThan(40);
    expect(seen).toEqual([]);
    expectTypeOf<Empty<NamedOperations>>().toEqualTypeOf<never>();
  });
});

it("a region must exist, and readRegion parses one", () => {
  const options = { appId: "app1", apiKey: "key" };

  // @ts-expect-error the platform has no such region
  expect(() => createChatClient({ ...options, region: "de" })).toThrow("one of us, eu, in");
  expect(createChatClient({ ...options, region: readRegion("eu") })).toHaveProperty("users");
  expect(() => readRegion("de")).toThrow(InvalidInputError);
  expect(readRegion(undefined)).toBe("us");
});

it("an error's code is comparable only with the platform's codes", () => {
  const checks = ({ code }: ChatApiError) => [
    // @ts-expect-error the platform has no such code
    code === "ERR_UID_NOT_FUND",
    code === "ERR_UID_NOT_FOUND",
    code === "HTTP_503",
  ];
  expect(checks).toBeTypeOf("function");
  expectTypeOf<ChatApiError["code"]>().not.toEqualTypeOf<string>();
});
