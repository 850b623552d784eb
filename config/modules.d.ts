// The build turns each YAML file of this folder into a module; its content is checked then, see scripts/load-config-file.ts.
declare module "*.yml" {
  const content: import("../lib/settings/settings-from.ts").SettingsFile;
  export default content;
}
