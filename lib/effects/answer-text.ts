import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { messages } from "../chat/resources/messages.ts";
import type { HeardMessage } from "../events/marks/loop-guard.ts";
import type { AnswerPage } from "./answer-book.ts";
import { type Effect, type HeldBack, isHeldBack, type Steps } from "./effect.ts";
import { EffectBusyError } from "./effect-errors.ts";
import { checkTextMessage, markedSteps, type TextMessage, textSender } from "./messages/sending.ts";

export interface AskingMessage extends HeardMessage {
  readonly id: string;
  readonly sender: string;
  readonly conversationId: string;
}

const questionSchema = lazy(() =>
  z.looseObject({ id: z.string(), sender: z.string(), conversationId: z.string() }),
);

export type Answer = { readonly id: string } | { readonly passedOver: HeldBack };

/**
 * Answers a message, as `sendText` sends one. Does nothing for this system's own message, or if the
 * conversation had too many recent automatic answers (`ANSWER_LIMIT`).
 */
export function answerText(reply: TextMessage, question: AskingMessage): Effect<Answer> {
  checkTextMessage("answer", reply);
  checkInput("answer", questionSchema(), question, "question");
  return {
    kind: messages.send.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect): Steps<Answer> => {
      const { mark, act, look } = markedSteps(tools, ofEffect, reply, textSender(reply));
      const { appId, guard, answers, now } = tools;
      let page: AnswerPage | undefined;
      return {
        ask: async () => {
          if (await guard.isOwn(question)) return { passedOver: "own-message" };
          page = await answers.open(appId, question.conversationId);
          return (await page.has(question)) ? { passedOver: "own-message" } : undefined;
        },
        prepare: async (effect) => {
          await mark();
          page ??= await answers.open(appId, question.conversationId);
          const entered = await page.enter({ effectId: effect.id, sender: reply.onBehalfOf, isAnswer: true });
          if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
          return entered === "full" ? { passedOver: "answer-limit" } : undefined;
        },
        act,
        look,
        heldBack,
      };
    },
  };
}

function heldBack(answer: unknown): HeldBack | undefined {
  return isRecord(answer) && isHeldBack(answer.passedOver) ? answer.passedOver : undefined;
}
