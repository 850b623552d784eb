/** An error that the caller of DynamoDB sees. */
export class TableError extends Error {
  override readonly name = "TableError";
  /** For example `ValidationException`. */
  readonly code: string;
  /** What the answer holds besides the message, e.g. the item that failed a condition. */
  readonly details: object;

  constructor(code: string, message: string, details: object = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Makes the error of a request that DynamoDB does not understand. */
export function invalid(message: string): TableError {
  return new TableError("ValidationException", message);
}
