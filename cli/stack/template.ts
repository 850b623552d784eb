import { type CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";

const templateSchema = z.object({
  Metadata: z.optional(z.unknown()),
  Outputs: z.optional(z.record(z.string(), z.object({ Value: z.unknown() }))),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.optional(z.string()),
      Properties: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});

/**
 * Of the deployed stack. May be repeated.
 * @throws the client's errors
 */
export async function readTemplate(client: CloudFormationClient, StackName: string): Promise<string> {
  return (await client.send(new GetTemplateCommand({ StackName }))).TemplateBody ?? "";
}

/** Without resources if it is not a template. */
export function parseTemplate(text: string): z.infer<typeof templateSchema> {
  return templateSchema.safeParse(parseJson(text)).data ?? { Resources: {} };
}
