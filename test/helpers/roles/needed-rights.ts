import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { localAccountId } from "../../../local/cloud/local-aws.ts";
import type { NeededRight } from "./policy.ts";

/** A request of an AWS service, as it travels. */
export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly target: string | undefined;
  readonly body: string;
}

/**
 * Returns the right that a call needs.
 * @throws Error for a call without an entry here: AWS's authorization reference has its action and resource
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function neededRights(request: AwsRequest, region: string): readonly NeededRight[] {
  const { target, body } = request;
  if (target === undefined) return [ofLambda(request, region)];
  const [api, operation = ""] = target.split(".");
  const input = parseJson(body);
  const fields = isRecord(input) ? input : {};
  const arn = (service: string, name: string) => `arn:aws:${service}:${region}:${localAccountId}:${name}`;
  switch (api) {
    case "AmazonSQS": {
      const queue = String(fields.QueueUrl).split("/").at(-1) ?? "";
      return [{ action: `sqs:${operation.replace(/Batch$/, "")}`, resource: arn("sqs", queue) }];
    }
    case "DynamoDB_20120810": {
      const tables =
        operation.startsWith("Batch") && isRecord(fields.RequestItems)
          ? Object.keys(fields.RequestItems)
          : [String(fields.TableName)];
      return tables.map((table) => ({
        action: `dynamodb:${operation}`,
        resource: arn("dynamodb", `table/${table}`),
      }));
    }
    case "secretsmanager": {
      const id = String(fields.SecretId);
      // A secret's ARN has six characters after its name.
      return [
        {
          action: `secretsmanager:${operation}`,
          resource: id.startsWith("arn:") ? id : arn("secretsmanager", `secret:${id}-AbCdEf`),
        },
      ];
    }
    case "AWSEvents": {
      const { Entries } = z.parse(
        z.object({ Entries: z.array(z.object({ EventBusName: z.string() })) }),
        input,
      );
      return Entries.map(({ EventBusName }) => ({
        action: `events:${operation}`,
        resource: arn("events", `event-bus/${EventBusName}`),
      }));
    }
    case "GraniteServiceVersion20100801":
      return [{ action: `cloudwatch:${operation}`, resource: "*" }];
    default:
      throw new Error(
        `Nobody has looked up which right ${target} needs: test/helpers/roles/needed-rights.ts.`,
      );
  }
}

const durableOperations: Readonly<Record<string, string>> = {
  "POST durable-executions/checkpoint": "CheckpointDurableExecution",
  "GET durable-executions/state": "GetDurableExecutionState",
  "POST durable-execution-callbacks/succeed": "SendDurableExecutionCallbackSuccess",
};

/** @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html */
function ofLambda({ method, path }: AwsRequest, region: string): NeededRight {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const [, version = "", kind = "", id = "", verb = ""] = pathname.split("/").map(decodeURIComponent);
  const account = `arn:aws:lambda:${region}:${localAccountId}`;
  if (version === "2015-03-31" && verb === "invocations") {
    const qualifier = searchParams.get("Qualifier");
    const name = id.startsWith("arn:") ? id : `${account}:function:${id}`;
    return { action: "lambda:InvokeFunction", resource: qualifier === null ? name : `${name}:${qualifier}` };
  }
  const operation = durableOperations[`${method} ${kind}/${verb}`];
  if (operation === undefined)
    throw new Error(`Nobody has looked up which right ${method} ${pathname} needs.`);
  // Only Lambda can read the execution from a callback's id.
  const execution = id.startsWith("arn:")
    ? id
    : `${account}:function:cometchat-functions-local-flows:1/durable-execution/x/y`;
  return { action: `lambda:${operation}`, resource: execution };
}
