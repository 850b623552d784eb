/**
 * Base of the errors whose messages this project writes, from names, codes and configuration. Logs show these
 * messages alone.
 */
export class OwnError extends Error {
  /** What logs show. @internal */
  get logged(): string {
    return this.message;
  }
}
