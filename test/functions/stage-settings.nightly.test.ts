import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageService } from "../../cli/deploy/package-service.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const boundary = "arn:aws:iam::123456789012:policy/teams";
const settings = `local:
prod:
  flows: off
  permissionsBoundary: ${boundary}
  tags: { cost-center: "42" }
  retention: { logDays: 7, queueSeconds: 604800, setAsideSeconds: 86400, effectDays: 90, backupDays: 7 }
`;

const ownFunctions = `processEvents:
  rights: [{ Action: dynamodb:Scan, Resource: !GetAtt StateTable.Arn }]
moderation:
  rights: [readAppsAndWebhooks]
`;

describe("a stage's settings, in the template", { timeout: 120_000 }, () => {
  let project: string;
  let folder: string;
  let template: string;
  let resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;

  beforeAll(async () => {
    project = copyProject({
      "config/stages.yml": settings,
      "config/apps.yml": "local:\nprod:\n  - an-app\n",
      "config/triggers.yml": "local:\n",
      "functions/own/functions.yml": ownFunctions,
    });
    folder = mkdtempSync(join(tmpdir(), "package-"));
    const env = { PATH: process.env.PATH, HOME: folder };
    const where = { stage: "prod", region: "eu-central-1", folder };
    const edges = { projectFolder: project, env, signal: new AbortController().signal, onLine: () => {} };
    ({ template } = await packageService(where, edges));
    resources = JSON.parse(template).Resources;
  });
  afterAll(() => {
    removeCopy(project);
    rmSync(folder, { recursive: true, force: true });
  });

  it("limit every role by the boundary", () => {
    const roles = Object.values(resources).filter(({ Type }) => Type === "AWS::IAM::Role");

    expect(roles.length).toBeGreaterThan(5);
    for (const { Properties } of roles) expect(Properties.PermissionsBoundary).toBe(boundary);
  });

  it("set the retention of every store", () => {
    const valuesOf = (type: string, property: string) =>
      Object.values(resources)
        .filter(({ Type }) => Type === type)
        .map(({ Properties }) => Properties[property]);
    const backup = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 };
    const tables = valuesOf("AWS::DynamoDB::Table", "PointInTimeRecoverySpecification");

    expect(valuesOf("AWS::SQS::Queue", "MessageRetentionPeriod").toSorted()).toEqual([
      ...[604_800, 604_800, 604_800],
      ...[86_400, 86_400],
    ]);
    expect(tables.filter((value) => value !== undefined)).toEqual([backup, backup, backup, backup]);
    expect(resources.ProcessEventsLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { EFFECT_DAYS: "90" },
    });
    expect(resources.WebhookLogGroup?.Properties.RetentionInDays).toBe(7);
  });

  it("add rights of functions/own/functions.yml to the shipped ones", () => {
    const policyOf = (id: string) => JSON.stringify(resources[id]?.Properties.Policies);

    expect(policyOf("ProcessEventsRole")).toMatch(/secretsmanager:GetSecretValue.*dynamodb:Scan/);
    expect(policyOf("ModerationRole").match(/secretsmanager:GetSecretValue/g)).toHaveLength(2);
  });

  it("leave of flows only their table if flows are off", () => {
    expect(Object.keys(resources).filter((id) => id.startsWith("Flows"))).toEqual(["FlowsTable"]);
    expect(template).not.toContain("cometchat-functions-prod-flows:");
    expect(template).not.toContain("FLOWS_FUNCTION_NAME");
    expect(template).not.toContain("FlowsDurableLambdaAlias");
    expect(resources.DoctorLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { FLOWS: "off" },
    });
  });
});
