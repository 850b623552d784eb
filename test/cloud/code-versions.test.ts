import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, it } from "vitest";
import { emptyContents, readContents } from "../../local/cloud/cloud-contents.ts";
import { CodeVersions } from "../../local/cloud/durable/code-versions.ts";
import type { StoredExecution } from "../../local/cloud/durable/stored-execution.ts";
import { bundleFile } from "../../local/cloud/lambda/bundle-file.ts";
import type { FunctionDefinition } from "../../local/cloud/lambda/function-definition.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

function makeFolder() {
  const folder = temporaryFolder();
  let builds = 0;
  const build = (code: string): FunctionDefinition => {
    const taskRoot = join(folder, `build-${++builds}`);
    mkdirSync(join(taskRoot, "functions"), { recursive: true });
    writeFileSync(join(taskRoot, "functions/flows.mjs"), code);
    const facts = { key: "flows", name: "app-flows", arn: "arn", region: "eu-central-1", environment: {} };
    return { ...facts, handler: "functions/flows.handler", taskRoot, timeoutMs: 1_000, memoryMb: 128 };
  };
  return { build, kept: join(folder, "versions") };
}

const codeAt = (versions: CodeVersions, definition: FunctionDefinition, version: string) =>
  readFileSync(bundleFile(versions.at(definition, version)), "utf8");

function runningOn(version: string): StoredExecution {
  const facts = { arn: "arn", name: "one", functionName: "app-flows", functionArn: "arn", payload: "{}" };
  const lists = { operations: [], callbacks: {}, events: [], untold: [], failures: 0 };
  return {
    ...facts,
    ...lists,
    version,
    status: "RUNNING",
    startedAtMs: 0,
    executionTimeoutMs: 1,
    retentionMs: 1,
  };
}

it.each([
  ["was deleted", false],
  ["was lost, and whose number has other code", true],
])("restores from a snapshot the code that %s", (_case, isLost) => {
  const { build, kept } = makeFolder();
  const first = build("old");
  const saving = new CodeVersions(kept);
  const running = runningOn(saving.publish(first));
  const contents = {
    ...emptyContents({ secrets: { contents: () => [] } }),
    code: saving.contents([running]),
  };
  const stored: unknown = deserialize(serialize(contents));

  const edited = build("new");
  if (isLost) rmSync(kept, { recursive: true });
  new CodeVersions(kept).publish(edited);
  new CodeVersions(kept).prune([]);
  const restoring = new CodeVersions(kept);
  restoring.putBack(readContents(stored).code);

  expect(codeAt(restoring, edited, running.version)).toBe("old");
  const next = restoring.publish(edited);
  expect(next).not.toBe(running.version);
  for (const versions of [restoring, new CodeVersions(kept)]) {
    expect(codeAt(versions, edited, running.version)).toBe("old");
    expect(codeAt(versions, edited, next)).toBe("new");
  }
});

it("keeps in a snapshot only running code", () => {
  const { build, kept } = makeFolder();
  const versions = new CodeVersions(kept);
  const running = runningOn(versions.publish(build("one")));
  versions.publish(build("two"));

  expect(versions.contents([running, running])).toMatchObject([{ version: "1" }]);
  expect(
    versions.contents([{ ...running, status: "SUCCEEDED" }, runningOn("7"), runningOn("$LATEST")]),
  ).toEqual([]);
});
