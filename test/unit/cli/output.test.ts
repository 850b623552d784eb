import { describe, expect, it } from "vitest";
import { createOutput, printTable } from "../../../cli/output.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";

function listen(options: { isTerminal?: boolean; isJson?: boolean; now?: () => number } = {}) {
  const { isTerminal = false, isJson = false, now = () => 0 } = options;
  const said = { out: "", error: "" };
  const sinkTo = (name: "out" | "error") => ({
    isTerminal,
    write: (text: string) => {
      said[name] += text;
    },
  });
  const out = createOutput({
    stdout: sinkTo("out"),
    stderr: sinkTo("error"),
    isJson,
    hasColours: isTerminal,
    now,
  });
  return { out, said };
}

describe("the output of a command", () => {
  it("shows no secret that was read, in lines, JSON, notes or progress", () => {
    rememberSecret("s3cr3t-of-the-app");
    const lines = listen();
    const json = listen({ isJson: true });

    lines.out.line("the key s3cr3t-of-the-app");
    lines.out.note("the key s3cr3t-of-the-app");
    lines.out.progress("the key s3cr3t-of-the-app");
    json.out.json({ key: "s3cr3t-of-the-app" });

    expect(lines.said).toEqual({
      out: "the key [redacted]\n",
      error: "the key [redacted]\nthe key [redacted]\n",
    });
    expect(json.said.out).toBe('{"key":"[redacted]"}\n');
  });

  it("removes terminal controls from foreign texts, and keeps its own colours", () => {
    const { out, said } = listen({ isTerminal: true });

    out.line(`${out.style("red", "✗")} evil\u001b[2J\u001b]0;title\u0007\r\u009b1A\u202e`);

    expect(said.out).toBe("\u001b[31m✗\u001b[39m evil�[2J�]0;title���1A�\n");
  });

  it("removes controls that hide text or end a colour from foreign texts", () => {
    const { out, said } = listen({ isTerminal: true });

    out.line("gone\u001b[8mhidden\u001b[28m");
    out.line(out.style("dim", "cause\u001b[22m\u001b[32m✓"));

    expect(said.out).toBe("gone�[8mhidden�[28m\n\u001b[2mcause��✓\u001b[22m\n");
  });

  it("is only JSON with --json, without control characters", () => {
    const { out, said } = listen({ isJson: true });

    out.line("for people");
    out.json({ said: "a\u009bb\u202e" });

    expect(said.out).toBe('{"said":"a\\u009bb\\u202e"}\n');
    expect(JSON.parse(said.out)).toEqual({ said: "a\u009bb\u202e" });
  });

  it("overwrites progress on a terminal, and prints it every few seconds elsewhere", () => {
    let nowMs = 0;
    const terminal = listen({ isTerminal: true });
    const file = listen({ now: () => nowMs });

    terminal.out.progress("1 of 3");
    terminal.out.progress("2 of 3");
    terminal.out.line("done");
    file.out.progress("1 of 3");
    file.out.progress("2 of 3");
    nowMs = 5_000;
    file.out.progress("3 of 3");

    expect(terminal.said).toEqual({ out: "done\n", error: "1 of 3\r\u001b[2K2 of 3\r\u001b[2K" });
    expect(file.said.error).toBe("1 of 3\n3 of 3\n");
  });
});

it("a table aligns its columns, cuts long values, and keeps each row on one line", () => {
  const rows = [
    { name: "a\nb", count: 1 },
    { name: "long enough", count: 1_000 },
  ];

  const lines: string[] = [];
  printTable({ line: (text = "") => lines.push(text) }, rows, [
    ["Name", ({ name }) => name, 6],
    ["Count", ({ count }) => count, "right"],
  ]);

  expect(lines).toEqual(["Name    Count", "a b         1", "long …   1000"]);
});
