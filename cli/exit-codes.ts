/** What a command's process ends with. Scripts rely on these numbers: docs/commands.md. */
export const exitCodes = {
  /** Done, and all is well. */
  done: 0,
  /** Done, and what was looked at is not well. */
  unwell: 1,
  /** Asked in a wrong way, or with input or configuration that does not fit. Nothing was done. */
  wrongUse: 2,
  /** Not confirmed, guarded, or no longer as it was when it was planned. Nothing was done. */
  refused: 3,
  /** AWS or the platform did not accept the credentials, or they lack a right. */
  noRights: 4,
  /** AWS, the platform or the local world gave no answer. */
  unreachable: 5,
  /** What was named is not there. */
  notThere: 6,
  /** A part was done. The message says which, and how to go on. */
  partlyDone: 7,
  /** A fault of this software. */
  fault: 8,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
