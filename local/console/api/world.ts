export interface WorldFacts {
  readonly apps: readonly { readonly appId: string; readonly name: string; readonly region: string }[];
  readonly addresses: { readonly platform: string; readonly functions: string; readonly lambda: string };
}
