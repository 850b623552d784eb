/** What the app's rules would say of a text. Nothing is written, and no service of the customer's is asked. */
export interface TriedText {
  readonly outcome: "approved" | "blocked" | "dropped" | "not judged";
  /** The rule that decided, and its words. */
  readonly rule: { readonly id: string; readonly name: string; readonly message: string } | undefined;
  /** Rules that match but whose filters keep them away. */
  readonly passedOver: readonly string[];
  /** Services that would be asked. */
  readonly wouldAsk: readonly string[];
}
