// The build turns each YAML file of this folder into a module and checks its content
// (build/load-config-file.ts).
declare module "*/apps.yml" {
  /** The ids of the stage's apps, with commas between them. */
  const ids: string;
  export default ids;
}

declare module "*.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile;
  export default content;
}
