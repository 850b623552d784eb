import type { Level } from "../fidelity.ts";

/** One behaviour of the platform in the ledger. `coveredBy` is the test that makes the platform behave so. */
export type LedgerRow = {
  kind: (typeof ledgerKinds)[number];
  id: string;
  level: Level;
  source: string;
  notes: readonly string[];
  coveredBy: CoveringTest | undefined;
};

/** Names a test by its file, from the project's root, and its full name. */
export type CoveringTest = { file: string; test: string };

/** Names the kinds of rows, in the order they are shown. */
export const ledgerKinds = ["route", "event", "callback", "action", "error", "switch"] as const;
