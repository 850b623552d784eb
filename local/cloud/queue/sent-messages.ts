export interface SentMessage {
  readonly queueName: string;
  readonly messageId: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  readonly attributes: readonly string[];
  readonly invocation: string | undefined;
}
