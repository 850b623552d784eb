import type { Hono } from "hono";
import { countLevels, type LedgerRow, ledgerKinds } from "../../platform/ledger/markdown.ts";
import { readLedger } from "../../platform/ledger/read-ledger.ts";
import type { FidelityAnswer } from "../api/world-fidelity.ts";
import type { ConsoleContext } from "../console-context.ts";
import { addWorldModerationRoutes, addWorldSeedRoutes, addWorldWebhooksRoutes } from "./world-app-routes.ts";
import { addWorldFaultsRoutes } from "./world-faults-routes.ts";
import {
  addWorldClockRoutes,
  addWorldSnapshotsRoutes,
  addWorldTimersRoutes,
} from "./world-running-routes.ts";
import { addWorldSecretsRoutes } from "./world-secrets-routes.ts";
import { addWorldStateRoutes } from "./world-state-routes.ts";

export function addWorldRoutes(app: Hono, parts: ConsoleContext): void {
  const { world } = parts;
  addWorldClockRoutes(app, world);
  addWorldTimersRoutes(app, world);
  addWorldSnapshotsRoutes(app, world);
  addWorldSeedRoutes(app, world);
  addWorldWebhooksRoutes(app, world);
  addWorldModerationRoutes(app, world);
  addWorldFaultsRoutes(app, parts);
  addWorldSecretsRoutes(app, parts);
  addWorldStateRoutes(app, parts);
  addWorldFidelityRoutes(app);
}

const perPage = 100;

/** `GET /api/world/fidelity`, filtered, in pages of 100. */
function addWorldFidelityRoutes(app: Hono): void {
  // The ledger depends only on the source.
  let known: readonly LedgerRow[] | undefined;
  app.get("/api/world/fidelity", (context) => {
    known ??= readLedger();
    const { kind, level, search = "", page = "1" } = context.req.query();
    const words = search.toLowerCase();
    const found = known.filter(
      (row) =>
        (!kind || row.kind === kind) &&
        (!level || row.level === level) &&
        `${row.id} ${row.source} ${row.notes.join(" ")}`.toLowerCase().includes(words),
    );
    const first = (Math.max(1, Number(page) || 1) - 1) * perPage;
    const answer: FidelityAnswer = {
      rows: found
        .slice(first, first + perPage)
        .map(({ coveredBy, ...row }) => ({ ...row, test: coveredBy?.test })),
      total: found.length,
      kinds: ledgerKinds,
      levels: countLevels(known),
    };
    return context.json(answer);
  });
}
