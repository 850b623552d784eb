import { OwnError } from "../../base/errors.ts";

/**
 * `NOT_ALLOWED`: neither the platform's address nor that of an allowed host, or not public. `EXPIRED`: a
 * signed address whose time is over, by the host's clock. `REFUSED`: the key or the address. `TOO_LARGE`,
 * `WRONG_TYPE`: beyond the caller's limits. `UNREACHABLE`: no usable answer.
 */
export type AttachmentProblem =
  | "NOT_ALLOWED"
  | "EXPIRED"
  | "REFUSED"
  | "TOO_LARGE"
  | "WRONG_TYPE"
  | "UNREACHABLE";

/** A file could not be opened or read. The message never contains its address, which may be signed. */
export class AttachmentError extends OwnError {
  override readonly name = "AttachmentError" as const;
  readonly code: AttachmentProblem;
  /** The response's HTTP status. */
  readonly status: number | undefined;
  /** True only for `UNREACHABLE`. */
  readonly retryable: boolean;

  constructor(code: AttachmentProblem, why: string, status?: number) {
    super(`The attachment cannot be read: ${why}.`);
    this.code = code;
    this.status = status;
    this.retryable = code === "UNREACHABLE";
  }
}

export interface FileAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}
