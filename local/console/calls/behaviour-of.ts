import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { assumptionsOf } from "../../platform/http/shape.ts";
import { appRoutes, managementRoutes } from "../../platform/routes.ts";
import type { Behaviour } from "../api/calls.ts";

/** How certain it is, with sources; undefined if nothing is recorded. */
export async function behaviourOf(
  surface: string,
  operation: string | undefined,
): Promise<Behaviour | undefined> {
  const route =
    surface === "management"
      ? managementRoutes.find(({ operationId }) => operationId === operation)
      : appRoutes.find((one) => one.operationId === operation && (one.surface ?? "chat") === surface);
  if (route === undefined) return undefined;
  return {
    level: route.fidelity,
    source: route.source,
    pages: await readPages(route.source),
    notes: [...route.assumptions, ...assumptionsOf(route)],
  };
}

const docsFolder = join(import.meta.dirname, "../../../docs/internals/platform");

/** A collected page lists the platform's own pages in its first lines, after "Sources:". */
async function readPages(source: string): Promise<Behaviour["pages"]> {
  const file = basename(source.split("#")[0] ?? "");
  const text = await readFile(join(docsFolder, file), "utf8").catch(() => "");
  const [, sources = ""] = /\nSources?: ([\s\S]*?)\n\n/.exec(text) ?? [];
  return [...sources.matchAll(/\[([^\]]+)\]\((https:\/\/[^)\s]+)\)/g)].map(([, title = "", url = ""]) => ({
    title,
    url,
  }));
}
