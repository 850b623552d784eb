/** A message that a queue took, or a duplicate of one, which has the id of the first message. */
export interface SentMessage {
  readonly queueName: string;
  readonly messageId: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  /** Names of the message's attributes. */
  readonly attributes: readonly string[];
  /** The invocation of a function that sent it. */
  readonly invocation: string | undefined;
}
