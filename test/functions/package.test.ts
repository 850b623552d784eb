import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { prefixOfStack } from "../../cli/apps/stage-apps.ts";
import { packageService as packageStage } from "../../cli/deploy/package-service.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { packageService } from "../helpers/template/package-service.ts";

const root = join(import.meta.dirname, "../..");

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** What the consumer is handed. */
const consumedQueues = ["EventsQueue", "CallsQueue", "ParkedLanesQueue"];

/** @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html */
const withoutResources = new Set(["cloudwatch:GetMetricData"]);

interface Statement {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: unknown;
}

describe("serverless package, without credentials, network or login", () => {
  let folder: string;
  let resources: Record<string, Resource>;
  let metadata: unknown;
  let outputs: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    const packaged = await packageService();
    folder = packaged.folder;
    ({ Resources: resources, Metadata: metadata, Outputs: outputs } = JSON.parse(packaged.template));
  });

  const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
  const propertiesOf = (logicalId: string) => resources[logicalId]?.Properties ?? {};
  const rolesWithStatements = () =>
    ofType("AWS::IAM::Role").map(([id, { Properties }]) => {
      const policies = Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
      return { id, statements: policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) };
    });

  it("makes one archive for each function", () => {
    const archives = readdirSync(folder).filter((file) => file.endsWith(".zip"));

    expect(archives).toHaveLength(ofType("AWS::Lambda::Function").length);
    expect(archives).toEqual(expect.arrayContaining(["webhook.zip", "processEvents.zip", "seed.zip"]));
  });

  it("runs every function on Node 24 and arm64, each in a role of its own", () => {
    const functions = ofType("AWS::Lambda::Function").map(([, { Properties }]) => Properties);

    for (const properties of functions) {
      expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"] });
    }
    const help =
      "Roles are made by build/function-roles.ts: a function lists its `rights` and declares no `role`";
    expect(new Set(functions.map(({ Role }) => JSON.stringify(Role))).size, help).toBe(functions.length);
    expect(ofType("AWS::IAM::Role"), help).toHaveLength(functions.length);
  });

  it("lets Lambda drop no line of a function's own: LOG_LEVEL decides, and metrics have no level", () => {
    for (const [, { Properties }] of ofType("AWS::Lambda::Function")) {
      expect(Properties.LoggingConfig).toMatchObject({ LogFormat: "JSON", ApplicationLogLevel: "DEBUG" });
    }
  });

  it("names every resource that a role may touch, where AWS knows resources for the action", () => {
    const statements = rolesWithStatements().flatMap(({ statements }) => statements);

    expect(statements.length).toBeGreaterThan(5);
    for (const { Action } of statements) expect(JSON.stringify(Action)).not.toContain("*");
    for (const { Resource } of statements.filter(({ Action }) => !withoutResources.has(String(Action)))) {
      expect([Resource].flat()).not.toContain("*");
    }
  });

  it("lets the receiver do nothing but log, read its secret and send to its two queues", () => {
    const { statements } = rolesWithStatements().find(({ id }) => id === "WebhookRole") ?? { statements: [] };

    const allowed = statements.filter(({ Effect }) => Effect === "Allow");
    expect(allowed.flatMap(({ Action }) => Action).toSorted()).toEqual([
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "secretsmanager:GetSecretValue",
      "sqs:SendMessage",
    ]);
  });

  it.each([
    ["Webhook", ["Allow */webhook-*"]],
    ["BeforeMessage", ["Allow */webhook-*"]],
    ["Moderation", ["Allow */webhook-*"]],
    ["ProcessEvents", ["Allow *", "Deny management-*", "Deny */webhook-*"]],
    ["Seed", ["Allow *", "Deny management-*"]],
    ["Doctor", ["Allow *", "Deny management-*"]],
    ["Rotate", ["Allow *", "Deny management-*"]],
  ])("lets %s read the secrets that it needs, and no others", (name, secrets) => {
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

  it("makes no secret of an app, so that no stack can leave one behind that blocks the next", () => {
    expect(ofType("AWS::SecretsManager::Secret").map(([id]) => id)).toEqual(["LoopGuardSecret"]);
  });

  it("keeps the apps' secrets where commands make them before the first deploy", () => {
    const prefix = prefixOfStack({ service: "cometchat-functions", stage: "dev" });

    expect(outputs.SecretPrefix).toMatchObject({ Value: prefix });
  });

  it("says which stage and apps it was made for", () => {
    expect(metadata).toMatchObject({ BuiltFor: { stage: "dev", appIds: [] } });
  });

  it("lets only what sends read the key of the marks, whose name no app can have", () => {
    const readers = rolesWithStatements().filter(({ statements }) =>
      JSON.stringify(statements).includes("LoopGuardSecret"),
    );

    expect(readers.map(({ id }) => id)).toEqual(["ProcessEventsRole", "FlowsRole", "DoctorRole"]);
    expect(propertiesOf("LoopGuardSecret")).not.toHaveProperty("Name");
    expect(propertiesOf("LoopGuardSecret")).toMatchObject({ GenerateSecretString: { PasswordLength: 64 } });
  });

  it.each(["EventsQueue", "CallsQueue", "ParkedLanesQueue", "DeadLetterQueue"])(
    "declares %s as FIFO in high-throughput mode",
    (queue) => {
      expect(propertiesOf(queue)).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
      });
    },
  );

  it("keeps what cannot be read in a plain queue", () => {
    expect(propertiesOf("QuarantineQueue")).not.toHaveProperty("FifoQueue");
  });

  it.each(consumedQueues)(
    "leaves burying to the consumer: SQS gives up a message of %s as the last net only",
    (queue) => {
      expect(propertiesOf(queue).RedrivePolicy).toEqual({
        maxReceiveCount: 1000,
        deadLetterTargetArn: { "Fn::GetAtt": ["DeadLetterQueue", "Arn"] },
      });
    },
  );

  it.each(consumedQueues)("hides a message of %s for longer than the consumer may take", (queue) => {
    const { Timeout } = propertiesOf("ProcessEventsLambdaFunction");

    expect(Timeout).toBe(60);
    expect(propertiesOf(queue).VisibilityTimeout).toBe(75);
  });

  it.each(["EffectsTable", "LanesTable", "CallsTable", "LoginsTable"])(
    "pays for %s by request, and lets items expire",
    (table) => {
      expect(propertiesOf(table)).toMatchObject({
        BillingMode: "PAY_PER_REQUEST",
        TimeToLiveSpecification: { AttributeName: "expiration", Enabled: true },
      });
    },
  );

  it("keeps logs for a limited time", () => {
    const groups = ofType("AWS::Logs::LogGroup");

    expect(groups).toHaveLength(ofType("AWS::Lambda::Function").length + 1); // and the access log
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
    expect(propertiesOf("HttpApiLogGroup").LogGroupName).toMatch(/^\/aws\/vendedlogs\//);
  });

  it("feeds the consumer from its three queues, limited there and not by reserved concurrency", () => {
    const mappings = ofType("AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);

    const limited = {
      FunctionName: { "Fn::GetAtt": ["ProcessEventsLambdaFunction", "Arn"] },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: 2 },
    };
    const ofQueue = (queue: string) => ({ EventSourceArn: { "Fn::GetAtt": [queue, "Arn"] } });
    expect(mappings).toHaveLength(3);
    expect(mappings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...limited, ...ofQueue("EventsQueue"), BatchSize: 10 }),
        expect.objectContaining({ ...limited, ...ofQueue("CallsQueue"), BatchSize: 10 }),
        expect.objectContaining({ ...limited, ...ofQueue("ParkedLanesQueue"), BatchSize: 10 }),
      ]),
    );
    for (const [, { Properties }] of ofType("AWS::Lambda::Function")) {
      expect(Properties).not.toHaveProperty("ReservedConcurrentExecutions");
    }
  });

  it("turns no trigger on for a stage that config/triggers.yml does not name", () => {
    const { Environment } = propertiesOf("ProcessEventsLambdaFunction") as {
      Environment: { Variables: Record<string, unknown> };
    };

    expect(parse(readFileSync(join(root, "config/triggers.yml"), "utf8"))).not.toHaveProperty("dev");
    expect(Environment.Variables.ENABLED_TRIGGERS).toBe("");
  });

  it("runs reconcile by hand alone, and counts nothing for it, unless a stage turns it on", () => {
    const rules = ofType("AWS::Events::Rule").map(([, { Properties }]) => Properties);
    const variablesOf = (logicalId: string) =>
      (propertiesOf(logicalId) as { Environment: { Variables: Record<string, unknown> } }).Environment
        .Variables;

    expect(
      rules.filter(({ Targets }) => JSON.stringify(Targets).includes("ReconcileLambdaFunction")),
    ).toEqual([
      expect.objectContaining({
        State: "DISABLED",
        Targets: [expect.objectContaining({ Input: '{"scheduled":true}' })],
      }),
    ]);
    expect(variablesOf("ReconcileLambdaFunction").RECONCILE).toBe("off");
    expect(variablesOf("ProcessEventsLambdaFunction").RECONCILE).toBe("off");
  });

  it("puts no secret value into the template", () => {
    expect(JSON.stringify(resources)).toContain("GenerateSecretString");
    expect(JSON.stringify(resources)).not.toMatch(/"SecretString"/);
  });
});

describe.runIf(isNight)("serverless package, with a key of the team's", () => {
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

  it("encrypts everything that can hold a text", () => {
    const without = Object.values(resources).filter(
      (resource) => !JSON.stringify(resource).includes(keyOf("new")),
    );
    // They hold no text of users; the bucket holds packages.
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
