import * as z from "zod/mini";

/** How serverless-esbuild would bundle a service's functions, as local/cloud/serverless-plugin.mjs reports it. */
export const bundlingSchema = z.object({
  /** What it hands to esbuild. */
  options: z.record(z.string(), z.unknown()),
  /** The module of esbuild's plugins, from the service's folder. */
  plugins: z.optional(z.string()),
  /** Of the bundles: `.mjs`. */
  extension: z.string(),
  /** The file of each function, from the service's folder; several functions may share one. */
  entries: z.record(z.string(), z.string()),
});

export type Bundling = z.infer<typeof bundlingSchema>;

/** What is wrong, and where, as far as it is known. */
export interface Problem {
  /** From the service's folder. */
  readonly file?: string | undefined;
  /** The first is 1. */
  readonly line?: number | undefined;
  /** The first is 1. */
  readonly column?: number | undefined;
  readonly text: string;
  /** The line of the source. */
  readonly lineText?: string | undefined;
}

/** What is to be bundled. */
export interface BundleOrder {
  /** Files of functions, from the service's folder. */
  readonly entries: readonly string[];
  /** Where what is new is written, by the paths that it has within a task's root. */
  readonly folder: string;
  /** Digests of what is there already, by these paths: what is the same is not written again. */
  readonly known: Readonly<Record<string, string>>;
  /** Keeps what is needed to bundle each of them again quickly. */
  readonly isRepeated: boolean;
}

/** What one file of functions became. */
export interface Bundle {
  readonly entry: string;
  /** The bundle and its map: the digest of each by its path within a task's root. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether it was written. */
  readonly isChanged: boolean;
  /** Every file that it was made of, from the service's folder. */
  readonly inputs: readonly string[];
}

export interface Bundled {
  readonly bundles: readonly Bundle[];
  /** Those that could not be bundled, and why. */
  readonly failed: readonly { readonly entry: string; readonly problems: readonly Problem[] }[];
}
