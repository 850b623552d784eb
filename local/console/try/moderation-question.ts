import { readSampleEvents } from "../../../cli/trigger/sample-events.ts";
import { isRecord } from "../../../lib/base/json.ts";

/**
 * Two earlier texts and the pending message.
 * @see docs/internals/platform/moderation.md#custom-api
 */
export function moderationQuestion(): Readonly<Record<string, unknown>> {
  const sample = readSampleEvents().find(({ trigger }) => trigger === "message_sent");
  const message = isRecord(sample?.body.data) ? sample.body.data.message : undefined;
  if (!isRecord(message)) throw new Error("The samples have no message: reinstall the project.");
  const data = isRecord(message.data) ? message.data : {};
  const asked = { ...message, data: { ...data, moderation: { status: "pending" } } };
  return {
    contextMessages: [
      { bela: "Hi!" },
      { [String(message.sender)]: "Hello Bela" },
      { [String(message.sender)]: asked },
    ],
  };
}
