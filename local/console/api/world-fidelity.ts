import type { Level } from "../../platform/fidelity.ts";

export interface FidelityRow {
  readonly kind: string;
  readonly id: string;
  readonly level: Level;
  /** A page of the project's facts about the platform. */
  readonly source: string;
  readonly notes: readonly string[];
  readonly test: string | undefined;
}

/** One page, with counts per kind and level. */
export interface FidelityAnswer {
  readonly rows: readonly FidelityRow[];
  readonly total: number;
  readonly kinds: readonly string[];
  readonly levels: readonly { readonly level: Level; readonly count: number }[];
}
