import * as z from "zod/mini";

/** As reported by local/cloud/serverless-plugin.mjs. */
export const bundlingSchema = z.object({
  options: z.record(z.string(), z.unknown()),
  plugins: z.optional(z.string()),
  entries: z.record(z.string(), z.string()),
});

export interface Problem {
  readonly file?: string | undefined;
  /** Starts at 1. */
  readonly line?: number | undefined;
  /** Starts at 1. */
  readonly column?: number | undefined;
  readonly text: string;
  readonly lineText?: string | undefined;
}

export interface BundleOrder {
  readonly entries: readonly string[];
  readonly folder: string;
  /** Digests by these paths. */
  readonly known: Readonly<Record<string, string>>;
  readonly isRepeated: boolean;
}

export interface Bundle {
  readonly entry: string;
  /** Digests by path in a task's root, with the map. */
  readonly files: Readonly<Record<string, string>>;
  readonly isChanged: boolean;
  readonly inputs: readonly string[];
}

export interface Bundled {
  readonly bundles: readonly Bundle[];
  readonly failed: readonly { readonly entry: string; readonly problems: readonly Problem[] }[];
}
