/**
 * Base of the errors whose messages this project writes, from names, codes and configuration. Logs show these
 * messages alone.
 */
export class OwnError extends Error {
  /** What a service answered, if safe to log. @internal */
  declare readonly said?: string | undefined;

  /** What logs show. @internal */
  get logged(): string {
    return this.message;
  }
}
