export interface RolePermission {
  readonly id: string;
  readonly isList: boolean;
  /** The allowed values; empty if any text is allowed. */
  readonly values: readonly string[];
  /** Comma-separated; empty if it is not set. */
  readonly value: string;
}
