/** Describes an error for a log line: name and message, of each part too. No stack: its frames lie in a bundle. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return `${error.message} ${error.errors.map(describeError).join(" ")}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
}
