/** As in the platform's catalogue (local/platform/catalogue/README.md), which a browser cannot read. */
export type FieldType = string | readonly [FieldType] | Fields;

/** Fields by name; a trailing `!` says that one is required, and `*` stands for any name. */
export interface Fields {
  readonly [name: string]: FieldType;
}

/** The operations that one family of a client offers. */
export interface ExplorerFamily {
  /** The platform's API. */
  readonly api: string;
  readonly title: string;
  readonly operations: readonly ExplorerOperation[];
}

/** An operation of the platform, with what it takes and the client's method for it. */
export interface ExplorerOperation {
  readonly id: string;
  /** `users.create` */
  readonly method: string;
  /** GET, POST, PUT, PATCH or DELETE. */
  readonly verb: string;
  /** Below the base address of its API: `/users/{uid}`. */
  readonly path: string;
  readonly service: "chat" | "call" | "management" | "platform";
  readonly onBehalfOf: "required" | "optional" | "unsupported";
  readonly query: Fields;
  readonly body: Fields;
  /** The body is multipart/form-data. */
  readonly isForm: boolean;
  /** Fields of the query that are one comma-separated value; other lists repeat their key. */
  readonly csv: readonly string[];
  /** How a list goes on. */
  readonly paged: "page" | "cursor" | "once" | undefined;
  /** From fields of the next cursor to query fields. Default: all, under their own names. */
  readonly cursor: Readonly<Record<string, string>> | undefined;
  /** HTTP Basic in addition to the other credentials. */
  readonly isBasic: boolean;
  /** The client that has the method; undefined for an operation of the emulation alone. */
  readonly client: "chat" | "management" | undefined;
  /** The extension whose settings these are; the method takes it after the app. */
  readonly extension: string | undefined;
  readonly takesInput: boolean;
}
