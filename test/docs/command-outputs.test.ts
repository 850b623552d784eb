import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandBlocksOf, isSameOutput } from "./command-blocks.ts";
import { readCommandPages } from "./command-pages.ts";
import { type CommandWorld, startCommandWorld, toWords } from "./command-world.ts";

const help = "`npx node test/docs/write-command-outputs.ts` writes what the commands print now";

describe("a command on a page", () => {
  const pages = readCommandPages().filter(({ text }) => text.includes("```console"));
  let world: CommandWorld;

  beforeAll(async () => {
    world = await startCommandWorld();
  });
  afterAll(() => world?.close());

  it.each(pages)("prints what $file shows", async ({ text }) => {
    const blocks = commandBlocksOf(text);

    const printed = await world.runPage(blocks);

    const differing = blocks.flatMap(({ typed, printed: told, line }, index) => {
      const now = printed[index] ?? "";
      return isSameOutput(told, now) ? [] : [{ line, typed, now }];
    });
    expect(differing, help).toEqual([]);
  });

  it("acts on the local stack, or prints help", () => {
    const others = pages.flatMap(({ file, text }) =>
      commandBlocksOf(text)
        .filter(({ typed }) => !toWords(typed).some((word) => ["--local", "--help"].includes(word)))
        .map(({ typed, line }) => `${file}:${line}: ${typed}`),
    );

    expect(others, "what acts on a stage, or follows for ever, is fenced as sh").toEqual([]);
  });
});
