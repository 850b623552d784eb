/**
 * Makes a client of AWS's SDK for a target, by the name that its `AWS_ENDPOINT_URL_…` variable ends with, such as
 * `CLOUDFORMATION`.
 */
export type MakeClient = <Client>(
  ClientClass: new (settings: ClientSettings) => Client,
  endpointName: string,
) => Client;

/** What every client of the SDK takes. */
export interface ClientSettings {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly endpoint?: string;
  readonly maxAttempts: number;
  readonly requestHandler?: { readonly connectionTimeout: number; readonly socketTimeout: number };
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}
