import { createQuestionHandler } from "../lib/endpoints/questions/answer-question.ts";
import { moderation } from "./questions/moderation.ts";

/** POST /moderation/{appId}: the custom moderation API, about one message. */
export const handler = createQuestionHandler("moderation", moderation);
