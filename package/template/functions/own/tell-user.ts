import { isChatApiError, messages } from "cometchat-functions/chat";
import { basic, onRequest, RefusedRequestError } from "cometchat-functions/functions";
import * as z from "zod/mini";

/** Fields of the app's secret. `npm start` takes them from package.json. */
const auth = basic({ username: "shopUsername", password: "shopPassword" });
/** Refuses callers' mistakes: an error of the client would count as this function's fault. */
const body = z.object({
  uid: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  text: z.string().check(z.minLength(1), z.maxLength(1_000)),
});

/** `POST /tell-user/{appId}`: your own backend sends a user a message on behalf of support. */
export const handler = onRequest({ auth, body }, async ({ body: { uid, text }, chat, log }) => {
  try {
    const { id } = await chat
      .using({ messages })
      .messages.send(
        { receiver: uid, receiverType: "user", category: "message", type: "text", data: { text } },
        { onBehalfOf: "support" },
      );
    log.info("sent a user a message", { messageId: id });
    return { id };
  } catch (error) {
    if (!isChatApiError(error) || error.code !== "ERR_UID_NOT_FOUND") throw error;
    throw new RefusedRequestError(404, "user_unknown", "The app has no such user, or no user support.");
  }
});
