import { countLevels, type LedgerRow, ledgerKinds } from "../../platform/ledger/markdown.ts";
import { readLedger } from "../../platform/ledger/read-ledger.ts";
import type { FidelityAnswer } from "../api/world-fidelity.ts";
import type { ConsoleContext } from "../console-context.ts";
import { pageOf } from "../rows.ts";
import { addWorldModerationRoutes, addWorldSeedRoutes, addWorldWebhooksRoutes } from "./world-app-routes.ts";
import { addWorldFaultsRoutes } from "./world-faults-routes.ts";
import {
  addWorldClockRoutes,
  addWorldSnapshotsRoutes,
  addWorldTimersRoutes,
} from "./world-running-routes.ts";
import { addWorldSecretsRoutes } from "./world-secrets-routes.ts";
import { addWorldStateRoutes } from "./world-state-routes.ts";

export function addWorldRoutes(parts: ConsoleContext): void {
  const running = [addWorldClockRoutes, addWorldTimersRoutes, addWorldSnapshotsRoutes, addWorldFaultsRoutes];
  const ofApp = [addWorldSeedRoutes, addWorldWebhooksRoutes, addWorldModerationRoutes];
  const kept = [addWorldSecretsRoutes, addWorldStateRoutes, addWorldFidelityRoutes];
  for (const add of [...running, ...ofApp, ...kept]) add(parts);
}

const perPage = 100;

/** `GET /api/world/fidelity`, filtered, in pages of 100. */
function addWorldFidelityRoutes({ on }: ConsoleContext): void {
  // The ledger depends only on the source.
  let known: readonly LedgerRow[] | undefined;
  on.get("/api/world/fidelity", (context) => {
    known ??= readLedger();
    const { kind, level, search = "", page } = context.req.query();
    const words = search.toLowerCase();
    const found = known.filter(
      (row) =>
        (!kind || row.kind === kind) &&
        (!level || row.level === level) &&
        `${row.id} ${row.source} ${row.notes.join(" ")}`.toLowerCase().includes(words),
    );
    return {
      ...pageOf(found, Number(page) || 1, perPage, ({ coveredBy, ...row }) => {
        return { ...row, test: coveredBy?.test };
      }),
      ...{ kinds: ledgerKinds, levels: countLevels(known) },
    } satisfies FidelityAnswer;
  });
}
