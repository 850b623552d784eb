import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  isChatApiError,
  isChatUnreachableError,
  isInvalidInputError,
} from "../../../lib/chat/error-guards.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../../../lib/chat/errors.ts";
import { caught } from "./caught-client.ts";

const guards = { isChatApiError, isChatUnreachableError, isInvalidInputError };
const whoSaysYes = (value: unknown) =>
  Object.entries(guards)
    .filter(([, guard]) => guard(value))
    .map(([name]) => name);

const refusal = { status: 404, code: "ERR_X", operation: "get-user", retryable: false, maybeExecuted: false };
const silence = { operation: "get-user", phase: "answer", reason: "TIMEOUT", maybeExecuted: true } as const;

interface Classes {
  readonly ChatApiError: typeof ChatApiError;
  readonly ChatUnreachableError: typeof ChatUnreachableError;
  readonly InvalidInputError: typeof InvalidInputError;
}

/** The errors of another copy of the package, in a separate realm. */
async function otherCopy(): Promise<Classes> {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../../lib/chat/errors.ts", import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "copy",
    write: false,
  });
  return runInNewContext(`${outputFiles[0]?.text};copy`) as Classes;
}

const made = (classes: Classes): [string, unknown][] => [
  ["isChatApiError", new classes.ChatApiError("no", refusal)],
  ["isChatUnreachableError", new classes.ChatUnreachableError(silence)],
  ["isInvalidInputError", new classes.InvalidInputError("get-user", "uid", "short")],
];

describe("the error guards", () => {
  it("recognize errors of this package, also of another copy in another realm", async () => {
    const others = made(await otherCopy());
    const all = [...made({ ChatApiError, ChatUnreachableError, InvalidInputError }), ...others];

    expect(all.map(([, error]) => whoSaysYes(error))).toEqual(all.map(([name]) => [name]));
    expect(others.some(([, error]) => error instanceof Error)).toBe(false);
  });

  const lookalike = Object.assign(new Error("no"), { name: "ChatApiError", ...refusal });
  const refuse = () => {
    throw new Error("hands off");
  };
  const hostile = new Proxy({}, { get: refuse, has: refuse });
  it.each([
    ["a lookalike of another library", lookalike],
    ["an error", new TypeError("x")],
    ["an object that throws when it is read", hostile],
    ["undefined", undefined],
    ["null", null],
    ["a text", "ChatApiError"],
    ["a list", [lookalike]],
    ["a function", () => lookalike],
  ])("reject %s", (_, value) => {
    expect(whoSaysYes(value)).toEqual([]);
  });
});

const before = { customError: undefined, ...z.config() };
afterEach(() => void z.config(before));

it.each([
  ["a language", z.locales.de()],
  [
    "messages that quote values",
    { customError: (issue: { input?: unknown }) => `got ${String(issue.input)}` },
  ],
])("messages of invalid calls do not change if the caller sets %s for all of zod", async (_, settings) => {
  z.config(settings);
  const { chat } = caught();

  const called = Reflect.apply(chat.users.create, undefined, [{ uid: "u1", name: 77_177 }]);

  await expect(called).rejects.toMatchObject({ field: "name", rule: "of type string, not number" });
});
