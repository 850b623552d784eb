import type { Count } from "../count-metric.ts";
import { errorFields } from "../error-fields.ts";
import type { HttpRequest, HttpResponse } from "../http/lambda.ts";
import { unauthorized, unverified } from "../http/respond.ts";
import { parseJson } from "../json.ts";
import type { Log } from "../log.ts";
import { type Sender, type ServedApps, verifySender } from "../webhook/verify-sender.ts";
import type { Question } from "./question.ts";

/** A kind of question that the platform asks and waits for: how to read it, decide, and write the answer. */
export interface QuestionKind<Answer> {
  readonly name: "before_message" | "moderation";
  /** Whose credentials the request carries. */
  readonly family: "legacy" | "moderation";
  readonly read: (body: unknown) => Question;
  readonly decide: Decide<Answer>;
  /** The answer when reading, deciding or writing fails, or deciding takes too long. */
  readonly whenUndecided: Answer;
  readonly write: (answer: Answer) => string;
}

/**
 * Decides about one message. `signal` ends when time is up: pass it to what takes time. A decision that keeps the
 * processor busy cannot be interrupted.
 */
export type Decide<Answer> = (
  question: Question,
  help: { readonly appId: string; readonly signal: AbortSignal },
) => Answer | Promise<Answer>;

export interface QuestionServices {
  readonly apps: ServedApps;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
}

/**
 * The platform gives up after 2,000 ms (docs/platform/moderation.md#answering-the-custom-api); 500 of them are for the
 * network and a cold start.
 */
export const decisionTimeMs = 1_500;

/**
 * Answers one question, always in time and with 200 once the sender is known: what happens on other answers is
 * not documented for before_message. Never throws.
 */
export async function answerQuestion<Answer>(
  request: HttpRequest,
  kind: QuestionKind<Answer>,
  { apps, log, count, now }: QuestionServices,
): Promise<HttpResponse> {
  const startedAt = now();
  const appIdInPath = request.pathParameters.appId;
  using time = startTimer(decisionTimeMs);

  let sender: Sender | undefined;
  try {
    sender = await time.limit(verifySender(request, apps));
  } catch (error) {
    log.error("could not check who asks", {
      question: kind.name,
      appId: appIdInPath,
      ...errorFields(error),
    });
    return unverified;
  }
  if (!sender?.families.has(kind.family)) return unauthorized;
  const { appId } = sender;

  try {
    const body = parseJson(request.body.toString("utf8"));
    if (body === undefined) throw new NotJsonError("The body is not JSON.");
    const question = kind.read(body);
    const answer = await time.limit(Promise.try(() => kind.decide(question, { appId, signal: time.signal })));
    return { status: 200, body: kind.write(answer) };
  } catch (error) {
    log.error("could not decide in time about a message; gave the configured answer", {
      question: kind.name,
      appId,
      ...errorFields(error),
      tookMs: now() - startedAt,
    });
    count("MessageUndecided", { appId, question: kind.name });
    return { status: 200, body: kind.write(kind.whenUndecided) };
  }
}

class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
  }
}

function startTimer(limitMs: number) {
  const stop = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new OutOfTimeError(limitMs);
    stop.abort(error);
    reject(error);
  }, limitMs);
  timeUp.catch(() => undefined);
  return {
    signal: stop.signal,
    limit: <T>(work: Promise<T>): Promise<T> => Promise.race([work, timeUp]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}
