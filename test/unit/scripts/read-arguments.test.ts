import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  parseArguments,
  readCount,
  readDataFolder,
  readPort,
  UsageError,
} from "../../../scripts/read-arguments.ts";

const options = { port: { kind: "text" }, secret: { kind: "texts" }, quick: { kind: "flag" } } as const;
const parse = (line: string, takesWords = false) => {
  const args = line === "" ? [] : line.split(" ");
  const typed = parseArguments({ usage: "", options, takesWords }, args);
  if (typed === "help") return "help";
  return {
    port: typed.text("port"),
    secrets: typed.texts("secret"),
    quick: typed.has("quick"),
    words: typed.words,
  };
};

describe("parseArguments", () => {
  it.each([
    ["", { port: undefined, secrets: [], quick: false, words: [] }],
    ["--port 1 --quick", { port: "1", secrets: [], quick: true, words: [] }],
    ["--port=1 --secret a=b --secret c=d", { port: "1", secrets: ["a=b", "c=d"], quick: false, words: [] }],
    ["--port=-1", { port: "-1", secrets: [], quick: false, words: [] }],
    ["--quick a b", { port: undefined, secrets: [], quick: true, words: ["a", "b"] }],
    ["-- --quick", { port: undefined, secrets: [], quick: false, words: ["--quick"] }],
    ["--quick --help", "help"],
    ["-h", "help"],
  ])("reads %s", (line, read) => {
    expect(parse(line, true)).toEqual(read);
  });

  it.each([
    ["--bogus", "There is no option --bogus. There is --port, --secret, --quick, --help."],
    ["-p", "There is no option -p. There is --port, --secret, --quick, --help."],
    ["--no-quick", "There is no option --no-quick. There is --port, --secret, --quick, --help."],
    ["--constructor", "There is no option --constructor. There is --port, --secret, --quick, --help."],
    ["--help --bogus", "There is no option --bogus. There is --port, --secret, --quick, --help."],
    ["--port 1 --port 1", "--port may be given once."],
    ["--quick --quick", "--quick may be given once."],
    ["--port", "--port wants a value."],
    ["--port --quick", "--port wants a value."],
    ["--quick=yes", "--quick takes no value."],
    ["word", '"word" belongs to no option.'],
  ])("refuses %s", (line, reason) => {
    expect(() => parse(line)).toThrow(new UsageError(reason));
  });
});

describe("readPort and readCount", () => {
  it.each([
    ["0", 0],
    ["65535", 65_535],
  ])("reads %s", (text, port) => {
    expect(readPort(text)).toBe(port);
  });

  it.each(["65536", "", "-1", "1.5", "0x10", " 1", "1e3", "١"])("refuses the port %j", (text) => {
    expect(() => readPort(text)).toThrow(UsageError);
    expect(() => readPort(text)).toThrow(`"${text}"`);
  });

  it("names the option whose number is none", () => {
    expect(() => readCount("messages", "many")).toThrow('--messages is a whole number, not "many".');
  });
});

describe("readDataFolder", () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "arguments-"));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  it("takes a folder, and one that is not there yet", () => {
    const there = folder();

    expect(readDataFolder(there)).toBe(there);
    expect(readDataFolder(join(there, "new"))).toBe(join(there, "new"));
  });

  it("says of a file what to do with it", () => {
    const file = join(folder(), "chat.sqlite");
    writeFileSync(file, "");

    expect(() => readDataFolder(file)).toThrow(
      `--data is a folder, and ${file} is a file. Name a folder; to go on with the file, move it there as platform.sqlite.`,
    );
    expect(() => readDataFolder("")).toThrow("--data is a folder, not an empty text.");
  });
});
