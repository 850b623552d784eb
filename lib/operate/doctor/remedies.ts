/** For `--stage prod` or `--local`. */
export function remediesFor(target: string) {
  const command = (words: string) => `npx cometchat-functions ${words} ${target}`;
  const isLocal = target.startsWith("--local");
  return {
    checkConfig: "npm run config",
    deploy: isLocal ? "End the running npm start, then: npm start" : command("deploy"),
    repair: command("deploy --repair"),
    doctor: command("doctor"),
    addApp: (appId: string) =>
      isLocal
        ? `Add { appId: ${appId} } to the apps of seed.yml (docs/testing.md), end the stack, then: npm start -- --data <folder> --seed seed.yml`
        : command(`setup --app ${appId}`),
    setUpApp: (appId: string) => command(`setup --app ${appId}`),
    setRegion: (appId: string, region: string) => command(`setup --app ${appId} --app-region ${region}`),
    setManagement: (appId: string) => command(`setup --app ${appId} --management-stdin`),
    replaceKey: (appId: string) => command(`rotate api-key --app ${appId} --api-key-stdin`),
    abandonRotation: (appId: string) => command(`rotate finish --abandon --app ${appId}`),
    scheduleRotation: (appId: string) => command(`rotate schedule --app ${appId}`),
    rotationStatus: (appId: string) => command(`rotate finish --dry-run --app ${appId}`),
    listDeadLetters: command("dead-letters list"),
    listCause: (name: string) => command(`dead-letters list --cause ${name}`),
    listQuarantine: command("dead-letters list --quarantine"),
    status: command("status"),
    resume: (what: string) => command(`resume ${what}`),
    wake: (appId: string) => command(`resume hosts --app ${appId}`),
    handOver: (appId: string, since: string) => command(`reconcile --app ${appId} --since ${since}`),
    // The key contains untrusted text.
    trace: (appId: string, key: string) => command(`trace '${key.replaceAll("'", "'\\''")}' --app ${appId}`),
    logsOf: (name: string) => command(`logs --function ${name} --level error --since 1h`),
    warningsOf: (name: string) => command(`logs --function ${name} --level warn`),
    logs: (appId: string) => command(`logs --app ${appId} --since 1h`),
  } as const;
}

export type Remedies = ReturnType<typeof remediesFor>;
