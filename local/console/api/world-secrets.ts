export interface ShownSecret {
  readonly name: string;
  readonly description: string | undefined;
  readonly changedAtMs: number;
  readonly isDeleted: boolean;
  /** Newest first. */
  readonly versions: readonly ShownVersion[];
}

export interface ShownVersion {
  readonly id: string;
  readonly stages: readonly string[];
  readonly createdAtMs: number;
  /** Undefined for plain text. */
  readonly fields: readonly { readonly name: string; readonly masked: string }[] | undefined;
  readonly masked: string | undefined;
}
