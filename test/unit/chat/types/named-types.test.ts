import { globSync, readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod/mini";
import { allFamilies } from "../../../../lib/chat/client.ts";
import { composeChatClient } from "../../../../lib/chat/compose.ts";
import type { appSettings, apps, team, tenants } from "../../../../lib/chat/management/apps.ts";
import type { extensions } from "../../../../lib/chat/management/extensions.ts";
import type { webhooks } from "../../../../lib/chat/management/webhooks.ts";
import type { ChangeInput } from "../../../../lib/chat/needs.ts";
import type {
  AnswerOf,
  ArgumentsOf,
  Family,
  IsKnownFamily,
  KnownFamilies,
  Operation,
} from "../../../../lib/chat/operation.ts";
import { messages } from "../../../../lib/chat/resources/messages.ts";
import { users } from "../../../../lib/chat/resources/users.ts";
import type { MessagesClient } from "../../../../lib/chat/types/messages.ts";
import type { NamedOperations } from "../../../../lib/chat/types/operations.ts";
import type { ChatRoutes } from "../../../../lib/chat/types/routes.ts";
import type { CreateUserInput, ListUsersQuery, User, UsersClient } from "../../../../lib/chat/types/users.ts";
import { allImports } from "../../../helpers/all-imports.ts";
import type { IsSameWithin } from "../../../helpers/is-same-within.ts";

interface AllFamilies extends Record<keyof typeof allFamilies, Family> {}
type Families = Pick<typeof allFamilies, keyof AllFamilies> & {
  apps: typeof apps;
  tenants: typeof tenants;
  team: typeof team;
  appSettings: typeof appSettings;
  webhooks: typeof webhooks;
  extensions: typeof extensions;
};

/** Derives the input type from the schema. */
type InputOf<O extends Operation> = O extends { readonly input: () => infer S extends z.ZodMiniType }
  ? ChangeInput<O["request"], z.input<S>>
  : undefined;
type Fits<O extends Operation> = O["id"] extends keyof NamedOperations
  ? NamedOperations[O["id"]] extends { readonly input: infer Input; readonly answer: infer Answer }
    ? [IsSameWithin<InputOf<O>, Input>, IsSameWithin<z.output<ReturnType<O["answer"]>>, Answer>]
    : ["not generated"]
  : ["not generated"];

/** Methods whose named types differ from their schema. */
type Misfits<All> = {
  [Name in keyof All]: { [Method in keyof All[Name]]: Misfit<All[Name][Method], Method> }[keyof All[Name]];
}[keyof All];
type Misfit<O, Name> = O extends Operation ? (Fits<O> extends [true, true] ? never : Name) : Name;

/** Families whose interface the client would not show. */
type Unknown<All> = {
  [Name in keyof All]: All[Name] extends Family
    ? IsKnownFamily<All[Name]> extends true
      ? never
      : Name
    : Name;
}[keyof All];

const options = { appId: "app1", apiKey: "k" };

// The compiler judges these (npm run types); nothing is sent.
describe("the named types", () => {
  it("match the schemas of every operation, and exist for every family and no other", () => {
    const chat = composeChatClient(options, { users });
    expect(chat.users.get).toBeTypeOf("function");
    expectTypeOf<Misfits<Families>>().toEqualTypeOf<never>();
    expectTypeOf<Unknown<Families>>().toEqualTypeOf<never>();
    expectTypeOf<keyof KnownFamilies>().toEqualTypeOf<keyof Families>();
    expectTypeOf<
      Misfits<{ one: { odd: { id: "get-user"; request: "GET /x"; answer: () => z.ZodMiniString } } }>
    >().toEqualTypeOf<"odd">();
  });

  it("give each operation its route, except those of the account", () => {
    type Requests = NamedOperations[keyof NamedOperations]["request"];
    expectTypeOf<keyof ChatRoutes>().toExtend<Requests>();
    expectTypeOf<ChatRoutes["GET /users/{uid}"]["path"]>().toEqualTypeOf<{ readonly uid: string }>();
    expectTypeOf<ChatRoutes["GET /users/{uid}"]["answer"]>().toEqualTypeOf<User>();
    expectTypeOf<ChatRoutes["POST /users"]["input"]>().toEqualTypeOf<CreateUserInput>();
    expectTypeOf<ChatRoutes["GET /users"]["kind"]>().toEqualTypeOf<"list">();
    const requests = Object.values<Family>(allFamilies).flatMap((family) =>
      Object.values(family).map(({ request }) => request),
    );
    const written = readFileSync("lib/chat/types/routes.ts", "utf8");

    expect(requests.filter((request) => !written.includes(`readonly "${request}": Named`))).toEqual([]);
    expect(written).not.toContain("/apps/{appId}");
  });

  it("are the types of a composed client and of call", () => {
    const chat = composeChatClient(options, { messages, people: users });
    expectTypeOf(chat.messages).toEqualTypeOf<MessagesClient>();
    expectTypeOf(chat.people).toEqualTypeOf<UsersClient>();
    expectTypeOf<ArgumentsOf<typeof users.list>[0]>().toEqualTypeOf<ListUsersQuery | undefined>();
    expectTypeOf<AnswerOf<typeof users.get>>().toEqualTypeOf<User>();
    expect(chat.messages.send).toBeTypeOf("function");
  });

  it("do not replace the inferred types of a custom operation", () => {
    const own = { get: { ...users.get, answer: () => z.object({ uid: z.literal("x") }) } } as const;
    const part = { send: messages.send } as const;
    const chat = composeChatClient(options, { own, part });
    expectTypeOf(chat.own.get).returns.resolves.toEqualTypeOf<{ uid: "x" }>();
    expectTypeOf(chat.part).not.toHaveProperty("list");
    expectTypeOf(chat.part.send).toExtend<MessagesClient["send"]>();
    expect(chat.own.get).toBeTypeOf("function");
  });
});

it("the named types import nothing from zod, directly or indirectly", () => {
  const all = allImports(globSync("lib/chat/types/*.ts"));

  expect(all).toContain("../chat-request.ts");
  expect(all.filter((name) => name.startsWith("zod"))).toEqual([]);
});
