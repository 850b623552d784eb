/** Takes the suffix of an `AWS_ENDPOINT_URL_…` variable, such as `CLOUDFORMATION`. */
export type MakeClient = <Client>(
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

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}
