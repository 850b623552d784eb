/** What the commands use of their environment, replaceable by tests. */
export interface CliEdges {
  /** The folder of serverless.yml. */
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns early, without an error, if the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a unique text. */
  readonly token: () => string;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly readStdin: () => Promise<string>;
  /** Standard input is a terminal, which shows what is typed. */
  readonly isStdinTerminal: boolean;
  /**
   * Undefined if the user cannot be asked: standard input or standard error is not a terminal, or standard
   * input was read to its end.
   */
  readonly ask: Questions | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface TextSink {
  write(text: string): void;
  /** Text may be coloured, and a line overwritten. */
  readonly isTerminal: boolean;
}

/** Questions to the user at the terminal. All end with an AbortError or ExitPromptError on Ctrl-C. */
export interface Questions {
  confirm(message: string): Promise<boolean>;
  text(message: string, fallback?: string): Promise<string>;
  /** Hides what is typed. */
  password(message: string): Promise<string>;
}
