import { describe, expect, it } from "vitest";
import { openEditor } from "../../../helpers/open-editor.ts";

/** What is wrong with a call, by what a compiler says of it. */
const wrong = {
  'request("GET /userz/{uid}")': `Argument of type '"GET /userz/{uid}"' is not assignable to parameter of type 'keyof ChatRoutes'.`,
  'request("GET /userz/{uid}", { uid: "a" })': `Argument of type '"GET /userz/{uid}"' is not assignable to parameter of type 'keyof ChatRoutes'.`,
  'request("get /users")': `Argument of type '"get /users"' is not assignable to parameter of type 'keyof ChatRoutes'.`,
  'request("GET /users/{uid}")': "Expected 2-3 arguments, but got 1.",
  'request("GET /users/{uid}", { ui: "a" })':
    "Object literal may only specify known properties, and 'ui' does not exist in type '{ readonly uid: string; }'.",
  'request("POST /messages/{id}/thread", { id: "1", receiver: "a" })': "Expected 3 arguments, but got 2.",
  'request({ method: "GET", path: "/x" })': [
    `Argument of type '{ method: "GET"; path: "/x"; }' is not assignable to parameter of type 'RawRequest<unknown>'.`,
    `  Property 'answer' is missing in type '{ method: "GET"; path: "/x"; }' but required in type 'RawRequest<unknown>'.`,
  ].join("\n"),
  'request({ method: "GET", path: "x", answer: String })': `Type '"x"' is not assignable to type '\`/\${string}\`'.`,
};

describe("what a compiler says of a wrong request", () => {
  it("is what is wrong, and nothing of the other ways to ask", () => {
    const calls = Object.keys(wrong).map((call) => `chat.${call};`);
    const source = [
      'import { createChatClient } from "./client.ts";',
      'const chat = createChatClient({ appId: "a", apiKey: "k" });',
      ...calls,
    ];

    const { errors } = openEditor("lib/chat/editor-of-a-user.ts", source.join("\n"));

    expect(errors()).toEqual(Object.values(wrong));
  });

  it("is nothing where a reader has a type of its own, or somebody passes on what was asked", () => {
    const { errors } = openEditor(
      "lib/chat/editor-of-a-user.ts",
      `
import { createChatClient } from "./client.ts";
import type { Route, RouteArguments, RouteResult } from "./escape-hatch.ts";

const chat = createChatClient({ appId: "a", apiKey: "k" });
export const unknownRoute: string = await chat.request("GET /tomorrow/{id}", { id: "1" }, { answer: (data) => String(data) });
export const knownRoute: string = await chat.request("GET /users", { more: 1 }, { answer: (data) => String(data) });
export const oneObject: string = await chat.request({ method: "GET", path: "/tomorrow", answer: (data) => String(data) });
export function traced<R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R> {
  return chat.request(route, ...args);
}
export const either = (route: "GET /users/{uid}" | "DELETE /users/{uid}") => chat.request(route, { uid: "a" });
`,
    );

    expect(errors()).toEqual([]);
  });
});
