import type { ServerResponse } from "node:http";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import { answerQuery, refuseQuery } from "../../../local/cloud/query-protocol.ts";
import type { StackModel } from "./stack-model.ts";

/** Other services of the account. */
export interface Others {
  /** Actions that IAM denies in simulations; undefined: no caller may simulate. */
  deniedActions: readonly string[] | "throttled" | undefined;
  /** By address: whether it is confirmed. */
  readonly subscribers: Map<string, boolean>;
  /** How many flows run; undefined: the region has no durable functions. */
  runningFlows: number | undefined;
  readonly stacks: StackModel;
  /** Changes of event source mappings outside of deployments, by id. */
  readonly mappings: Map<string, object | "deleted">;
  /** Of functions by name: their reserved concurrency. */
  readonly reserved: Map<string, number>;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html */
export function answerIam(form: URLSearchParams, { deniedActions }: Others, response: ServerResponse): void {
  const action = form.get("Action") ?? "";
  if (deniedActions === "throttled") {
    refuseQuery(response, new AwsError("Throttling", "Rate exceeded"));
    return;
  }
  if (deniedActions === undefined) {
    refuseQuery(response, new AwsError("AccessDenied", "not authorized"));
    return;
  }
  if (action === "GetRole") {
    const Arn = `arn:aws:iam::123456789012:role/teams/${form.get("RoleName")}`;
    answerQuery(response, action, { Role: { Arn } });
    return;
  }
  if (form.get("PolicySourceArn")?.includes(":assumed-role/")) {
    refuseQuery(response, new AwsError("NoSuchEntity", "a session has no policies"));
    return;
  }
  const names = listOf(form, "ActionNames");
  const resources = listOf(form, "ResourceArns");
  answerQuery(response, action, {
    EvaluationResults: names.flatMap((EvalActionName) =>
      resources.map((EvalResourceName) => ({
        EvalActionName,
        EvalResourceName,
        EvalDecision: deniedActions.includes(EvalActionName) ? "implicitDeny" : "allowed",
      })),
    ),
    IsTruncated: "false",
  });
}

/** @see https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html */
export function answerSns(form: URLSearchParams, { subscribers }: Others, response: ServerResponse): void {
  answerQuery(response, form.get("Action") ?? "", {
    Subscriptions: [...subscribers].map(([Endpoint, isConfirmed]) => ({
      Endpoint,
      Protocol: "email",
      TopicArn: form.get("TopicArn") ?? "",
      SubscriptionArn: isConfirmed ? `${form.get("TopicArn")}:${Endpoint}` : "PendingConfirmation",
    })),
  });
}

/** Answers a deployment's requests to Lambda, some only if not emulated elsewhere; false for any other. */
export function answerLambda(
  { method, url, body, isAlone }: { method: string; url: string; body: string; isAlone: boolean },
  { stacks, mappings, reserved, runningFlows }: Others,
  response: ServerResponse,
): boolean {
  const [path = "", query] = url.split("?");
  const [, , kind = "", id = "", verb = ""] = path.split("/").map(decodeURIComponent);
  const answer = (answered: object, status = 200) => {
    response.writeHead(status).end(status === 204 ? "" : JSON.stringify(answered));
    return true;
  };
  const refuse = (status: number, type: string, message: string) => {
    response.writeHead(status, { "x-amzn-errortype": type }).end(JSON.stringify({ message }));
    return true;
  };
  const resources = stacks.stacks.flatMap((stack) =>
    [...stack.resources.values()].map((resource) => ({ ...resource, stack })),
  );
  switch (`${kind}/${verb}`) {
    case "account-settings/":
      return isAlone && answer({ AccountLimit: { ConcurrentExecutions: 10 } });
    case "event-source-mappings/": {
      const changed = mappings.get(id);
      if (changed === "deleted")
        return refuse(404, "ResourceNotFoundException", "The resource does not exist.");
      if (method === "PUT") mappings.set(id, { ...changed, ...JSON.parse(body) });
      const declared = resources.find(({ physicalId }) => physicalId === id)?.definition.Properties;
      const { Enabled, FunctionName: _, ...set } = { ...Object(declared), ...Object(mappings.get(id)) };
      return answer({ ...set, UUID: id, State: Enabled === false ? "Disabled" : "Enabled" });
    }
    case "functions/concurrency":
      if (method === "PUT") reserved.set(id, JSON.parse(body).ReservedConcurrentExecutions);
      if (method === "DELETE") reserved.delete(id);
      return answer({ ReservedConcurrentExecutions: reserved.get(id) }, method === "DELETE" ? 204 : 200);
    case "functions/durable-executions":
      if (!isAlone) return false;
      return runningFlows === undefined
        ? refuse(403, "AccessDeniedException", "Unable to determine service/operation name to be authorized")
        : answer({ DurableExecutions: listFlows(new URLSearchParams(query), runningFlows) });
    case "functions/versions": {
      const published = method === "POST" && isAlone ? stacks.publish(id) : undefined;
      if (published !== undefined) return answer({ Version: String(published.version) }, 201);
      if (method === "POST" && isAlone) return refuse(404, "ResourceNotFoundException", "Function not found");
      return isAlone && answer({ Versions: ["$LATEST", ...versions].map((Version) => ({ Version })) });
    }
    case "functions/": {
      if (method !== "GET") return false;
      const found = resources.find(
        ({ type, physicalId, stack }) =>
          type === "AWS::Lambda::Function" && physicalId === id && stack.status !== "DELETE_COMPLETE",
      );
      if (found === undefined) return refuse(404, "ResourceNotFoundException", "Function not found");
      const { updatedAt, createdAt } = found.stack;
      return answer({ Configuration: { FunctionName: id, LastModified: updatedAt ?? createdAt } });
    }
    default:
      return false;
  }
}

/** The published versions of the function of flows. */
const versions = ["1", "2", "10"];

/** All run on the second version: none on the unpublished one, which is the default of the request. */
function listFlows(query: URLSearchParams, count: number): readonly object[] {
  return Array.from({ length: query.get("Qualifier") === "2" ? count : 0 }, (_, index) => ({
    DurableExecutionArn: `arn:aws:lambda:eu-central-1:123456789012:function:flows:2/durable-execution/f_${index}/id`,
    DurableExecutionName: `f_${index}`,
    Status: "RUNNING",
    StartTimestamp: 1_767_225_600 + index,
  }));
}

export function listOf(form: URLSearchParams, name: string): readonly string[] {
  return [...form].flatMap(([key, value]) => (key.startsWith(`${name}.member.`) ? [value] : []));
}
