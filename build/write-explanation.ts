import type { ExplainedMessage, Explanation } from "./explain-message.ts";

/** `shadow`: only shown in log and metrics. */
export type ReplyState = "on" | "shadow" | "off";

export interface Circumstances {
  readonly stage: string;
  readonly app: string | undefined;
  readonly autoReply: ReplyState;
  readonly message: ExplainedMessage;
}

export function writeExplanation(
  { stage, app, autoReply, message }: Circumstances,
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
    ...unsent(autoReply, stage),
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

function unsent(autoReply: ReplyState, stage: string): readonly string[] {
  switch (autoReply) {
    case "on":
      return [];
    case "shadow":
      return ["  But it is only shown in log and metrics: config/triggers.yml has auto-reply in shadow."];
    case "off":
      return [
        `  But nothing is answered: config/triggers.yml does not turn auto-reply on in the stage ${stage}.`,
      ];
  }
}
