import { dotted, type Path } from "./json-edit.ts";

export interface Edit {
  readonly base: unknown;
  set(path: Path, value: unknown): void;
  remove(path: Path): void;
}

export function named(path: Path): string {
  return dotted(path) || "the body";
}
