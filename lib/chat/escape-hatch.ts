import type { RequestOptions, Schema } from "./operation.ts";

/** A request for something this client has no method for yet. */
export interface RawRequest<Output> extends RequestOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path after `/v3`, starting with a slash, its values encoded. */
  readonly path: `/${string}`;
  /** Arrays repeat their key, objects become `key[part]`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly onBehalfOf?: string | undefined;
  /** Which host. Default: api. */
  readonly service?: "api" | "call" | undefined;
  /** Reads the answer's `data`, or the whole body when it has none. */
  readonly answer: Schema<Output>;
}

/** The way to operations without a method. */
export interface EscapeHatch {
  /** Calls any path of the platform with the same retries, limits and errors as the methods. */
  request<Output>(request: RawRequest<Output>): Promise<Output>;
}
