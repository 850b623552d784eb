import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCoverage } from "../../local/platform/ledger/coverage.ts";
import { renderMarkdown } from "../../local/platform/ledger/markdown.ts";
import { readOperations } from "../../local/platform/ledger/operations.ts";
import { buildLedger } from "../../local/platform/ledger/rows.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { currentTriggers, legacyTriggers } from "../../local/platform/webhooks/trigger-table.ts";
import { own, startPlatform } from "./helpers.ts";

const rows = buildLedger();
const registered = [
  ...appRoutes.map(
    (route) => `${route.surface ?? "chat"} ${route.method} ${route.path} ${route.operationId}`,
  ),
  ...managementRoutes.map((route) => `management ${route.method} ${route.path} ${route.operationId}`),
].sort();

describe("the fidelity ledger", () => {
  it("has the registered routes, and those alone, as built", () => {
    const listed = readOperations()
      .filter(({ missing }) => missing === undefined)
      .map(({ surface, method, path, operationId }) => `${surface} ${method} ${path} ${operationId}`)
      .sort();

    expect(registered).toEqual(listed);
  });

  it("has a row for every event of both engines", () => {
    const events = rows.filter(({ kind }) => kind === "event").map(({ id }) => id);

    expect(events).toEqual([
      ...Object.keys(currentTriggers),
      ...Object.keys(legacyTriggers).map((trigger) => `${trigger} (legacy engine)`),
    ]);
  });

  it("has each row once, with a source unless it is not built", () => {
    const ids = rows.map(({ kind, id }) => `${kind} ${id}`);

    expect(new Set(ids).size).toBe(ids.length);
    expect(rows.filter(({ level, source }) => level !== "not built" && source === "")).toEqual([]);
  });

  it.each(["route", "event", "callback", "action", "error", "switch"] as const)(
    "has a covering test for everything of the kind %s that is built",
    (kind) => {
      const uncovered = rows.filter(
        (row) => row.kind === kind && row.level !== "not built" && row.coveredBy.length === 0,
      );

      expect(uncovered.map(({ id }) => id)).toEqual([]);
    },
  );

  it("is what docs/fidelity.md says; else run node local/platform/ledger/write.ts", () => {
    const committed = readFileSync(new URL("../../docs/fidelity.md", import.meta.url), "utf8");

    expect(renderMarkdown(rows)).toBe(committed);
  });

  it("is shown as a page and as JSON", async () => {
    const platform = await startPlatform();

    const page = await (await fetch(`${platform.url}/_platform/fidelity`)).text();
    const { body } = await own(platform, "GET /fidelity.json");

    expect(page).toContain("<code>POST /messages</code><small>chat: send-message</small>");
    expect(page).toContain("not built");
    expect(body.data).toHaveLength(rows.length);
  });
});

describe("findCoverage", () => {
  const routes = [
    { id: "chat get-user", method: "GET", path: "/users/{uid}" },
    { id: "chat list-users", method: "GET", path: "/users" },
    { id: "chat get-me", method: "GET", path: "/users/me" },
    { id: "chat delete-user", method: "DELETE", path: "/users/{uid}" },
  ];
  const covered = (text: string) =>
    [...findCoverage(routes, [{ path: "a.test.ts", text }])]
      .filter(([, files]) => files.length > 0)
      .map(([id]) => id);

  it.each([
    { text: 'chat(platform, "GET /users")', found: ["chat list-users"] },
    { text: 'chat(platform, "GET /users?perPage=1")', found: ["chat list-users"] },
    { text: `chat(platform, \`GET /users/${"$"}{uid}\`)`, found: ["chat get-user"] },
    { text: '"GET /users/alice"', found: ["chat get-user"] },
    { text: '"GET /users/me"', found: ["chat get-me"] },
    { text: 'operationId: "delete-user"', found: ["chat delete-user"] },
    { text: '"POST /users" and "GET /users/a/b"', found: [] },
    { text: "", found: [] },
  ])("finds $found in $text", ({ text, found }) => {
    expect(covered(text)).toEqual(found);
  });
});
