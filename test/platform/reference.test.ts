import { describe, expect, it } from "vitest";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { buildLedger } from "../../local/platform/ledger/rows.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { currentTriggers } from "../../local/platform/webhooks/trigger-table.ts";
import { documentedErrors, documentedTriggers } from "../helpers/catalogue.ts";

const idsOf = (routes: readonly { operationId: string }[]) => routes.map(({ operationId }) => operationId);

describe("declared routes against the catalogue", () => {
  it.each([
    { host: "app", isOf: (api: string) => api !== "management", routes: appRoutes },
    { host: "management", isOf: (api: string) => api === "management", routes: managementRoutes },
  ])("declare every operation of the $host host that is not deprecated, once", ({ isOf, routes }) => {
    const wanted = ownOperations().flatMap(({ api, id }) => (isOf(api) ? [id] : []));
    const declared = idsOf(routes);

    expect(wanted.filter((id) => !declared.includes(id))).toEqual([]);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it("contain every error code", () => {
    const codes = documentedErrors().map(({ code }) => code);

    expect(buildLedger().map(({ id }) => id)).toEqual(expect.arrayContaining(codes));
  });

  it("contain every trigger", () => {
    // Only on one page, without an id or a payload.
    const ids = documentedTriggers().filter((id) => id !== "group_member_removed");

    expect(Object.keys(currentTriggers)).toEqual(expect.arrayContaining(ids));
    expect(Object.keys(currentTriggers)).toHaveLength(55);
  });
});
