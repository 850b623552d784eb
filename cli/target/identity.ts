import { CliError } from "../cli-error.ts";
import type { AwsCredentials } from "./clients.ts";
import type { ResolvedCredentials } from "./resolve-credentials.ts";

export interface Caller {
  readonly accountId: string;
  readonly arn: string;
}

interface IdentityEdges {
  readonly resolve: () => Promise<ResolvedCredentials>;
  readonly askCaller: (credentials: AwsCredentials) => Promise<Caller>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** As the SDK's own clients renew them. */
const renewalMs = 5 * 60_000;

/** Resolved once, renewed before its credentials end, and of one account throughout. */
export class Identity {
  readonly caller: Caller;
  readonly source: string;
  readonly #edges: IdentityEdges;
  #credentials: AwsCredentials;
  #renewal: Promise<void> | undefined;

  private constructor(caller: Caller, { source, credentials }: ResolvedCredentials, edges: IdentityEdges) {
    this.caller = caller;
    this.source = source;
    this.#credentials = credentials;
    this.#edges = edges;
  }

  static async open(edges: IdentityEdges): Promise<Identity> {
    const resolved = await edges.resolve();
    return new Identity(await edges.askCaller(resolved.credentials), resolved, edges);
  }

  /** @throws CliError if renewed credentials belong to another account */
  readonly credentials = async (): Promise<AwsCredentials> => {
    if (this.#leftMs() < renewalMs) await this.#renew();
    return this.#credentials;
  };

  /**
   * AWS confirms their account again.
   * @throws CliError if they end within `minimumMs` although renewed, or belong to another account
   */
  async prove(minimumMs: number): Promise<AwsCredentials> {
    if (this.#leftMs() < minimumMs) await this.#renew();
    const leftMs = this.#leftMs();
    if (leftMs < minimumMs) throw this.#endsSoon(leftMs, minimumMs);
    await this.#compare(this.#credentials);
    return this.#credentials;
  }

  #leftMs(): number {
    const { expiration } = this.#credentials;
    return expiration === undefined ? Number.POSITIVE_INFINITY : expiration.getTime() - this.#edges.now();
  }

  async #renew(): Promise<void> {
    this.#renewal ??= this.#resolveAnew().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  async #resolveAnew(): Promise<void> {
    const { credentials } = await this.#edges.resolve();
    if (credentials.accessKeyId !== this.#credentials.accessKeyId) await this.#compare(credentials);
    this.#credentials = credentials;
  }

  async #compare(credentials: AwsCredentials): Promise<void> {
    const { accountId } = await this.#edges.askCaller(credentials);
    if (accountId === this.caller.accountId) return;
    throw new CliError(
      "refused",
      "OTHER_ACCOUNT",
      `The credentials (${this.source}) belonged to account ${this.caller.accountId} at the start, and belong to ${accountId} now. Stopped here.`,
      "Check which account this shell must act in, and run this again.",
    );
  }

  #endsSoon(leftMs: number, minimumMs: number): CliError {
    const minutes = Math.max(0, Math.floor(leftMs / 60_000));
    return new CliError(
      "refused",
      "CREDENTIALS_END",
      `The credentials (${this.source}) end in ${minutes} minutes, and this may take ${minimumMs / 60_000}. Stopped before the next change.`,
      "Get new ones (`aws sso login`, or the program that set the variables), and run this again. If a role's sessions are " +
        "too short, raise duration_seconds in its profile.",
    );
  }
}
