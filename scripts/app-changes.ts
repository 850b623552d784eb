/** A change of this software that an app's own files have to follow by hand. */
export interface AppChange {
  /** The version that brought it. */
  readonly since: string;
  /** Looks into an app's folder and says, a line for each file, what to write where; nothing once it is done. */
  leftToDo(appFolder: string): Promise<readonly string[]>;
}

/**
 * What versions ask of apps that were made before them, the oldest first. Each looks at the files themselves and not at the
 * version that an app was made with: it goes by what is left to do, however the app came by its files.
 */
export const appChanges: readonly AppChange[] = [];
