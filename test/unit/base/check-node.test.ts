import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../../lib/base/check-node.ts";

describe("checkNode", () => {
  it.each(["20.19.0", "21.99.0", "22.0.0", "22.12.9", "v22"])("refuses Node %s and says why", (running) => {
    expect(() => checkNode("createSqliteStore", running)).toThrow(
      `createSqliteStore of cometchat-functions needs Node 22.13 or newer; this is Node ${running}.`,
    );
  });

  it.each(["22.13.0", "22.20.1", "23.0.0", "24.11.0", "24.0.0-rc.1"])("lets Node %s through", (running) => {
    expect(() => checkNode("createSqliteStore", running)).not.toThrow();
  });

  it("names every door that does without it", () => {
    const folder = join(import.meta.dirname, "../../../package");
    const doors = globSync("*.ts", { cwd: folder }).toSorted();
    const others = doors.filter(
      (file) => !readFileSync(join(folder, file), "utf8").includes("needs-node.ts"),
    );

    expect(others).toHaveLength(5);
    expect(() => checkNode("createSqliteStore", "20.19.0")).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(others.map((file) => `(?=.*/${basename(file, ".ts")}\\b)`).join("")),
        ),
      }),
    );
  });

  it("looks at the Node that runs it where it is told none", () => {
    expect(() => checkNode("createSqliteStore")).not.toThrow();
  });
});
