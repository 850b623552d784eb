import type { Hono } from "hono";
import { countLevels, type LedgerRow, ledgerKinds } from "../../platform/ledger/markdown.ts";
import { readLedger } from "../../platform/ledger/read-ledger.ts";
import type { FidelityAnswer } from "../api/world-fidelity.ts";

const perPage = 100;

/** `GET /api/world/fidelity`, filtered, in pages of 100. */
export function addWorldFidelityRoutes(app: Hono): void {
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
