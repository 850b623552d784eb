import type * as z from "zod/mini";
import { isSecretAt, isSecretReference, replaceParts, secretReferenceSchema } from "./secret-reference.ts";

/** A check of settings. Fields' names say what is secret; an empty text is allowed. */
export function noPlainSecret({ value, issues }: z.core.ParsePayload<unknown>): void {
  const refuse = (path: readonly PropertyKey[], message: string) =>
    issues.push({ code: "custom", input: undefined, path: [...path], message });
  replaceParts(value, (part, path) => {
    if (isSecretReference(part)) {
      const problem = secretReferenceSchema.safeParse(part).error?.issues[0];
      if (problem !== undefined) refuse([...path, "secret"], problem.message);
      return undefined;
    }
    if (isSecretAt(path, part)) {
      refuse(
        path,
        "a secret must not stand here: put it into the app's secret, and write { secret: <its field there> }",
      );
    }
    return part;
  });
}
