import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { describe, expect, it } from "vitest";
import {
  describeWrongUse,
  readCount,
  readDataFolder,
  readPort,
  UsageError,
} from "../../../build/read-arguments.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("describeWrongUse", () => {
  const options = { port: { type: "string" }, quick: { type: "boolean" } } as const;

  it.each([
    ["--bogus", "Unknown option '--bogus'"],
    ["--port", "Option '--port <value>' argument missing"],
    ["--port --quick", "Option '--port' argument is ambiguous."],
    ["--quick=yes", "Option '--quick' does not take an argument"],
    ["word", "Unexpected argument 'word'. This command does not take positional arguments"],
  ])("describes in one line why %s is refused", (line, reason) => {
    const refuse = () => {
      try {
        return parseArgs({ args: line.split(" "), options });
      } catch (error) {
        return describeWrongUse(error);
      }
    };

    expect(refuse()).toBe(reason);
  });

  it("describes a command's own refusal, and no other error", () => {
    expect(describeWrongUse(new UsageError("One folder is enough."))).toBe("One folder is enough.");
    expect(() => describeWrongUse(new Error("no space"))).toThrow("no space");
  });
});

describe("readPort and readCount", () => {
  it.each([
    ["0", 0],
    ["65535", 65_535],
  ])("reads %s", (text, port) => {
    expect(readPort(text)).toBe(port);
  });

  it.each(["65536", "", "0x10", "1e3"])("refuses the port %j", (text) => {
    expect(() => readPort(text)).toThrow(UsageError);
    expect(() => readPort(text)).toThrow(`"${text}"`);
  });

  it("names the option with an invalid number", () => {
    expect(() => readCount("messages", "many")).toThrow('--messages is a whole number, not "many".');
  });
});

describe("readDataFolder", () => {
  it("accepts an existing and a missing folder", () => {
    const there = temporaryFolder();

    expect(readDataFolder(there)).toBe(there);
    expect(readDataFolder(join(there, "new"))).toBe(join(there, "new"));
  });

  it("resolves a relative folder, because functions run in their own folders", () => {
    const there = temporaryFolder();

    expect(readDataFolder(relative(process.cwd(), there))).toBe(there);
    expect(readDataFolder("not-there-yet")).toBe(join(process.cwd(), "not-there-yet"));
  });

  it("names the remedy for a file", () => {
    const file = join(temporaryFolder(), "chat.sqlite");
    writeFileSync(file, "");

    expect(() => readDataFolder(file)).toThrow(
      `--data is a folder, and ${file} is a file. Name a folder; to go on with the file, move it there as platform.sqlite.`,
    );
    expect(() => readDataFolder("")).toThrow("--data is a folder, not an empty text.");
  });
});
