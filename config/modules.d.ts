// The build turns each YAML file of this folder into a module; its content is checked then, see scripts/load-config-file.ts.
declare module "*.yml" {
  const content: unknown;
  export default content;
}
