/** Nothing is stored, and no custom service is called. */
export interface TriedText {
  readonly outcome: "approved" | "blocked" | "dropped" | "not judged";
  readonly rule: { readonly id: string; readonly name: string; readonly message: string } | undefined;
  /** They match but their filters exclude them. */
  readonly passedOver: readonly string[];
  readonly wouldAsk: readonly string[];
}
