import * as z from "zod/mini";
import { resolveIntrinsics } from "../../../local/cloud/intrinsics.ts";
import { localAccountId } from "../../../local/cloud/local-aws.ts";
import type { Cloud } from "../../../local/cloud/start-cloud.ts";
import type { Statement } from "./policy.ts";

const oneOrMany = z.union([z.string(), z.array(z.string())]);
const policySchema = z.object({
  Statement: z.array(
    z.object({ Effect: z.enum(["Allow", "Deny"]), Action: oneOrMany, Resource: z.unknown() }),
  ),
});
const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
});
const templateSchema = z.object({ Resources: z.record(z.string(), resourceSchema) });
const functionSchema = z.object({
  FunctionName: z.string(),
  Role: z.object({ "Fn::GetAtt": z.tuple([z.string(), z.literal("Arn")]) }),
});
const roleSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: policySchema })) });

/** The policy of each function's role, by the function's name, with local resources, without its log. */
export function readRoles(
  json: unknown,
  cloud: Pick<Cloud, "region" | "resources">,
): ReadonlyMap<string, readonly Statement[]> {
  const { Resources } = templateSchema.parse(json);
  const toArn = createArns(Resources, cloud);
  const functions = Object.values(Resources).filter(({ Type }) => Type === "AWS::Lambda::Function");
  return new Map(
    functions.map(({ Properties }) => {
      const { FunctionName, Role } = functionSchema.parse(Properties);
      const { Policies } = roleSchema.parse(Resources[Role["Fn::GetAtt"][0]]?.Properties);
      const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Action }) => ![Action].flat().some((action) => action.startsWith("logs:Put")))
        .map(({ Effect, Action, Resource }) => ({
          effect: Effect,
          actions: [Action].flat(),
          resources: [Resource].flat().map(toArn),
        }));
      return [FunctionName, statements];
    }),
  );
}

/** Resolves ARNs as CloudFormation would, for resources of the local world and others that a policy names. */
function createArns(
  resources: z.infer<typeof templateSchema>["Resources"],
  { region, resources: local }: Pick<Cloud, "region" | "resources">,
): (value: unknown) => string {
  const values = new Map(
    Object.entries(resources).map(([id, { Type, Properties = {} }]) => {
      const service = Type.split("::")[1]?.toLowerCase() ?? "";
      const name = String(Properties.Name ?? Properties.FunctionName ?? id);
      const made = `arn:aws:${service}:${region}:${localAccountId}:${Type === "AWS::Events::EventBus" ? "event-bus/" : "function:"}${name}`;
      const arn = local[id]?.arn ?? made;
      return [id, { ref: Type === "AWS::SecretsManager::Secret" ? arn : name, attributes: { Arn: arn } }];
    }),
  );
  return (value) =>
    String(resolveIntrinsics(value, { region, stackName: "cometchat-functions-local", resources: values }));
}
