import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import type { Endpoints } from "../../../local/cloud/cloud-services.ts";
import { type LocalServer, startLocalServer } from "../../../local/cloud/local-server.ts";
import { neededRights } from "./needed-rights.ts";
import type { NeededRight } from "./policy.ts";

/** A call that a function made. */
export interface FunctionCall extends NeededRight {
  /** As in serverless.yml. */
  readonly functionKey: string;
}

/** Stands between functions and the local AWS, and records their calls. */
export interface CallWatch {
  /** The options of a cloud whose functions call through here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets where calls are forwarded: once the cloud exists. */
  lead(cloud: { readonly endpoints: Endpoints; readonly region: string }): void;
  readonly calls: readonly FunctionCall[];
  /** The calls that it could not interpret. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Starts watching. */
export async function watchCalls(): Promise<CallWatch> {
  const known: Record<string, FunctionCall> = {};
  const problems: string[] = [];
  let led: { readonly addresses: Readonly<Record<string, string>>; readonly region: string } | undefined;
  const servers: Record<string, LocalServer> = {};
  for (const name of names) {
    servers[name] = await startLocalServer(async (request, response) => {
      const { method = "", url: path = "/", headers } = request;
      const body = await text(request);
      const caller = /Credential=local-(\w+)\//.exec(headers.authorization ?? "")?.[1];
      const target = headers["x-amz-target"];
      try {
        const needed = neededRights({ method, path, target: target?.toString(), body }, led?.region ?? "");
        for (const one of needed) {
          const call = { functionKey: caller ?? "nobody", ...one };
          known[JSON.stringify(call)] = call;
        }
      } catch (error) {
        problems.push(String(error));
      }
      const onwards = send(new URL(path, led?.addresses[name]), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onwards.once("error", () => response.destroy());
      response.once("close", () => onwards.destroy());
      onwards.end(body);
    });
  }
  return {
    environment: Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, url])),
    lead: ({ endpoints, region }) => {
      led = { addresses: endpoints, region };
    },
    get calls() {
      return Object.values(known);
    },
    problems,
    close: async () => {
      for (const server of Object.values(servers)) await server.close();
    },
  };
}

/** The variables with the addresses of the AWS services that functions call. */
const names = [
  "AWS_ENDPOINT_URL_SQS",
  "AWS_ENDPOINT_URL_DYNAMODB",
  "AWS_ENDPOINT_URL_SECRETS_MANAGER",
  "AWS_ENDPOINT_URL_EVENTBRIDGE",
  "AWS_ENDPOINT_URL_CLOUDWATCH",
  "AWS_ENDPOINT_URL_LAMBDA",
] as const;
