import type { ServerResponse } from "node:http";
import { answerQuery, QueryError, refuseQuery } from "../../../local/cloud/query-protocol.ts";

/** What else the account answers. */
export interface Others {
  /** Actions that IAM denies in simulations; undefined: nobody may simulate. */
  deniedActions: readonly string[] | undefined;
  /** By address: whether it has confirmed. */
  readonly subscribers: Map<string, boolean>;
  /** How many flows run; undefined: the region has no durable functions. */
  runningFlows: number | undefined;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html */
export function answerIam(form: URLSearchParams, { deniedActions }: Others, response: ServerResponse): void {
  const action = form.get("Action") ?? "";
  if (deniedActions === undefined) {
    refuseQuery(response, new QueryError("AccessDenied", "not authorized"));
    return;
  }
  if (action === "GetRole") {
    const Arn = `arn:aws:iam::123456789012:role/teams/${form.get("RoleName")}`;
    answerQuery(response, action, { Role: { Arn } });
    return;
  }
  if (form.get("PolicySourceArn")?.includes(":assumed-role/")) {
    refuseQuery(response, new QueryError("NoSuchEntity", "a session has no policies"));
    return;
  }
  const names = listOf(form, "ActionNames");
  const resources = listOf(form, "ResourceArns");
  answerQuery(response, action, {
    EvaluationResults: names.flatMap((EvalActionName) =>
      resources.map((EvalResourceName) => ({
        ...{ EvalActionName, EvalResourceName },
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
      ...{ Endpoint, Protocol: "email", TopicArn: form.get("TopicArn") ?? "" },
      SubscriptionArn: isConfirmed ? `${form.get("TopicArn")}:${Endpoint}` : "PendingConfirmation",
    })),
  });
}

/** Answers what a deployment asks Lambda before; false for anything else. */
export function answerLambda(path: string, { runningFlows }: Others, response: ServerResponse): boolean {
  if (path === "/2016-08-19/account-settings") {
    response.writeHead(200).end('{"AccountLimit":{"ConcurrentExecutions":10}}');
    return true;
  }
  if (!/^\/2025-12-01\/functions\/[^/]+\/durable-executions$/.test(path)) return false;
  if (runningFlows === undefined) {
    response
      .writeHead(403, { "x-amzn-errortype": "AccessDeniedException" })
      .end('{"Message":"Unable to determine service/operation name to be authorized"}');
  } else response.writeHead(200).end(JSON.stringify({ DurableExecutions: Array(runningFlows).fill({}) }));
  return true;
}

function listOf(form: URLSearchParams, name: string): readonly string[] {
  return [...form].flatMap(([key, value]) => (key.startsWith(`${name}.member.`) ? [value] : []));
}
