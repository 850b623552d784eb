/** What the commands reach of the world outside, so that tests can play it. */
export interface CliEdges {
  /** The folder of serverless.yml. */
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends early, without a word, when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Reads standard input to its end. */
  readonly readStdin: () => Promise<string>;
  /** Standard input shows what is typed. */
  readonly isStdinTerminal: boolean;
  /** Undefined where nobody can be asked: standard input or standard error is no terminal, or the former was read to its end. */
  readonly ask: Questions | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface TextSink {
  write(text: string): void;
  /** Text may be coloured, and a line be written over. */
  readonly isTerminal: boolean;
}

/** Asks whoever sits at the terminal. All end with an AbortError or ExitPromptError on Ctrl-C. */
export interface Questions {
  confirm(message: string): Promise<boolean>;
  text(message: string, fallback?: string): Promise<string>;
  /** Shows nothing of what is typed. */
  password(message: string): Promise<string>;
}
