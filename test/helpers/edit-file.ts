import { readFileSync, writeFileSync } from "node:fs";
import { onTestFinished } from "vitest";

/** Changes a file until the test ends. */
export function editFile(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  writeFileSync(file, change(before));
  onTestFinished(() => writeFileSync(file, before));
}
