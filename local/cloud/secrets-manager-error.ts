/** An error that the caller of Secrets Manager sees, with the service's own code. */
export class SecretsManagerError extends Error {
  override readonly name = "SecretsManagerError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
