import type * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import { isSecretReference, isSecretText, secretReferenceSchema } from "./secret-reference.ts";

/** A check of settings. Fields' names say what is secret; an empty text is allowed. */
export function noPlainSecret({ value, issues }: z.core.ParsePayload<unknown>): void {
  for (const { path, message } of misplaced(value, [])) {
    issues.push({ code: "custom", input: undefined, path: [...path], message });
  }
}

interface Misplaced {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function misplaced(value: unknown, path: readonly PropertyKey[]): readonly Misplaced[] {
  if (isSecretReference(value)) {
    const problem = secretReferenceSchema.safeParse(value).error?.issues[0];
    return problem === undefined ? [] : [{ path: [...path, "secret"], message: problem.message }];
  }
  if (isSecretText(String(path.at(-1) ?? ""), value)) {
    return [
      {
        path,
        message:
          "a secret must not stand here: put it into the app's secret, and write { secret: <its field there> }",
      },
    ];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => misplaced(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => misplaced(inner, [...path, name]));
}
