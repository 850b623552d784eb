import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startLocalServer } from "../../../local/cloud/local-server.ts";
import { answerQuery } from "../../../local/cloud/query-protocol.ts";
import { type SecretsEndpoint, startSecretsEndpoint } from "../../../local/cloud/secrets-endpoint.ts";
import { BucketStore } from "./bucket-store.ts";
import { answerCloudFormation } from "./cloudformation-endpoint.ts";
import { answerQueues, answerTables } from "./data-endpoints.ts";
import { actionsOf } from "./iam-actions.ts";
import { answerIam, answerLambda, answerSns, type Others } from "./other-endpoints.ts";
import { answerS3 } from "./s3-endpoint.ts";
import { StackModel } from "./stack-model.ts";

export interface AccountOptions {
  readonly region?: string;
  readonly now?: () => number;
  /** Gives a resource the id of a real one, if there is one. */
  readonly physicalId?: (logicalId: string) => string | undefined;
  /** Outputs that differ from the template, of real resources. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Access keys of other accounts, with their account ids. */
  readonly otherAccounts?: Readonly<Record<string, string>>;
  /** Addresses for services that this account does not emulate, by the name of the service in a signature. */
  readonly others?: Readonly<Record<string, string>>;
}

/** An AWS account on loopback, for deployments: stacks, buckets, identities. Clients find it by `env`. */
export interface Account extends Others {
  readonly url: string;
  readonly buckets: BucketStore;
  /** Its secrets, unless another address serves them. */
  readonly secrets: SecretsEndpoint;
  /** How many messages wait in a queue, by its name. */
  readonly messages: Map<string, number>;
  readonly busRules: string[];
  /** Names of queues that were deleted outside of their stack. */
  readonly goneQueues: Set<string>;
  /** How many events are in LanesTable. */
  parkedEvents: number;
  /** A table whose protection was lifted cannot be deleted immediately. */
  isSlowToUnprotect: boolean;
  /** The KMS key of all tables. */
  tableKey?: string | undefined;
  /** The requests, as `service action`, oldest first. */
  readonly calls: string[];
  /** All of them, also those before everything was restored. */
  readonly everCalled: Set<string>;
  /** The access keys that the calls were signed with. */
  readonly accessKeys: Set<string>;
  /** What a process needs to use this account as AWS. */
  readonly env: Readonly<Record<string, string>>;
  /** Refuses calls whose `service action` matches, as IAM does. */
  deny(isMeant: (call: string) => boolean): void;
  /** Saves the current state; returns a function that restores it. */
  save(): () => void;
  close(): Promise<void>;
}

const jsonServices = new Set(["dynamodb", "events", "lambda", "logs", "monitoring", "secretsmanager", "sqs"]);

export const accountId = "123456789012";

/** Starts an empty account. */
export async function startAccount(options: AccountOptions = {}): Promise<Account> {
  const { region = "eu-central-1", now = Date.now, otherAccounts = {} } = options;
  const secrets = await startSecretsEndpoint();
  const others: Readonly<Record<string, string>> = { secretsmanager: secrets.url, ...options.others };
  const buckets = new BucketStore();
  const calls: string[] = [];
  const everCalled = new Set<string>();
  const accessKeys = new Set<string>();
  const messages = new Map<string, number>();
  const goneQueues = new Set<string>();
  const mappings = new Map<string, object | "deleted">();
  const reserved = new Map<string, number>();
  const denials: ((call: string) => boolean)[] = [];
  const stacks = new StackModel({
    region,
    accountId,
    now,
    physicalId: options.physicalId,
    outputs: options.outputs ?? {},
    isBucketEmpty: (name) => (buckets.buckets.get(name)?.size ?? 0) === 0,
    onBucket: (name, what) => {
      if (what === "created") buckets.buckets.set(name, new Map());
      else buckets.buckets.delete(name);
    },
  });
  const server = await startLocalServer(async (request, response) => {
    const body = await buffer(request);
    const { method = "GET", url = "/", headers } = request;
    const { accessKey, service } = readSignature(headers.authorization);
    const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    const form = new URLSearchParams(isForm ? body.toString() : "");
    const [path = ""] = url.split("?");
    const call = `${service} ${form.get("Action") ?? headers["x-amz-target"] ?? `${method} ${path}`}`;
    calls.push(call);
    everCalled.add(service === "s3" ? `s3 ${method} ${url}` : call);
    accessKeys.add(accessKey);
    if (denials.some((isMeant) => isMeant(call))) return refuse(service, call, response);
    const other = others[service];
    if (service === "cloudformation") answerCloudFormation(stacks, buckets, form, response);
    else if (service === "s3") answerS3(buckets, region, now, request, body, response);
    else if (service === "dynamodb" && other === undefined)
      answerTables(stacks, call, body, response, account);
    else if (service === "sqs" && other === undefined) answerQueues(body, account, response);
    else if (call === "events AWSEvents.ListRules")
      response.writeHead(200).end(JSON.stringify({ Rules: account.busRules.map((Name) => ({ Name })) }));
    else if (service === "iam") answerIam(form, account, response);
    else if (service === "sns") answerSns(form, account, response);
    else if (service === "sts") {
      answerQuery(response, "GetCallerIdentity", {
        Arn: `arn:aws:iam::${accountId}:user/operator`,
        UserId: "AIDAOPERATOR",
        Account: otherAccounts[accessKey] ?? accountId,
      });
    } else if (
      service === "lambda" &&
      answerLambda({ method, url, body: body.toString(), isAlone: other === undefined }, account, response)
    ) {
      // answered
    } else if (other !== undefined) {
      const answer = await fetch(`${other}${url}`, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          typeof value === "string" && !["host", "connection", "content-length"].includes(name)
            ? [[name, value]]
            : [],
        ),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      response
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(Buffer.from(await answer.arrayBuffer()));
    } else response.writeHead(501).end(`{"message":"${call} is not played here"}`);
  });
  const { url } = server;
  const account: Account = {
    url,
    stacks,
    buckets,
    secrets,
    calls,
    everCalled,
    accessKeys,
    messages,
    mappings,
    reserved,
    goneQueues,
    busRules: [],
    parkedEvents: 0,
    isSlowToUnprotect: false,
    deniedActions: [],
    subscribers: new Map(),
    runningFlows: 0,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: "AKIAOPERATOR",
      AWS_SECRET_ACCESS_KEY: "of-nobody",
      AWS_REGION: region,
      AWS_EC2_METADATA_DISABLED: "true",
      SLS_AWS_MONITORING_FREQUENCY: "20",
      // The framework then starts in two thirds of the time.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../../../node_modules/.cache/node-compile"),
    },
    deny: (isMeant) => denials.push(isMeant),
    save: () => {
      const restore = [stacks.save(), buckets.save()];
      const saved = new Map(messages);
      return () => {
        for (const one of restore) one();
        messages.clear();
        for (const [name, count] of saved) messages.set(name, count);
        goneQueues.clear();
        account.busRules.length = 0;
        mappings.clear();
        reserved.clear();
        Object.assign(account, { deniedActions: [], runningFlows: 0, parkedEvents: 0 });
        account.subscribers.clear();
        denials.length = 0;
        calls.length = 0;
        accessKeys.clear();
      };
    },
    close: async () => {
      await secrets.close();
      await server.close();
    },
  };
  return account;
}

/** As IAM does. */
function refuse(service: string, call: string, response: ServerResponse) {
  const message = `User: arn:aws:iam::${accountId}:user/operator is not authorized to perform: ${actionsOf([call])[0] ?? call}`;
  const error = `<Code>AccessDenied</Code><Message>${message}</Message>`;
  const xml =
    service === "s3"
      ? `<Error>${error}</Error>`
      : `<ErrorResponse><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`;
  response
    .writeHead(403, { "content-type": "text/xml", "x-amzn-errortype": "AccessDeniedException" })
    .end(jsonServices.has(service) ? JSON.stringify({ message }) : xml);
}

/** Reads `Credential=key/date/region/service/aws4_request`. */
function readSignature(authorization = "") {
  const [, accessKey = "", service = "unknown"] =
    authorization.match(/Credential=([^/]+)\/\d{8}\/[a-z0-9-]+\/([a-z0-9-]+)\//) ?? [];
  return { accessKey, service };
}
