import type { ExplainedMessage, Explanation } from "./explain-message.ts";

/** Where a message was thought to be written. */
export interface Circumstances {
  readonly stage: string;
  readonly app: string | undefined;
  /** Whether automatic replies are turned on there. */
  readonly isOn: boolean;
  readonly message: ExplainedMessage;
}

/** Writes an explanation as people read it, each rule with the place where it stands. */
export function writeExplanation(
  { stage, app, isOn, message }: Circumstances,
  explanation: Explanation,
): string {
  const { rules, reply, passedOver, lists, moderation } = explanation;
  const { sender, receiver, receiverType, sentAt } = message;
  const to = receiverType === "group" ? `the group ${receiver}` : receiver;
  const where = app === undefined ? "an app without files of its own" : `the app ${app}`;
  const held = { pass: "delivered", note: "delivered with a note", drop: "dropped" }[
    moderation.beforeMessage
  ];
  const lines = [
    `From ${sender} to ${to}, ${sentAt.toISOString()}, in the stage ${stage}, in ${where}`,
    "",
    "Replies",
    ...rules.map(
      ({ place, whyNot }) => `  ${place}: ${whyNot === undefined ? "fits" : `does not fit: ${whyNot}`}`,
    ),
    `  ${answerOf(reply, passedOver)}`,
    ...(isOn
      ? []
      : [
          `  But nothing is answered: config/triggers.yml turns auto-reply on in other stages, not in ${stage}.`,
        ]),
    "",
    "Moderation",
    ...lists.map(
      ({ place, name, confidence, matches }) =>
        `  ${place}: ${name} ${matches ? `matches, with ${confidence}` : "does not match"}`,
    ),
    `  before_message: ${held}; moderation engine: ${moderation.isMatching ? "a match" : "no match"}`,
  ];
  return `${lines.join("\n")}\n`;
}

function answerOf(reply: Explanation["reply"], passedOver: string | undefined): string {
  if (reply !== undefined) return `Answered by ${reply.place}: ${JSON.stringify(reply.text)}`;
  return passedOver === undefined ? "Not answered: no rule fits." : `Not answered: ${passedOver}.`;
}
