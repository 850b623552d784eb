import * as z from "zod/mini";

/** Report of local/cloud/serverless-plugin.mjs. */
export const bundlingSchema = z.object({
  options: z.record(z.string(), z.unknown()),
  plugins: z.optional(z.string()),
  entries: z.record(z.string(), z.string()),
});

export interface Problem {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly text: string;
  readonly lineText?: string | undefined;
}

export interface BundleOrder {
  readonly entries: readonly string[];
  readonly folder: string;
  readonly known: Readonly<Record<string, string>>;
  readonly isRepeated: boolean;
}

export const bundleSchema = z.object({
  entry: z.string(),
  files: z.record(z.string(), z.string()),
  inputs: z.array(z.string()),
});

export type Bundle = Readonly<z.infer<typeof bundleSchema>> & { readonly isChanged: boolean };

export interface Bundled {
  readonly bundles: readonly Bundle[];
  readonly failed: readonly { readonly entry: string; readonly problems: readonly Problem[] }[];
}
