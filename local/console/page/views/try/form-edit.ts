import type { FieldType } from "../../../api/explorer.ts";
import { dotted, type Path } from "./json-edit.ts";

export interface Edit {
  readonly base: unknown;
  /** What is documented of the value; without it, every field can have any type. */
  readonly type: FieldType | undefined;
  set(path: Path, value: unknown): void;
  remove(path: Path): void;
}

export function named(path: Path): string {
  return dotted(path) || "the body";
}
