/** One permission of a role, and what it is set to. */
export interface RolePermission {
  readonly id: string;
  /** It takes several values. */
  readonly isList: boolean;
  /** What it may be set to; any text when empty. */
  readonly values: readonly string[];
  /** Several with commas between; empty when it is not set. */
  readonly value: string;
}
