import { createQuestionHandler } from "../lib/endpoints/questions/answer-question.ts";
import { beforeMessage } from "./questions/before-message.ts";

/** POST /before-message/{appId}: the legacy engine asks before it stores a message; the sender waits. */
export const handler = createQuestionHandler("before-message", beforeMessage);
