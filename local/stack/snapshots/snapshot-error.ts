export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly code: "badName" | "missing" | "outdated" | "taken" | "unreadable";

  constructor(code: SnapshotError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
