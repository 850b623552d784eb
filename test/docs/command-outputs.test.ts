import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandBlocksOf, fillCommandBlocks, isSameOutput } from "./command-blocks.ts";
import { readCommandPages } from "./command-pages.ts";
import { type CommandWorld, startCommandWorld, toWords } from "./command-world.ts";

const help = "`npx node test/docs/write-command-outputs.ts` writes what the commands print now";

describe("a command that a page shows", () => {
  const pages = readCommandPages().filter(({ text }) => text.includes("```console"));
  let world: CommandWorld;

  beforeAll(async () => {
    world = await startCommandWorld();
  });
  afterAll(() => world?.close());

  it.each(pages)("prints what $file says", async ({ text }) => {
    const blocks = commandBlocksOf(text);

    const printed = await world.runPage(blocks);

    const differing = blocks.flatMap(({ typed, printed: told, line }, index) => {
      const now = printed[index] ?? "";
      return isSameOutput(told, now) ? [] : [{ line, typed, now }];
    });
    expect(differing, help).toEqual([]);
  });

  it("acts on the local world, or asks for help", () => {
    const others = pages.flatMap(({ file, text }) =>
      commandBlocksOf(text)
        .filter(({ typed }) => !toWords(typed).some((word) => ["--local", "--help"].includes(word)))
        .map(({ typed, line }) => `${file}:${line}: ${typed}`),
    );

    expect(others, "what acts on a stage, or follows for ever, is fenced as sh").toEqual([]);
  });
});

describe("fillCommandBlocks", () => {
  const page =
    "a\n\n<!-- prepared: x -->\n```console\n$ npx cometchat-functions status --local\nacts (pid 1)\n```\nb\n";

  it("writes what a command prints below it, and leaves the rest of the page", () => {
    expect(fillCommandBlocks(page, ["other\n"])).toBe(page.replace("acts (pid 1)", "other"));
  });

  it("leaves a block that differs by chance alone", () => {
    expect(fillCommandBlocks(page, ["acts (pid 27)\n"])).toBe(page);
  });

  it("fills a block that has nothing but its command", () => {
    const empty = page.replace("acts (pid 1)\n", "");

    expect(fillCommandBlocks(empty, ["acts (pid 1)\n"])).toBe(page);
  });
});

describe("commandBlocksOf", () => {
  it("reads the command, what has to be there, and what was printed", () => {
    const page =
      "```console\n$ npx cometchat-functions --help\n```\n<!-- prepared: x y -->\n\n```console\n$ npx cometchat-functions a --local\n1\n\n2\n```\n";

    expect(commandBlocksOf(page)).toEqual([
      { prepared: undefined, typed: "--help", printed: "", line: 1 },
      { prepared: "x y", typed: "a --local", printed: "1\n\n2\n", line: 4 },
    ]);
  });

  it("refuses a block that it would pass over", () => {
    expect(() => commandBlocksOf("```console\n$ npm start\n```\n")).toThrow(/begins with/);
  });
});

describe("isSameOutput", () => {
  it.each([
    ["at 2026-03-02T10:00:01.000Z", "at 2026-03-02 11:59"],
    ["http://127.0.0.1:4000/v3", "http://127.0.0.1:33333/v3"],
    ["id 018f2c1e-7a53-7aa0-9bbb-000000000000", "id 018f2c1e-7a53-7aa0-9bbb-0000000000ff"],
    ["took 12 ms   x", "took 1.5 s  x"],
  ])("passes over what differs each time: %s", (one, other) => {
    expect(isSameOutput(one, other)).toBe(true);
  });

  it.each([
    ["3 dead letters", "4 dead letters"],
    ["app-1", "app-2"],
    ["exit code 1", ""],
  ])("notices what does not: %s", (one, other) => {
    expect(isSameOutput(one, other)).toBe(false);
  });
});
