import { describe, expect, it } from "vitest";
import { checkNode } from "../../lib/check-node.ts";

describe("checkNode", () => {
  it.each(["20.19.0", "21.99.0", "22.0.0", "22.12.9", "v22"])("refuses Node %s and says why", (running) => {
    expect(() => checkNode("createSqliteStore", running)).toThrow(
      `createSqliteStore of cometchat-functions needs Node 22.13 or newer; this is Node ${running}.`,
    );
  });

  it.each(["22.13.0", "22.20.1", "23.0.0", "24.11.0", "24.0.0-rc.1"])("lets Node %s through", (running) => {
    expect(() => checkNode("createSqliteStore", running)).not.toThrow();
  });

  it("looks at the Node that runs it where it is told none", () => {
    expect(() => checkNode("createSqliteStore")).not.toThrow();
  });
});
