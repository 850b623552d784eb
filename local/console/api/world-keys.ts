/** An API key without its value. Times are unix seconds. */
export interface MaskedKey {
  /** Stands for the key in addresses; tells nothing about its value. */
  readonly id: string;
  readonly masked: string;
  readonly name: string;
  readonly scope: "authOnly" | "fullAccess";
  readonly createdAt: number;
  /** The platform keeps it from being changed with itself: it is the one that the console asks with. */
  readonly isConsoles: boolean;
}

/** A user's auth token without its value. */
export interface MaskedToken {
  readonly id: string;
  readonly masked: string;
  readonly createdAt: number;
}

/** What opens the interfaces, masked. */
export interface KeysAnswer {
  readonly keys: readonly MaskedKey[];
  readonly management: { readonly key: string; readonly secret: string };
}
