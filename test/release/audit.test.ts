import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";

const skipped = "npm audit signatures: skipped, as the registry does not answer it.";

it.each([
  ["passes without findings", '{ "vulnerabilities": {} }', 0, [0, "npm audit signatures: nothing found."]],
  ["fails for a vulnerability", '{\n  "vulnerabilities": {\n    "zod": {} } }', 1, [1, ""]],
  ["fails for a wrong signature", '{\n  "invalid": [\n    {} ],\n  "missing": [] }', 1, [1, ""]],
  [
    "says that a registry offers neither",
    '{\n  "message": "405 Method Not Allowed",\n  "error": {} }',
    1,
    [0, skipped],
  ],
  ["says that a registry cannot be reached", "", 1, [0, skipped]],
])("%s", (_, said, npmStatus, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "npm"), `#!/bin/sh\ncat <<'SAID'\n${said}\nSAID\nexit ${npmStatus}\n`, {
    mode: 0o755,
  });

  const { status, stdout } = spawnSync("bash", ["tools/release/audit.sh"], {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    encoding: "utf8",
  });

  expect([status, stdout.trim().split("\n").at(-1)]).toEqual(expected);
});
