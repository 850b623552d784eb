import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../local/platform/ledger/markdown.ts";
import { buildLedger, readCoverage } from "../../local/platform/ledger/rows.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { currentTriggers, legacyTriggers } from "../../local/platform/webhooks/trigger-table.ts";
import { documentedErrors, documentedTriggers } from "../helpers/catalogue.ts";
import { own, startPlatform } from "./helpers.ts";

const rows = buildLedger();
describe("the fidelity ledger", () => {
  it("has a row for every event of both engines", () => {
    const events = rows.filter(({ kind }) => kind === "event").map(({ id }) => id);

    expect(events).toEqual([
      ...Object.keys(currentTriggers),
      ...Object.keys(legacyTriggers).map((trigger) => `${trigger} (legacy engine)`),
    ]);
  });

  it("has every documented error code and trigger", () => {
    const ids = rows.map(({ id }) => id);
    // Only on one page, without an id or a payload.
    const triggers = documentedTriggers().filter((id) => id !== "group_member_removed");

    expect(ids).toEqual(expect.arrayContaining([...triggers, ...documentedErrors().map(({ code }) => code)]));
    expect(Object.keys(currentTriggers)).toHaveLength(55);
  });

  it("has each row once, with a source unless it is not built", () => {
    const ids = rows.map(({ kind, id }) => `${kind} ${id}`);

    expect(new Set(ids).size).toBe(ids.length);
    for (const routes of [appRoutes, managementRoutes])
      expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
    expect(rows.filter(({ level, source }) => level !== "not built" && source === "")).toEqual([]);
  });

  it.each(["route", "event", "callback", "action", "error", "switch"] as const)(
    "has a covering test for every built row of the kind %s",
    (kind) => {
      const uncovered = rows.filter(
        (row) => row.kind === kind && row.level !== "not built" && row.coveredBy === undefined,
      );

      expect(uncovered.map(({ id }) => id)).toEqual([]);
    },
  );

  it("equals docs/internals/fidelity.md; otherwise run npx node local/platform/ledger/write.ts", () => {
    const committed = readFileSync(new URL("../../docs/internals/fidelity.md", import.meta.url), "utf8");

    expect(renderMarkdown(rows)).toBe(committed);
  });

  it("has all undocumented behaviour on one page, with every switch of assumed behaviour", () => {
    const folder = new URL("../../docs/internals/platform/", import.meta.url);
    const [unknown = "", ...others] = ["unknown.md", ...readdirSync(folder)].map((name) =>
      readFileSync(new URL(name, folder), "utf8"),
    );
    const chosen = rows.filter(({ kind, level }) => kind === "switch" && level === "assumed");

    expect(chosen.map(({ id }) => id).filter((id) => !unknown.includes(`\`${id}\``))).toEqual([]);
    expect(others.filter((page) => page.includes("(open)"))).toEqual([]);
  });

  it("declares tests only of files that check it", () => {
    const files = [...new Set(readCoverage().map(({ file }) => file))];

    const careless = files.filter((file) => {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
      return !/^import [^;]*"[./]+\/(?:platform\/)?(?:helpers|coverage\/observe)\.ts";$/m.test(text);
    });

    expect(files.length).toBeGreaterThan(20);
    expect(careless).toEqual([]);
  });

  it("declares each row once", () => {
    const ids = readCoverage().map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is shown as text and as JSON", async () => {
    const platform = await startPlatform();

    const page = await (await fetch(`${platform.url}/_platform/fidelity`)).text();
    const { body } = await own("GET /fidelity.json");

    expect(page).toContain("| `POST /messages (chat: send-message)` | documented |");
    expect(page).toContain("not built");
    expect(body.data).toHaveLength(rows.length);
  });
});
