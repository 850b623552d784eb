import type { Level } from "../../platform/fidelity.ts";
import type { Rows } from "./rows.ts";

export interface FidelityRow {
  readonly kind: string;
  readonly id: string;
  readonly level: Level;
  /** A page of the project's facts about the platform. */
  readonly source: string;
  readonly notes: readonly string[];
  readonly test: string | undefined;
}

export interface FidelityAnswer extends Rows<FidelityRow> {
  readonly kinds: readonly string[];
  readonly levels: readonly { readonly level: Level; readonly count: number }[];
}
