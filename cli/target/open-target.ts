import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { parse } from "yaml";
import * as z from "zod/mini";
import { isAlive } from "../../build/is-alive.ts";
import { readStages } from "../../build/stages.ts";
import {
  type AwsCall,
  AwsCallError,
  type AwsCaller,
  createAwsCaller,
  throttlingCodes,
} from "../../lib/aws/aws-call.ts";
import { parseJson, readText } from "../../lib/base/json.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import type { CommonOptions } from "../program.ts";
import {
  type AwsCredentials,
  addressesIn,
  identityTryMs,
  limitsOf,
  type MakeClient,
  nameLack,
  nameSilence,
  openIdentity,
  type ResolvedCredentials,
  resolveCredentials,
  unusedVariables,
} from "./identity.ts";
import { type ProcessEnvironment, readStack, type Stack, type Target, type TargetFacts } from "./target.ts";

export async function openTarget(options: CommonOptions, edges: CliEdges): Promise<Target> {
  const { local, stage, world, region } = options;
  if (local && stage !== undefined) throw wrongUse("--local and --stage cannot be combined.");
  if (world !== undefined && !local) throw wrongUse("--world requires --local.");
  if (local && region !== undefined) throw wrongUse("--region requires --stage.");
  if (local) return await openLocal(world, edges);
  if (stage !== undefined) return await openStage(stage, region, edges);
  throw wrongUse(
    "No target is given, and nothing was done.",
    "Add --local for the local stack of npm start, or --stage <name> for a deployed stage. config/stages.yml can name a default stage.",
  );
}

async function openLocal(wanted: string | undefined, edges: CliEdges): Promise<Target> {
  const { pid, region, endpoints, consoleUrl, clock } = await findLocalStack(edges.projectFolder, wanted);
  // The running stack may have refused the latest edit.
  const stages = await readStages(edges.projectFolder).catch(() => undefined);
  // A local stack has neither an AWS key nor protection.
  const { kmsKey: _key, production: _isGuarded, ...settings } = stages?.get("local") ?? {};
  const context: TargetOptions = {
    kind: "local",
    stage: "local",
    region,
    consoleUrl,
    settings,
    unusedVariables: [],
    chosen: wanted === undefined ? [] : ["--world", wanted],
    aheadMs: clock.frozenAtMs === undefined ? clock.offsetMs : clock.frozenAtMs - edges.now(),
    env: endpoints,
    resolve: async () => ({
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      source: "the local stack",
      isRenewable: false,
    }),
    titleOf: () => `the local stack (pid ${pid})`,
  };
  return await toTarget(context, edges);
}

async function openStage(stage: string, wanted: string | undefined, edges: CliEdges): Promise<Target> {
  const { env } = edges;
  const stages = await readStages(edges.projectFolder);
  const settings = stages.get(stage);
  if (settings === undefined) {
    const names = [...stages.keys()].filter((name) => name !== "local");
    throw wrongUse(
      `config/stages.yml names no stage "${stage}".`,
      `It lists ${names.join(", ")}. Add a line for a new one.`,
    );
  }
  const region = wanted ?? settings.region ?? defaultRegion;
  const context: TargetOptions = {
    kind: "stage",
    stage,
    region,
    env,
    aheadMs: 0,
    settings,
    chosen: wanted === undefined ? [] : ["--region", wanted],
    unusedVariables: unusedVariables(env, stage),
    resolve: () =>
      resolveCredentials(env, region, limitsOf(edges, identityTryMs)).catch((error: unknown) => {
        throw nameLack(error, `stage ${stage} (${region})`, env.AWS_PROFILE);
      }),
    titleOf: (accountId, source) => `stage ${stage} (${region}, account ${accountId}, by ${source})`,
  };
  return await toTarget(context, edges);
}

/** Same as in serverless.yml. */
const defaultRegion = "us-east-1";

interface TargetOptions extends TargetFacts {
  readonly env: CliEdges["env"];
  readonly resolve: () => Promise<ResolvedCredentials>;
  readonly titleOf: (accountId: string, source: string) => string;
}

async function toTarget(
  { env, resolve, titleOf, ...facts }: TargetOptions,
  edges: CliEdges,
): Promise<Target> {
  const { region, stage } = facts;
  const addresses = addressesIn(env);
  const clientWith =
    (credentials: () => Promise<AwsCredentials>, limits = limitsOf(edges)): MakeClient =>
    (ClientClass, endpointName) => {
      const endpoint = addresses[`AWS_ENDPOINT_URL_${endpointName}`] ?? addresses.AWS_ENDPOINT_URL;
      // Neither `callAws` nor the framework supports a profile's `endpoint_url`.
      const settings = { region, credentials, ...limits, ignoreConfiguredEndpointUrls: true } as const;
      const client = new ClientClass({ ...settings, ...(endpoint !== undefined && { endpoint }) });
      client.middlewareStack.add(nameSilence, { step: "initialize" });
      const { sleep, signal } = edges;
      client.middlewareStack.add((next) => waitWhileThrottled(next, sleep, signal), { step: "initialize" });
      return client;
    };
  const askCaller = async (credentials: AwsCredentials) => {
    const sts = clientWith(async () => credentials, limitsOf(edges, identityTryMs))(STSClient, "STS");
    const { Account: accountId = "", Arn: arn = "" } = await sts.send(new GetCallerIdentityCommand({}));
    return { accountId, arn };
  };
  const { accountId, arn, source, credentials, prove } = await openIdentity(resolve, askCaller, edges.now);
  const environmentOf = (current: AwsCredentials): ProcessEnvironment => ({
    variables: { ...addresses, ...awsVariables(region, current) },
    endsAt: current.expiration,
  });
  let known: Promise<Stack> | undefined;
  /** Credentials may be renewed during the work. */
  let caller: { readonly credentials: AwsCredentials; readonly callAws: AwsCaller } | undefined;
  const service = await readServiceName(edges.projectFolder);
  const client = clientWith(credentials);
  const target: Target = {
    ...facts,
    accountId,
    identity: arn,
    service,
    stackName: `${service}-${stage}`,
    title: titleOf(accountId, source),
    client,
    cloudFormation: client(CloudFormationClient, "CLOUDFORMATION"),
    callAws: waitWhileThrottled(async (call: AwsCall) => {
      const current = await credentials();
      if (caller?.credentials !== current) {
        caller = { credentials: current, callAws: createAwsCaller(environmentOf(current).variables) };
      }
      if (call.timeoutMs !== undefined) return await caller.callAws(call);
      const limits = { timeoutMs: operatorTimeoutMs, deadlineMs: Date.now() + mostMs };
      return await caller.callAws({ ...limits, ...call });
    }, edges.sleep),
    processEnvironment: async () => environmentOf(await credentials()),
    credentials,
    proveIdentity: prove,
    stack: () => known ?? target.rereadStack(),
    rereadStack: () => {
      known = readStack(target);
      return known;
    },
  };
  return target;
}

function awsVariables(region: string, { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials) {
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
  };
}

/** The machine may be far from the region. */
const operatorTimeoutMs = 20_000;
const mostMs = 30_000;

/** The caller's own tries end within 2 s. `callAws` gives no signal: held messages are returned after it. */
function waitWhileThrottled<Args, Result>(
  call: (args: Args) => Promise<Result>,
  sleep: CliEdges["sleep"],
  signal?: AbortSignal,
) {
  return async (args: Args): Promise<Result> => {
    for (const mostWaitMs of throttledWaitsMs) {
      try {
        return await call(args);
      } catch (error) {
        if (!isThrottled(error)) throw error;
        if (!signal?.aborted) await sleep((mostWaitMs * (1 + Math.random())) / 2, signal);
        if (signal?.aborted) throw error;
      }
    }
    return await call(args);
  };
}

function isThrottled(error: unknown) {
  if (!(error instanceof Error)) return false;
  return throttlingCodes.test(error instanceof AwsCallError ? error.code : error.name);
}

/** 7 to 14 s in all. */
const throttledWaitsMs = [500, 1_000, 2_000, 3_500, 7_000];

async function readServiceName(projectFolder: string) {
  const text = await readFile(join(projectFolder, "serverless.yml"), "utf8").catch(() => "");
  const [line = ""] = text.match(/^service:.*$/m) ?? [];
  const service = readText(parse(line), "service");
  if (service !== undefined) return service;
  throw wrongUse(
    "serverless.yml cannot be read, or names no service.",
    "Run the command in the project's folder.",
  );
}

const localStackSchema = z.object({
  pid: z.number(),
  region: z.string(),
  consoleUrl: z.optional(z.string()),
  endpoints: z.record(z.string(), z.string()),
  /** The stack's time, in milliseconds: its offset from the machine's, or frozen. */
  clock: z._default(z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) }), { offsetMs: 0 }),
});

async function findLocalStack(projectFolder: string, wanted: string | undefined) {
  const stacks = (await readLocalStacks(join(projectFolder, ".worlds"))).filter(({ pid }) => isAlive(pid));
  const [found, ...others] = stacks.filter(({ pid }) => wanted === undefined || String(pid) === wanted);
  const pids = stacks.map(({ pid }) => pid).join(", ");
  const fail = (message: string, hint: string) => notThere("NO_LOCAL_WORLD", message, hint);
  if (pids === "") throw fail("No local stack runs in this folder.", "Start one: npm start");
  if (found === undefined)
    throw fail(`No local stack has the pid ${wanted}.`, `The pids of those that run: ${pids}`);
  if (others.length === 0) return found;
  const named = stacks.map(({ pid, consoleUrl = "no console" }) => `${pid} (${consoleUrl})`).join(", ");
  throw fail(`Several local stacks run here: ${named}.`, `Name one, such as --world ${found.pid}`);
}

async function readLocalStacks(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return texts.flatMap((text) => localStackSchema.safeParse(parseJson(text)).data ?? []);
}
