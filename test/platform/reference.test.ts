import { describe, expect, it } from "vitest";
import {
  allOperations,
  documentedErrors,
  documentedTriggers,
  ownOperations,
} from "../../local/platform/catalogue/catalogue.ts";
import { errorTable } from "../../local/platform/errors/error-table.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { currentTriggers } from "../../local/platform/webhooks/trigger-table.ts";

const isDataImport = (route: { path: string }) => route.path.startsWith("/data_import/");
const isCampaigns = (route: { path: string }) => route.path.startsWith("/campaigns/");
const isAgents = (route: { path: string }) => route.path.startsWith("/ai-agents/");
const chatRoutes = appRoutes.filter(
  (route) => route.surface === undefined && !isDataImport(route) && !isCampaigns(route) && !isAgents(route),
);

describe("declared routes against the catalogue", () => {
  const surfaces = [
    { api: "chat", routes: chatRoutes },
    { api: "import", routes: appRoutes.filter(isDataImport) },
    { api: "calls", routes: appRoutes.filter((route) => route.surface === "calls") },
    { api: "campaigns", routes: appRoutes.filter(isCampaigns) },
    { api: "agents", routes: appRoutes.filter(isAgents) },
    { api: "management", routes: managementRoutes },
  ];

  it.each(surfaces)("name existing operations of $api with their method and path", ({ api, routes }) => {
    const known = new Map(
      allOperations()
        .filter((operation) => operation.api === api)
        .map(({ id, method, path }) => [id, `${method} ${path}`]),
    );

    const wrong = routes.filter((route) => known.get(route.operationId) !== `${route.method} ${route.path}`);

    expect(known.size).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it.each(surfaces)("declare every operation of $api that is not deprecated", ({ api, routes }) => {
    const declared = new Set(routes.map((route) => route.operationId));

    const missing = ownOperations()
      .filter((operation) => operation.api === api)
      .map(({ id }) => id)
      .filter((id) => !declared.has(id));

    expect(missing).toEqual([]);
  });

  it("treat onBehalfOf as the catalogue says", () => {
    const known = new Map(
      allOperations()
        .filter(({ api }) => api === "chat")
        .map(({ id, onBehalfOf }) => [id, onBehalfOf]),
    );

    const wrong = chatRoutes.filter((route) => known.get(route.operationId) !== route.onBehalfOf);

    expect(wrong).toEqual([]);
  });

  it("know every error code", () => {
    const codes = documentedErrors().map(({ code }) => code);

    expect(Object.keys(errorTable)).toEqual(expect.arrayContaining(codes));
  });

  it("know every trigger", () => {
    // Named on one page alone, without an id or a payload.
    const ids = documentedTriggers().filter((id) => id !== "group_member_removed");

    expect(Object.keys(currentTriggers)).toEqual(expect.arrayContaining(ids));
    expect(Object.keys(currentTriggers)).toHaveLength(55);
  });
});

describe("declared routes", () => {
  it("have one operation each and one declaration per method and path", () => {
    const routes = [
      ...appRoutes.map((route) => ({ ...route, host: route.surface ?? "chat" })),
      ...managementRoutes.map((route) => ({ ...route, host: "management" })),
    ];

    const ids = routes.map((route) => `${route.host} ${route.operationId}`);
    const lines = routes.map((route) => `${route.host} ${route.method} ${route.path}`);

    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
