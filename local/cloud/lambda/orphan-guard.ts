import { spawn } from "node:child_process";

export type OrphanGuard = ReturnType<typeof startOrphanGuard>;

// Reads `+ pid` and `- pid`; its input ends with the process that wrote it.
const script = `
pids=""
while read -r sign pid; do
  rest=""
  for one in $pids; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  pids=$rest
  [ "$sign" = "+" ] && pids="$pids $pid"
done
for one in $pids; do kill -9 "-$one" 2>/dev/null; done
rm -rf "$1"
`;

/**
 * Starts a shell that waits for this process to end, then kills the functions' processes. Without a shell
 * (Windows) a process ends when it next asks for work.
 */
export function startOrphanGuard(folder: string) {
  const shell = spawn("/bin/sh", ["-c", script, "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true, // Ctrl-C reaches the whole group, and this process must end last
  });
  const ended = new Promise<void>((resolve) => {
    shell.on("error", () => resolve());
    shell.once("exit", () => resolve());
  });
  shell.stdin.on("error", () => {});
  shell.unref();
  return {
    watch: (pid: number) => shell.stdin.write(`+ ${pid}\n`),
    forget: (pid: number) => shell.stdin.write(`- ${pid}\n`),
    close() {
      shell.ref();
      shell.stdin.end();
      return ended;
    },
  };
}
