import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { prefixOfStack } from "../../cli/apps/stage-apps.ts";
import { packageService as packageStage } from "../../cli/deploy/package-service.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { checkTemplate } from "../helpers/template/check-template.ts";
import { packageService } from "../helpers/template/package-service.ts";

const root = join(import.meta.dirname, "../..");

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: string | string[];
}

interface Template {
  Resources: Record<string, Resource>;
  Metadata: unknown;
  Outputs: Readonly<Record<string, unknown>>;
}

/** @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html */
const withoutResources = new Set(["cloudwatch:GetMetricData"]);

interface Statement {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: unknown;
}

describe("serverless package, without credentials, network or login", () => {
  let template: Template;

  beforeAll(async () => {
    template = JSON.parse((await packageService()).template);
  });

  const ofType = (type: string) =>
    Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
  const functions = () => ofType("AWS::Lambda::Function").map(([, { Properties }]) => Properties);
  const propertiesOf = (logicalId: string) => template.Resources[logicalId]?.Properties ?? {};
  const variablesOf = (logicalId: string): unknown => Object(propertiesOf(logicalId).Environment).Variables;
  const rolesWithStatements = () =>
    ofType("AWS::IAM::Role").map(([id, { Properties }]) => {
      const policies = Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
      return { id, statements: policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) };
    });

  it("conforms to AWS's published resource types", () => {
    expect(checkTemplate(template)).toEqual([]);
  });

  it("runs every function on Node 24 and arm64, each with its own role", () => {
    for (const properties of functions()) {
      expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"] });
    }
    const help =
      "Roles are made by build/function-roles.ts: a function lists its `rights` and declares no `role`";
    expect(new Set(functions().map(({ Role }) => JSON.stringify(Role))).size, help).toBe(functions().length);
    expect(ofType("AWS::IAM::Role"), help).toHaveLength(functions().length);
  });

  it("lets Lambda drop none of a function's lines: LOG_LEVEL decides, and metrics have no level", () => {
    for (const { LoggingConfig } of functions()) {
      expect(LoggingConfig).toMatchObject({ LogFormat: "JSON", ApplicationLogLevel: "DEBUG" });
    }
  });

  it("names every resource that a role can use, if AWS has resources for the action", () => {
    const statements = rolesWithStatements().flatMap(({ statements }) => statements);

    expect(statements.length).toBeGreaterThan(5);
    for (const { Action } of statements) expect(JSON.stringify(Action)).not.toContain("*");
    for (const { Resource } of statements.filter(({ Action }) => !withoutResources.has(String(Action)))) {
      expect([Resource].flat()).not.toContain("*");
    }
  });

  it.each([
    ["Webhook", ["Allow */webhook-*", "Allow */webhook"]],
    ["BeforeMessage", ["Allow */webhook-*", "Allow */webhook"]],
    ["Moderation", ["Allow */webhook-*", "Allow */webhook"]],
    ["ProcessEvents", ["Allow *", "Deny management-*", "Deny */webhook-*", "Deny */webhook"]],
    ["Seed", ["Allow *", "Deny management-*"]],
    ["Doctor", ["Allow *", "Deny management-*"]],
    ["Rotate", ["Allow *", "Deny management-*"]],
  ])("lets %s read only the secrets that it needs", (name, secrets) => {
    const { statements } = rolesWithStatements().find(({ id }) => id === `${name}Role`) ?? { statements: [] };

    const read = statements
      .filter(({ Action }) => Action === "secretsmanager:GetSecretValue")
      .flatMap(({ Effect, Resource }) =>
        [...JSON.stringify(Resource).matchAll(/:secret:cometchat-functions\/dev\/([^"]+)/g)].map(
          ([, secret]) => `${Effect} ${secret}`,
        ),
      );
    expect(read).toEqual(secrets);
  });

  it("creates no secret of an app, which a deleted stack would leave behind to block the next one", () => {
    expect(ofType("AWS::SecretsManager::Secret").map(([id]) => id)).toEqual(["LoopGuardSecret"]);
  });

  it("uses the prefix under which commands create the apps' secrets before the first deploy", () => {
    const prefix = prefixOfStack({ service: "cometchat-functions", stage: "dev" });

    expect(template.Outputs.SecretPrefix).toMatchObject({ Value: prefix });
  });

  it("contains its stage, its apps, and the events that its flows wait for", () => {
    expect(template.Metadata).toMatchObject({ BuiltFor: { stage: "dev", appIds: [] }, FlowEvents: {} });
  });

  it("lets only senders read the key of the marks, whose name cannot be an app's", () => {
    const readers = rolesWithStatements().filter(({ statements }) =>
      JSON.stringify(statements).includes("LoopGuardSecret"),
    );

    expect(readers.map(({ id }) => id)).toEqual(["ProcessEventsRole", "FlowsRole", "DoctorRole"]);
    expect(propertiesOf("LoopGuardSecret")).not.toHaveProperty("Name");
    expect(propertiesOf("LoopGuardSecret")).toMatchObject({ GenerateSecretString: { PasswordLength: 64 } });
  });

  it("declares queues of conversations in high-throughput mode", () => {
    for (const queue of ["EventsQueue", "CallsQueue", "ParkedLanesQueue", "DeadLetterQueue"]) {
      expect(propertiesOf(queue), queue).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
      });
    }
  });

  it("feeds the consumer from three queues that dead-letter as a last resort and hide longer than it runs", () => {
    const mappings = ofType("AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);

    expect(mappings).toHaveLength(3);
    expect(propertiesOf("ProcessEventsLambdaFunction").Timeout).toBe(60);
    for (const queue of ["EventsQueue", "CallsQueue", "ParkedLanesQueue"]) {
      expect(propertiesOf(queue)).toMatchObject({
        RedrivePolicy: {
          maxReceiveCount: 1000,
          deadLetterTargetArn: { "Fn::GetAtt": ["DeadLetterQueue", "Arn"] },
        },
        VisibilityTimeout: 75,
      });
      // Limited here and not by reserved concurrency.
      expect(mappings).toContainEqual(
        expect.objectContaining({
          FunctionName: { "Fn::GetAtt": ["ProcessEventsLambdaFunction", "Arn"] },
          FunctionResponseTypes: ["ReportBatchItemFailures"],
          ScalingConfig: { MaximumConcurrency: 2 },
          EventSourceArn: { "Fn::GetAtt": [queue, "Arn"] },
          BatchSize: 10,
        }),
      );
    }
    for (const one of functions()) expect(one).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("bills tables by request, lets items expire, and retains those whose loss breaks a promise", () => {
    const ofAll = {
      BillingMode: "PAY_PER_REQUEST",
      TimeToLiveSpecification: { AttributeName: "expiration", Enabled: true },
    };
    for (const table of ["CallsTable", "LoginsTable"]) expect(propertiesOf(table)).toMatchObject(ofAll);
    for (const table of ["StateTable", "EffectsTable", "LanesTable", "FlowsTable"]) {
      expect(template.Resources[table], table).toMatchObject({
        DeletionPolicy: "Retain",
        Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      });
    }
    for (const table of ["EffectsTable", "LanesTable"]) expect(propertiesOf(table)).toMatchObject(ofAll);
  });

  it("keeps logs for a limited time", () => {
    const groups = ofType("AWS::Logs::LogGroup");

    expect(groups).toHaveLength(functions().length + 1); // and the access log
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
    expect(propertiesOf("HttpApiLogGroup").LogGroupName).toMatch(/^\/aws\/vendedlogs\//);
  });

  it("turns on nothing by default: neither triggers nor reconcile", () => {
    const rules = ofType("AWS::Events::Rule").map(([, { Properties }]) => Properties);

    expect(parse(readFileSync(join(root, "config/triggers.yml"), "utf8"))).not.toHaveProperty("dev");
    expect(variablesOf("ProcessEventsLambdaFunction")).toMatchObject({
      ENABLED_TRIGGERS: "",
      RECONCILE: "off",
    });
    expect(variablesOf("ReconcileLambdaFunction")).toMatchObject({ RECONCILE: "off" });
    expect(
      rules.filter(({ Targets }) => JSON.stringify(Targets).includes("ReconcileLambdaFunction")),
    ).toMatchObject([{ State: "DISABLED", Targets: [{ Input: '{"scheduled":true}' }] }]);
  });

  it("updates the function that starts flows only after their alias, which can run a new flow from then on", () => {
    const waiting = Object.entries(template.Resources).filter(([, { DependsOn = [] }]) =>
      [DependsOn].flat().includes("FlowsDurableLambdaAlias"),
    );

    expect(waiting.map(([id]) => id)).toEqual(["ProcessEventsLambdaFunction"]);
    expect(template.Resources).toHaveProperty("FlowsDurableLambdaAlias");
  });

  it("contains no secret value", () => {
    expect(JSON.stringify(template.Resources)).toContain("GenerateSecretString");
    expect(JSON.stringify(template.Resources)).not.toMatch(/"SecretString"/);
  });
});

it("conforms to AWS's published resource types with a distribution in front, too", () => {
  const customTags = ["Ref", "Sub", "GetAtt"].map((name) => ({
    tag: `!${name}`,
    resolve: (text: string) => ({ [name === "Ref" ? name : `Fn::${name}`]: text }),
  }));
  const text = readFileSync(join(root, "infrastructure/edge/template.yml"), "utf8");

  // CloudFormation refuses aliases in YAML: maxAliasCount.
  expect(checkTemplate(parse(text, { customTags, maxAliasCount: 0 }))).toEqual([]);
});

describe.runIf(isNight)("serverless package, with the user's own key", () => {
  const keyOf = (name: string) => `arn:aws:kms:us-east-1:123456789012:key/${name}`;
  const versionOf = (resources: Record<string, Resource>) =>
    Object.entries(resources).find(([, { Type }]) => Type === "AWS::Lambda::Version");
  const former = `formerKmsKeys: [${keyOf("former")}]`;
  let project: string;
  let before: Record<string, Resource>;
  let resources: Record<string, Resource>;

  beforeAll(async () => {
    project = copyProject({});
    before = await packageWith(`{ ${former} }`);
    resources = await packageWith(`{ kmsKey: ${keyOf("new")}, ${former} }`);
  });
  afterAll(() => removeCopy(project));

  async function packageWith(dev: string): Promise<Record<string, Resource>> {
    writeFileSync(join(project, "config/stages.yml"), `local:\nprod:\ndev: ${dev}\n`);
    const folder = join(project, "package");
    const env = { PATH: process.env.PATH, HOME: project };
    const edges = { projectFolder: project, env, signal: new AbortController().signal, onLine: () => {} };
    const { template } = await packageStage({ stage: "dev", region: "us-east-1", folder }, edges);
    return JSON.parse(template).Resources;
  }

  it("encrypts all resources that can contain text", () => {
    const without = Object.values(resources).filter(
      (resource) => !JSON.stringify(resource).includes(keyOf("new")),
    );
    // They contain no text of users; the bucket contains packages.
    expect([...new Set(without.map(({ Type }) => Type))].toSorted()).toEqual([
      ...["Api", "Integration", "Route", "Stage"].map((name) => `AWS::ApiGatewayV2::${name}`),
      ...["AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard", "AWS::Events::Rule"],
      ...["Alias", "EventInvokeConfig", "EventSourceMapping", "Permission", "Version"].map(
        (name) => `AWS::Lambda::${name}`,
      ),
      ...["AWS::Logs::MetricFilter", "AWS::S3::Bucket", "AWS::S3::BucketPolicy"],
    ]);
    expect(resources.EventsQueue?.Properties.SqsManagedSseEnabled).toBeUndefined();
    expect(resources.FlowsLambdaFunction?.Properties).toMatchObject({
      KmsKeyArn: keyOf("new"),
      DurableConfig: { KMSKeyArn: keyOf("new") },
    });
  });

  it("publishes the same flows as a new version", () => {
    const [id, version] = versionOf(resources) ?? [];
    const [idBefore, versionBefore] = versionOf(before) ?? [];

    expect(version).toEqual(versionBefore);
    expect(id).not.toBe(idBefore);
  });

  it.each([
    ["without one", () => before, [keyOf("former")]],
    ["beside it", () => resources, [keyOf("new"), keyOf("former")]],
  ])("lets every function use former keys, %s", (_case, packaged, keys) => {
    const roles = Object.values(packaged()).filter(({ Type }) => Type === "AWS::IAM::Role");

    for (const { Properties } of roles) {
      expect(JSON.stringify(Properties.Policies)).toContain(
        `["kms:Decrypt","kms:GenerateDataKey"],"Resource":${JSON.stringify(keys)}`,
      );
    }
  });
});
