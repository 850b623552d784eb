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
  /** The text of the line. */
  readonly lineText?: string | undefined;
}

/** A request to bundle functions. */
export interface BundleOrder {
  /** The files of the functions, relative to the service's folder. */
  readonly entries: readonly string[];
  /** The folder for changed bundles, with the same paths as in a task's root. */
  readonly folder: string;
  /** The digests of existing files by these paths; an unchanged bundle is not written again. */
  readonly known: Readonly<Record<string, string>>;
  /** Whether the entry is likely to be bundled again, and quickly. Then it is the only one. */
  readonly isRepeated: boolean;
}

/** The bundle of one file. */
export interface Bundle {
  readonly entry: string;
  /** The digests of the bundle and its map by their paths in a task's root. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether it differs from the known one and was written. */
  readonly isChanged: boolean;
  /** Every input file, relative to the service's folder. */
  readonly inputs: readonly string[];
}

export interface Bundled {
  readonly bundles: readonly Bundle[];
  /** The entries that could not be bundled. */
  readonly failed: readonly { readonly entry: string; readonly problems: readonly Problem[] }[];
}
