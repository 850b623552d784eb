export interface SentMessage {
  readonly queueName: string;
  readonly messageId: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  readonly attributes: readonly string[];
  /** The invocation of a function that sent it. */
  readonly invocation: string | undefined;
}
