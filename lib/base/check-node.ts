/**
 * The first version with `node:sqlite` without a flag
 * (https://nodejs.org/docs/latest-v22.x/api/sqlite.html#sqlite).
 */
const first = { major: 22, minor: 13 };

/**
 * @param what the name in the error, such as "createSqliteStore"
 * @throws Error on an older Node, with the required version and what works without it
 */
export function checkNode(what: string, running: string = process.versions.node): void {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  if (major > first.major || (major === first.major && minor >= first.minor)) return;
  throw new Error(
    `${what} of cometchat-functions needs Node ${first.major}.${first.minor} or newer; this is Node ${running}. ` +
      "The entry points /chat, /events, /webhook, /triggers and /functions work from Node 20.19.",
  );
}
