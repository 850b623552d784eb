import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { statementsOf } from "../../build/function-roles.ts";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { callApp } from "../helpers/call-app.ts";
import { ownProject, rightsOfTell } from "../helpers/own-project.ts";
import { fits, isAllowed, type Statement } from "../helpers/roles/policy.ts";
import { readRoles } from "../helpers/roles/read-roles.ts";
import { type CallWatch, watchCalls } from "../helpers/roles/watch-calls.ts";
import { packageService } from "../helpers/template/package-service.ts";
import { signWithSecret } from "../helpers/tokens.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

const loginSecret = "a-secret-of-forty-characters-and-no-less";

describe("the role of a function", () => {
  let watch: CallWatch;
  let world: LocalStack;
  let roles: ReadonlyMap<string, readonly Statement[]>;
  const log: string[] = [];

  beforeAll(async () => {
    const folder = await ownProject();
    watch = await watchCalls();
    // The world fills in the first two here (ownProject).
    const environment = { CHAT_BASE_URL_TEMPLATE: "", CHAT_MANAGEMENT_URL: "", ...watch.environment };
    world = await startLocalStack({
      triggerIds: ["message_sent"],
      log: (line) => log.push(line),
      cloud: { serviceFolder: folder, environment },
    });
    const { app, webhook, platform } = world;
    platform.switches.deliveryTimeoutMs = 60_000;
    await world.cloud.putAppSecret({
      appId: app.appId,
      region: app.region,
      apiKey: app.fullAccessKey,
      webhookUsername: webhook.username,
      webhookPassword: webhook.password,
      loginSecret,
    });
    watch.lead(world.cloud);
    const { template } = await packageService();
    const packaged = JSON.parse(template.replaceAll(/(?<=cometchat-functions[-/])dev\b/g, "local"));
    Object.assign(packaged.Resources, resourcesOf("tell", rightsOfTell));
    roles = readRoles(packaged, world.cloud);
    await useEverything(world, log);
  }, 600_000);
  afterAll(async () => {
    await world?.close();
    await watch?.close();
  });

  const roleOf = (functionKey: string) => roles.get(`cometchat-functions-local-${functionKey}`) ?? [];

  it("allows all calls of the function", () => {
    const refused = watch.calls.filter((call) => !isAllowed(roleOf(call.functionKey), call));

    expect(watch.problems).toEqual([]);
    expect(refused).toEqual([]);
    expect(new Set(watch.calls.map(({ functionKey }) => functionKey)).size).toBe(roles.size);
  });

  it("allows nothing else, except the rights listed here with their reasons", () => {
    const unused = [...roles].flatMap(([name, statements]) => {
      const functionKey = name.replace("cometchat-functions-local-", "");
      const calls = watch.calls.filter((call) => call.functionKey === functionKey);
      return statements
        .filter(({ effect }) => effect === "Allow")
        .flatMap(({ actions, resources }) =>
          actions.flatMap((action) =>
            resources
              .filter((resource) => {
                const one = { effect: "Allow", actions: [action], resources: [resource] } as const;
                return !calls.some((call) => fits(one, call));
              })
              .map((resource) => `${functionKey} ${action} ${resource.split(":").at(-1)}`),
          ),
        );
    });

    expect(unused.filter((right) => !usedElsewhere.some(([named]) => named.test(right)))).toEqual([]);
  });
});

/** Returns build/function-roles.ts's result for a custom function's rights. */
function resourcesOf(functionKey: string, rights: readonly string[]) {
  const text = readFileSync("infrastructure/rights.yml", "utf8")
    .replaceAll(/\$\{self:custom\.name\}/g, "cometchat-functions-local")
    .replaceAll(/\$\{self:provider\.environment\.SECRET_PREFIX\}/g, "cometchat-functions/local");
  const customTags = [
    { tag: "!Ref", resolve: (id: string) => ({ Ref: id }) },
    { tag: "!Sub", resolve: (sub: string) => ({ "Fn::Sub": sub }) },
    { tag: "!GetAtt", resolve: (name: string) => ({ "Fn::GetAtt": name.split(".") }) },
  ];
  const Statement = statementsOf(functionKey, rights, parse(text, { customTags }), "Log");
  const FunctionName = `cometchat-functions-local-${functionKey}`;
  const Role = { "Fn::GetAtt": ["OwnRole", "Arn"] };
  return {
    OwnRole: { Type: "AWS::IAM::Role", Properties: { Policies: [{ PolicyDocument: { Statement } }] } },
    OwnFunction: { Type: "AWS::Lambda::Function", Properties: { FunctionName, Role } },
  };
}

/** Rights that the scenario below does not use, each with its user. */
const usedElsewhere: readonly (readonly [RegExp, string])[] = [
  [
    /^processEvents sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) /,
    "Lambda takes the queues' messages in the function's role: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html",
  ],
  [
    /^processEvents sqs:ChangeMessageVisibility /,
    "what could not be parked is given back: test/chaos/outages.test.ts",
  ],
  [
    /^processEvents dynamodb:(Get|BatchGet|Delete)Item .*-lanes$/,
    "lanes that were parked: test/chaos/lanes.test.ts",
  ],
  [
    /^\w+ secretsmanager:GetSecretValue .*\/webhook$/,
    "a missing secret: AWS checks its name without the six characters that end an ARN",
  ],
  [/^flows dynamodb:(Get|Delete)Item .*-effects$/, "effects that failed or come again: test/unit/flows"],
  [/^tell dynamodb:GetItem .*-effects$/, "remembered messages: test/unit/effects"],
  [/^flows dynamodb:(Get|Put)Item .*-state$/, "a flow's state and lists: test/unit/flows"],
  [/^flows (dynamodb:\w+ .*-lanes|sqs:SendMessage .*-parked-lanes.fifo)$/, "illness and pauses: test/chaos"],
  [
    /^flows lambda:(InvokeFunction|SendDurableExecutionCallbackSuccess) /,
    "flows that start others and tell them",
  ],
  [
    /^flows lambda:GetDurableExecutionState /,
    "histories of more than a page: test/cloud/durable-sdk.test.ts",
  ],
  [
    /^doctor (dynamodb:(Get|Update)Item .*-lanes|secretsmanager:\w+ .*LoopGuardSecret-\w+)$/,
    "canaries, of which none is named here",
  ],
  [
    /^rotate secretsmanager:(PutSecretValue|UpdateSecretVersionStage) /,
    "a rotation under way: test/functions/own-project.test.ts",
  ],
];

/** Lets every function do all that it can. */
async function useEverything(world: LocalStack, log: readonly string[]) {
  const { cloud, clock, webhook } = world;
  const { username, password } = webhook;
  const target = (path: string) => ({ url: `${cloud.httpUrl}/${path}/local-app`, username, password });
  const post = (path: string, body: object | string) => fetch(signedRequest(target(path), body));
  const write = (onBehalfOf: string, said: string) => {
    const message = { receiver: "support", receiverType: "user", type: "text", data: { text: said } };
    return callApp(world, "POST /messages", message, { onBehalfOf });
  };
  const ended = (count: number) =>
    vi.waitFor(() => {
      const ends = cloud.durable.contents().filter(({ status }) => status === "SUCCEEDED");
      expect(ends.length).toBeGreaterThanOrEqual(count);
    });
  const tenMinutesMs = 10 * 60_000;
  const waits = () =>
    vi.waitFor(() => {
      const inMs = (cloud.durable.nextWakeAt() ?? 0) - Date.now();
      expect(inMs > tenMinutesMs / 2 && inMs <= tenMinutesMs).toBe(true);
    });
  const logged = (text: string) => vi.waitFor(() => expect(log.join("\n")).toContain(text));

  await warmReceiver(world);
  await post("webhooks", "no JSON");
  await post("webhooks", { ...events.messageSent({}), data: {} });
  await post("before-message", events.beforeMessage({ text: "hello" }));
  await post("moderation", { contextMessages: [{ alice: messageBody({ text: "hello", sender: "alice" }) }] });
  await write("alice", "Please listen");
  await waits();
  await write("alice", "What is the price?");
  await ended(1);
  await write("bob", "listen to me, too");
  await post("webhooks", events.messageSent({ id: "900", sender: "dora", text: "bury it" }));
  await logged("moved an event to the dead-letter queue");
  for (const event of [events.callStarted({}), events.callEnded({})]) await post("webhooks", event);
  await waits();
  await cloud.drained(); // received messages would return to the queue
  clock.set({ offsetMs: tenMinutesMs });
  await ended(2);
  await post("webhooks", events.messageSent({ id: "901", sender: "carla", text: "stumble" }));
  await logged("could not handle an event yet");
  await logged('"attempt":2');

  const seconds = Math.floor(clock.now() / 1_000);
  const of = { iss: "https://shop.example.com/", aud: "chat", sub: "Ann-7", name: "Ann" };
  const claims = { ...of, iat: seconds, exp: seconds + 120 };
  await fetch(target("auth-token").url, {
    method: "POST",
    headers: { authorization: `Bearer ${signWithSecret(loginSecret, { claims })}` },
  });
  const tell = async () => (await post("tell", {})).text();
  expect(await tell()).toBe(await tell());
  for (const name of ["seed", "seedUsers", "doctor", "rotate"]) await cloud.invoke(name, {});
  const since = new Date(Date.now() - 3 * 3_600_000).toISOString();
  await cloud.invoke("reconcile", { since, rehearsal: true });
  await cloud.invoke("reconcile", { since, until: new Date().toISOString() });
}
