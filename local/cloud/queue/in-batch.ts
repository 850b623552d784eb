import { QueueError } from "./queue-error.ts";

/**
 * Does each entry of a batch by itself: one that fails leaves the others alone.
 * @throws QueueError for a list that SQS refuses as a whole
 */
export function inBatch<Entry extends { Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => object,
): object {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length === 0) {
    throw new QueueError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (ids.length > 10) {
    const text = `Maximum number of entries per request are 10. You have sent ${ids.length}.`;
    throw new QueueError("TooManyEntriesInBatchRequest", text);
  }
  if (new Set(ids).size < ids.length) {
    throw new QueueError("BatchEntryIdsNotDistinct", "Two or more batch entries have the same Id.");
  }
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    throw new QueueError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  }
  const successful: object[] = [];
  const failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof QueueError)) throw error;
      const isOldHandle = error.message.includes("parameter ReceiptHandle");
      const Code = isOldHandle ? "ReceiptHandleIsInvalid" : error.code;
      failed.push({ Id: entry.Id, Code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful: successful, Failed: failed };
}
