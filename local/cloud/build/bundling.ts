import * as z from "zod/mini";

/** How the functions are bundled, as reported by local/cloud/serverless-plugin.mjs. */
export const bundlingSchema = z.object({
  options: z.record(z.string(), z.unknown()),
  plugins: z.optional(z.string()),
  entries: z.record(z.string(), z.string()),
});

/** A mistake, and its place if it is known. */
export interface Problem {
  /** Relative to the service's folder. */
  readonly file?: string | undefined;
  /** Starts at 1. */
  readonly line?: number | undefined;
  /** Starts at 1. */
  readonly column?: number | undefined;
  readonly text: string;
  readonly lineText?: string | undefined;
}

export interface BundleOrder {
  /** Relative to the service's folder. */
  readonly entries: readonly string[];
  /** The folder for changed bundles, with the same paths as in a task's root. */
  readonly folder: string;
  /** Digests by these paths; an unchanged bundle is not written again. */
  readonly known: Readonly<Record<string, string>>;
  /** The only entry, likely to be bundled again, and quickly. */
  readonly isRepeated: boolean;
}

export interface Bundle {
  readonly entry: string;
  /** Digests by path in a task's root, with the map. */
  readonly files: Readonly<Record<string, string>>;
  /** Differs from the known one, and was written. */
  readonly isChanged: boolean;
  /** Relative to the service's folder. */
  readonly inputs: readonly string[];
}

export interface Bundled {
  readonly bundles: readonly Bundle[];
  /** The entries that could not be bundled. */
  readonly failed: readonly { readonly entry: string; readonly problems: readonly Problem[] }[];
}
