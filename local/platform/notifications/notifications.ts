import type { AppRoute } from "../http/route.ts";
import { contactRoutes } from "./contact-details.ts";
import { notificationLogRoutes } from "./logs.ts";
import { muteRoutes } from "./muted.ts";
import { preferenceRoutes } from "./preferences.ts";
import { singleProviderRoutes } from "./providers.ts";
import { pushProviderRoutes } from "./push-providers.ts";
import { notificationSettingRoutes } from "./settings.ts";
import { pushTokenRoutes } from "./tokens.ts";

/** Declares all operations below `/notifications`. */
export const notificationRoutes: readonly AppRoute[] = [
  ...notificationSettingRoutes,
  ...pushProviderRoutes,
  ...preferenceRoutes,
  ...muteRoutes,
  ...pushTokenRoutes,
  ...contactRoutes,
  ...singleProviderRoutes,
  ...notificationLogRoutes,
];
