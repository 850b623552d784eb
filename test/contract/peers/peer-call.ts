/** One call of another client: what it is given, what comes back, and whether that is what its documentation promises. */
export interface PeerCall<Client> {
  /** As a person writes it. */
  readonly says: string;
  readonly method: string;
  /** Makes what the call needs, with the client itself. */
  readonly before?: (client: Client) => Promise<unknown>;
  readonly run: (client: Client) => Promise<unknown>;
  /** Part of what the call answers. */
  readonly answers: object | null;
  /** Looks afterwards with the client's own reads; what they show. */
  readonly leaves?: readonly [look: (client: Client) => Promise<unknown>, expected: object];
  /** Why it does not do what it says, where it does not, and the platform's page that says how it is done. */
  readonly fails?: readonly [because: string, page: `docs/internals/platform/${string}`];
}
