import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocksOf } from "./code-blocks.ts";

describe("docs/recipes/login-endpoint.md", () => {
  async function logInWith(...statuses: readonly (number | undefined)[]) {
    const page = readFileSync(join(import.meta.dirname, "../../docs/recipes/login-endpoint.md"), "utf8");
    const part = codeBlocksOf(page).find(({ text }) => text.includes("CometChat.login"));
    const left = [...statuses];
    const waits: number[] = [];
    const logins: unknown[] = [];
    const fetch = async () => {
      const status = left.shift();
      if (status === undefined) throw new TypeError("Failed to fetch");
      return Response.json(status === 200 ? { authToken: "ann_1" } : { error: { code: "x" } }, { status });
    };
    const setTimeout = (resolve: () => void, ms: number) => {
      waits.push(ms);
      resolve();
    };
    const logIn = (token: unknown) => void logins.push(token);
    const run = new Function(
      "fetch",
      "setTimeout",
      "CometChat",
      "login",
      `return (async () => {${part?.text}})()`,
    );
    const failure = await run(fetch, setTimeout, { login: logIn }, "a.b.c").catch(String);
    return { logins, failure, waits, left };
  }

  it("logs in after lost answers, 429 and 503, with waits that grow", async () => {
    const { logins, failure, waits } = await logInWith(undefined, 429, 503, 200);

    expect([logins, failure]).toEqual([["ann_1"], undefined]);
    expect(waits.map((ms, index) => ms >= 500 * 2 ** index && ms < 1_500 * 2 ** index)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    ["at once if the login is refused", [403, 200], "403", 0],
    ["after five attempts", [503, 503, 503, 503, 503, 200], "503", 4],
  ])("fails %s", async (_case, statuses, status, count) => {
    const { logins, failure, waits, left } = await logInWith(...statuses);

    expect(failure).toContain(status);
    expect([logins, waits.length, left]).toEqual([[], count, [200]]);
  });
});
