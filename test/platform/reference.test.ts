import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorTable } from "../../local/platform/errors/error-table.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { currentTriggers } from "../../local/platform/webhooks/trigger-table.ts";

const folder = new URL("../../../shared/reference/", import.meta.url);
const isHere = existsSync(folder);

const campaigns = "/campaigns";
const isDataImport = (route: { path: string }) => route.path.startsWith("/data_import/");
const isCampaigns = (route: { path: string }) => route.path.startsWith(`${campaigns}/`);
const chatRoutes = appRoutes.filter(
  (route) => route.surface === undefined && !isDataImport(route) && !isCampaigns(route),
);

// The catalogue is not part of the repository; where it is missing these checks are skipped and say so.
describe.skipIf(!isHere)("declared routes against the catalogue", () => {
  const files = [
    { file: "chat-api.json", routes: chatRoutes },
    { file: "data-import-api.json", routes: appRoutes.filter(isDataImport) },
    { file: "calls-api.json", routes: appRoutes.filter((route) => route.surface === "calls") },
    {
      file: "campaigns-api.json",
      routes: appRoutes
        .filter(isCampaigns)
        .map((route) => ({ ...route, path: route.path.slice(campaigns.length) })),
    },
    { file: "management-api.json", routes: managementRoutes },
  ];

  it.each(files)("name existing operations of $file with their method and path", ({ file, routes }) => {
    const known = new Map<string, string>(
      read(file).operations.map((operation: Record<string, string>) => [
        operation.operationId,
        `${operation.method} ${operation.path}`,
      ]),
    );

    const wrong = routes.filter((route) => known.get(route.operationId) !== `${route.method} ${route.path}`);

    expect(wrong).toEqual([]);
  });

  it.each(files)("declare every operation of $file that is not deprecated", ({ file, routes }) => {
    const declared = new Set(routes.map((route) => route.operationId));

    const missing = read(file)
      .operations.filter((operation: { deprecated?: boolean }) => operation.deprecated !== true)
      .map((operation: { operationId: string }) => operation.operationId)
      .filter((operationId: string) => !declared.has(operationId));

    expect(missing).toEqual([]);
  });

  it("treat onBehalfOf as the catalogue says", () => {
    const known = new Map<string, string>(
      read("chat-api.json").operations.map((operation: Record<string, string>) => [
        operation.operationId,
        operation.onBehalfOf,
      ]),
    );

    const wrong = chatRoutes.filter((route) => known.get(route.operationId) !== route.onBehalfOf);

    expect(wrong).toEqual([]);
  });

  it("know every error code", () => {
    const codes = read("chat-api.json").errors.map((error: { code: string }) => error.code);

    expect(Object.keys(errorTable)).toEqual(expect.arrayContaining(codes));
  });

  it("know every trigger", () => {
    const ids = read("management-api.json")
      .triggers.map((trigger: { id: string }) => trigger.id)
      // Named on one page alone, without an id or a payload.
      .filter((id: string) => id !== "group_member_removed");

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

function read(file: string) {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}
