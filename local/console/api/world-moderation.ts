/** The rules' verdict on a text. Nothing is stored, and no custom service is called. */
export interface TriedText {
  readonly outcome: "approved" | "blocked" | "dropped" | "not judged";
  readonly rule: { readonly id: string; readonly name: string; readonly message: string } | undefined;
  /** Rules that match but are excluded by their filters. */
  readonly passedOver: readonly string[];
  readonly wouldAsk: readonly string[];
}
