// The build turns each YAML file of this folder into a module and checks its content
// (build/load-config-file.ts).
declare module "*/apps.yml" {
  /** The ids of the stage's apps, with commas between them. */
  const ids: string;
  export default ids;
}

// Each with the type of its schema in build/config-schemas.ts.
declare module "*/auth-token.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/endpoints/login/login-settings.ts").LoginSettings
  >;
  export default content;
}

declare module "*/canary.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/handle/canary/canary-settings.ts").CanarySettings
  >;
  export default content;
}

declare module "*/escalate.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/behaviours/escalation/escalation-rules.ts").EscalationRules
  >;
  export default content;
}

declare module "*/forward.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/behaviours/forwarding/forward-rules.ts").ForwardRules
  >;
  export default content;
}

declare module "*/moderation.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/endpoints/moderation-lists/moderation-rules.ts").ModerationRules
  >;
  export default content;
}

declare module "*/replies.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/behaviours/replies/reply-rules.ts").ReplyRules
  >;
  export default content;
}

declare module "*/requests.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/effects/http/allowed-hosts.ts").RequestRules
  >;
  export default content;
}

declare module "*/rotation.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/operate/rotation/rotation-settings.ts").RotationSettings
  >;
  export default content;
}

declare module "*/users.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("zod/mini").output<
      typeof import("../lib/operate/user-seeding/declared-users.ts").declaredUsersSchema
    >
  >;
  export default content;
}

declare module "*/welcome.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile<
    import("../lib/behaviours/welcome/welcome-rules.ts").WelcomeRules
  >;
  export default content;
}

declare module "*.yml" {
  const content: import("../lib/chat/settings-from.ts").SettingsFile;
  export default content;
}
