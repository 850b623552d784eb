import * as z from "zod/mini";

const builtForSchema = z.object({ stage: z.string(), appIds: z.readonly(z.array(z.string())) });

export type BuiltFor = z.infer<typeof builtForSchema>;

/**
 * Reads a template's `Metadata`, which CloudFormation keeps and GetTemplateSummary returns.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/metadata-section-structure.html
 */
export function readBuiltFor(metadata: unknown): BuiltFor | undefined {
  return z.safeParse(z.object({ BuiltFor: builtForSchema }), metadata).data?.BuiltFor;
}

const flowEventsSchema = z.record(z.string(), z.array(z.string()));

/** By flow, the events that it lists (`waitsFor`). */
export type FlowEvents = z.infer<typeof flowEventsSchema>;

/** @returns undefined if packaging could not know ("unknown") */
export function readFlowEvents(metadata: unknown): FlowEvents | undefined {
  return z.safeParse(z.object({ FlowEvents: flowEventsSchema }), metadata).data?.FlowEvents;
}

export function whyNotDeployed(built: BuiltFor | undefined, wanted: BuiltFor): string | undefined {
  const { stage } = wanted;
  if (wanted.appIds.length === 0) {
    return (
      `The stage ${stage} serves no app: config/apps.yml names none for it. ` +
      `Take the stage away (npx cometchat-functions remove --stage ${stage}), ` +
      `or add one, then deploy again: npx cometchat-functions setup --app <appId> --stage ${stage}`
    );
  }
  const again = `Package again and deploy that: npx serverless package --stage ${stage}`;
  if (built === undefined) return `The package does not say what it was made for. ${again}`;
  if (built.stage !== stage) {
    return `The package was made for the stage ${built.stage}, and not for ${stage}. ${again}`;
  }
  const lacking = wanted.appIds.filter((appId) => !built.appIds.includes(appId));
  const besides = built.appIds.filter((appId) => !wanted.appIds.includes(appId));
  if (lacking.length + besides.length === 0) return undefined;
  const differences = [
    ...(lacking.length > 0 ? [`it does not serve ${lacking.join(", ")}`] : []),
    ...(besides.length > 0 ? [`it serves ${besides.join(", ")}`] : []),
  ];
  return `The package was made for other apps than config/apps.yml names for the stage ${stage}: ${differences.join(", and ")}. ${again}`;
}
