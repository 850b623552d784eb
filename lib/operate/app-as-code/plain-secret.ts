import type * as z from "zod/mini";
import { isSecretAt, isSecretReference, replaceParts, secretReferenceSchema } from "./secret-reference.ts";
import { takesReference } from "./takes-reference.ts";

/**
 * Returns a check of a file. Fields' names say what is secret; an empty text is allowed.
 * @param schema says where references may stand
 */
export function noPlainSecret(schema: z.core.$ZodType) {
  return ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    const refuse = (path: readonly PropertyKey[], message: string) =>
      issues.push({ code: "custom", input: undefined, path: [...path], message });
    replaceParts(value, (part, path) => {
      if (!takesReference(schema, path)) return part;
      if (isSecretReference(part)) {
        const problem = secretReferenceSchema.safeParse(part).error?.issues[0];
        if (problem !== undefined) refuse([...path, "secret"], problem.message);
        return undefined;
      }
      if (isSecretAt(path, part)) refuse(path, plainSecret);
      return part;
    });
  };
}

export const plainSecret =
  "a secret must not stand here: put it into the app's secret, and write { secret: <its field there> }";
