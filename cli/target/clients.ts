import { OwnError } from "../../lib/base/own-error.ts";
import type { CliEdges } from "../edges.ts";

/** Takes the suffix of an `AWS_ENDPOINT_URL_…` variable, such as `CLOUDFORMATION`. */
export type MakeClient = <Client extends SdkClient>(
  ClientClass: new (settings: ClientSettings) => Client,
  endpointName: string,
) => Client;

export interface ClientSettings {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly endpoint?: string;
  readonly maxAttempts: number;
  readonly requestHandler?: { readonly connectionTimeout: number; readonly socketTimeout: number };
}

/** Of one try: a call that is not answered ends after three. The SDK itself waits forever. */
export const awsTryMs = 15_000;
export const awsTries = 3;
/** Of the calls that prove who the caller is: every command begins with them. */
export const identityTryMs = 5_000;

type Limited = Pick<CliEdges, "awsTryMs">;

export function limitsOf({ awsTryMs: tryMs = awsTryMs }: Limited) {
  return {
    maxAttempts: awsTries,
    requestHandler: { connectionTimeout: tryMs, socketTimeout: tryMs },
  } as const;
}

export function identityLimitsOf({ awsTryMs: tryMs = identityTryMs }: Limited) {
  return limitsOf({ awsTryMs: tryMs });
}

interface SdkClient {
  readonly middlewareStack: {
    add(middleware: typeof nameSilence, options: { readonly step: "initialize" }): void;
  };
}

/** The SDK does not say which of its calls had no answer. */
export function nameSilence<Args, Result>(
  next: (args: Args) => Promise<Result>,
  { clientName = "", commandName = "" }: { readonly clientName?: string; readonly commandName?: string },
): (args: Args) => Promise<Result> {
  return async (args) =>
    next(args).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== "TimeoutError") throw error;
      const what = [clientName, commandName].map((one) => one.replace(/(Client|Command)$/, "")).join(" ");
      throw new SilenceError(`AWS gave no answer to ${what}.`, { cause: error });
    });
}

class SilenceError extends OwnError {
  /** As the SDK's. */
  override readonly name = "TimeoutError";
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}
