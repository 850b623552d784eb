import { type Answer, NoAnswerError, type PostRequest } from "../../../lib/aws/post.ts";
import {
  type Aws,
  type AwsOptions,
  createAws,
  operationOf,
  refusal,
} from "../../../local/testing/simulated/aws.ts";
import { between, type Random } from "../../../local/testing/simulated/random.ts";
import type { Fate } from "./faults.ts";

interface FaultyAwsOptions extends AwsOptions {
  readonly random: Random;
  /** Decides the fate of a request, such as `sqs.SendMessage`. */
  readonly fateOf: (operation: string, body: string) => Fate;
  readonly onSent: (queueName: string, body: string) => void;
}

export interface FaultyAws extends Aws {
  /** Requests so far, by operation, e.g. `dynamodb.PutItem`. */
  readonly requests: ReadonlyMap<string, number>;
}

/** Queues and tables in memory, behind requests that can fail in every way. */
export function createFaultyAws({ random, fateOf, onSent, ...options }: FaultyAwsOptions): FaultyAws {
  const aws = createAws(options);
  const { clock } = options;
  const requests = new Map<string, number>();
  const carryOut = (operation: string, body: string, request: PostRequest): Answer => {
    const answer = aws.carryOut(request);
    if (operation === "sqs.SendMessage" && answer.status === 200) {
      const { QueueUrl, MessageBody }: Record<string, unknown> = JSON.parse(body);
      onSent(String(QueueUrl).split("/").at(-1) ?? "", String(MessageBody));
    }
    return answer;
  };
  const send = async (operation: string, request: PostRequest): Promise<Answer> => {
    requests.set(operation, (requests.get(operation) ?? 0) + 1);
    const body = new TextDecoder().decode(request.body);
    const fate = fateOf(operation, body);
    if (fate === "not connected") {
      await clock.sleep(2);
      throw new NoAnswerError("refused", { code: "ECONNREFUSED", maybeExecuted: false });
    }
    await clock.sleep(between(random, 1, 4));
    const isCarriedOut = fate === "answered" || fate === "answer lost" || fate === "carried out in silence";
    const answer = isCarriedOut ? carryOut(operation, body, request) : undefined;
    if (fate === "silence" || fate === "carried out in silence") {
      await clock.sleep(request.timeoutMs);
      throw new NoAnswerError("no answer", { code: "ETIMEDOUT", maybeExecuted: true });
    }
    await clock.sleep(between(random, 1, 4));
    if (fate === "throttled") {
      const isQueue = operation.startsWith("sqs.");
      const code = isQueue ? "RequestThrottled" : "ThrottlingException";
      return { ...refusal(code, "Rate exceeded"), status: isQueue ? 403 : 400 };
    }
    if (fate === "failed") return { ...refusal("InternalError", "We failed."), status: 500 };
    if (answer !== undefined && fate === "answered") return answer;
    throw new NoAnswerError("reset", { code: "ECONNRESET", maybeExecuted: true });
  };
  return {
    ...aws,
    requests,
    createPostOf: (process) => () => (request) => {
      const operation = operationOf(request);
      return process.edge(operation, () => send(operation, request));
    },
  };
}
