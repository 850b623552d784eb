import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";

const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ DeletionPolicy: z.optional(z.string()) })),
});

/**
 * Lists the resources of a template that stay when their stack is deleted.
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 */
export function retainedIdsOf(template: string): ReadonlySet<string> {
  const parsed = templateSchema.safeParse(parseJson(template));
  if (!parsed.success) return new Set();
  return new Set(
    Object.entries(parsed.data.Resources).flatMap(([id, { DeletionPolicy = "" }]) =>
      DeletionPolicy.startsWith("Retain") ? [id] : [],
    ),
  );
}
