export interface CliEdges {
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns early, without an error, if the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Default: the value in target/identity.ts. */
  readonly awsTryMs?: number;
  readonly token: () => string;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly readStdin: () => Promise<string>;
  readonly isStdinTerminal: boolean;
  /** Undefined unless standard input and error are terminals, or once standard input was read. */
  readonly ask: Questions | undefined;
  /** Aborted by Ctrl-C, SIGTERM, SIGHUP, or a closed pipe: run-cli.ts. */
  readonly signal: AbortSignal;
}

export interface TextSink {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** All reject with an AbortError or ExitPromptError on Ctrl-C. */
export interface Questions {
  confirm(message: string): Promise<boolean>;
  text(message: string, fallback?: string): Promise<string>;
  password(message: string): Promise<string>;
}
