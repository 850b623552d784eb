/** What the consumer asks of the world on its ways through a lane, parked or not: each is a step that a process can die at. */
export const stepsOfConsumer = [
  "secret",
  "chat.POST",
  "chat.GET",
  "dynamodb.GetItem",
  "dynamodb.BatchGetItem",
  "dynamodb.PutItem",
  "dynamodb.UpdateItem",
  "dynamodb.DeleteItem",
  "dynamodb.Query",
  "sqs.SendMessage",
  "sqs.ChangeMessageVisibilityBatch",
] as const;

export type Step = (typeof stepsOfConsumer)[number];
