/** As in the platform's catalogue (local/platform/catalogue/README.md), which a browser cannot read. */
export type FieldType = string | readonly [FieldType] | Fields;

/** Fields by name: a trailing `!` means required, `*` any name. */
export interface Fields {
  readonly [name: string]: FieldType;
}

export interface ExplorerFamily {
  readonly api: string;
  readonly title: string;
  readonly operations: readonly ExplorerOperation[];
}

export interface ExplorerOperation {
  readonly id: string;
  readonly method: string;
  readonly verb: string;
  /** Below the base address of its API: `/users/{uid}`. */
  readonly path: string;
  readonly service: "chat" | "call" | "management" | "platform";
  readonly onBehalfOf: "required" | "optional" | "unsupported";
  readonly query: Fields;
  readonly body: Fields;
  readonly isForm: boolean;
  /** Query fields that are one comma-separated value; other lists repeat their key. */
  readonly csv: readonly string[];
  readonly paged: "page" | "cursor" | "once" | undefined;
  /** From fields of the next cursor to query fields. Default: all, under their names. */
  readonly cursor?: Readonly<Record<string, string>> | undefined;
  /** HTTP Basic besides the other credentials. */
  readonly isBasic: boolean;
  /** The client that has the method; undefined for an operation of the emulation alone. */
  readonly client?: "chat" | "management";
  /** The extension whose settings these are; the method takes it after the app. */
  readonly extension?: string;
  readonly takesInput: boolean;
}
