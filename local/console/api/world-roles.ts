export interface RolePermission {
  readonly id: string;
  readonly isList: boolean;
  /** Empty if any text is allowed. */
  readonly values: readonly string[];
  /** Comma-separated; empty if not set. */
  readonly value: string;
}
