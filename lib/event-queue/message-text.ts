// SQS takes these characters only and answers InvalidMessageContents to any other:
// #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF
// @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html

/** Writes a message's body as JSON; of what SQS refuses, JSON leaves only U+FFFE and U+FFFF unescaped. */
export function toMessageBody(message: object): string {
  return JSON.stringify(message).replace(/[\uFFFE\uFFFF]/g, (character) =>
    character === "\uFFFE" ? "\\ufffe" : "\\uffff",
  );
}

/** Puts U+FFFD in the place of every character that SQS refuses, for texts that people read. */
export function toMessageText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}
