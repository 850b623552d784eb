// The build turns each YAML file of this folder into a module; its content is checked then.
declare module "*.yml" {
  const content: import("cometchat-functions/triggers").SettingsFile;
  export default content;
}
