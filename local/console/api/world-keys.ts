/** An API key without its value. Times are Unix seconds. */
export interface MaskedKey {
  /** Reveals nothing of the key's value. */
  readonly id: string;
  readonly masked: string;
  readonly name: string;
  readonly scope: "authOnly" | "fullAccess";
  readonly createdAt: number;
  /** The console uses this key, so the platform refuses to change it. */
  readonly isConsoles: boolean;
}

export interface MaskedToken {
  readonly id: string;
  readonly masked: string;
  readonly createdAt: number;
}

export interface KeysAnswer {
  readonly keys: readonly MaskedKey[];
  readonly management: { readonly key: string; readonly secret: string };
}
