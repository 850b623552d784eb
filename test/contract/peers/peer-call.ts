/** One call of another client: its arguments, its result, and whether that is as documented. */
export interface PeerCall<Client> {
  /** The code of the call. */
  readonly says: string;
  readonly method: string;
  /** Prepares the call with the client itself. */
  readonly before?: (client: Client) => Promise<unknown>;
  readonly run: (client: Client) => Promise<unknown>;
  /** Part of the call's answer. */
  readonly answers: object | null;
  /** The client's own reads afterwards, and their results. */
  readonly leaves?: readonly [look: (client: Client) => Promise<unknown>, expected: object];
  /** Why it fails, if it does, and the platform's page that documents it. */
  readonly fails?: readonly [because: string, page: `docs/internals/platform/${string}`];
}
