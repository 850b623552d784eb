import { expect, it } from "vitest";
import { printFindings } from "../../../cli/doctor/print-findings.ts";
import { createOutput } from "../../../cli/output.ts";

it("printFindings counts a transient failure as undecided, not as unchecked", () => {
  const lines: string[] = [];
  const stdout = { isTerminal: false, write: (text: string) => lines.push(text) };
  const out = createOutput({ stdout, stderr: stdout, isJson: false, hasColours: false, now: () => 0 });

  printFindings([{ check: "waiting", status: "unknown", says: "1 conversation waits." }], out);

  expect(lines.at(-1)).toBe("0 healthy, 1 undecided\n");
});
