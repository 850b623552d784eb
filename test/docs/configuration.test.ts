import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runConfigCommand } from "../../build/config-command.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/configuration.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, kind = "", text = ""]) => ({
  kind,
  text,
}));

describe("docs/configuration.md", () => {
  it("shows commands that run, each with what it prints", async () => {
    const elsewhere = temporaryFolder();
    const commands = blocks.flatMap(({ kind, text }, index) =>
      kind === "sh" ? [{ command: text.trim(), shown: blocks[index + 1] }] : [],
    );

    expect(commands.length).toBeGreaterThan(2);
    for (const { command, shown } of commands) {
      const [, rest = ""] = /^npm run config(?: -- (.*))?$/.exec(command) ?? [];
      const printed: string[] = [];
      const code = await runConfigCommand(
        rest.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', "")) ?? [],
        {
          projectFolder: rest === "--write-schemas" ? elsewhere : root,
          now: () => new Date(0),
          print: (text) => void printed.push(text),
          printError: (text) => void printed.push(text),
        },
      );
      expect(command).toMatch(/^npm run config/);
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(printed.join("")).toBe(rest.startsWith("why") ? shown?.text : printed.join(""));
    }
  });
});
