import { callSchema } from "./call-schema.ts";
import { chatSchema } from "./chat-schema.ts";

/**
 * Creates the tables. `body` holds the entity as the wire shows it; the other columns exist to find and order it.
 * Small families (roles, reasons, rules, settings …) share `documents`.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS apps (
  app_id TEXT PRIMARY KEY, region TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS management_keys (key TEXT PRIMARY KEY, secret TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (
  app_id TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (app_id, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS api_keys (
  app_id TEXT NOT NULL, api_key TEXT NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL,
  created_at INTEGER NOT NULL, created_by TEXT NOT NULL, PRIMARY KEY (app_id, api_key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS users (
  app_id TEXT NOT NULL, uid TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER, deactivated_at INTEGER, body TEXT NOT NULL,
  PRIMARY KEY (app_id, uid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS auth_tokens (
  app_id TEXT NOT NULL, auth_token TEXT NOT NULL, uid TEXT NOT NULL, created_at INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (app_id, auth_token)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS auth_tokens_by_user ON auth_tokens (app_id, uid, seq);
CREATE TABLE IF NOT EXISTS groups (
  app_id TEXT NOT NULL, guid TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, members_count INTEGER NOT NULL,
  password TEXT, created_at INTEGER NOT NULL, updated_at INTEGER, body TEXT NOT NULL, PRIMARY KEY (app_id, guid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS members (
  app_id TEXT NOT NULL, guid TEXT NOT NULL, uid TEXT NOT NULL, scope TEXT NOT NULL, joined_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, guid, uid)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS members_by_user ON members (app_id, uid, guid);
CREATE TABLE IF NOT EXISTS banned_users (
  app_id TEXT NOT NULL, guid TEXT NOT NULL, uid TEXT NOT NULL, banned_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, guid, uid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
  app_id TEXT NOT NULL, id INTEGER NOT NULL, conversation_id TEXT NOT NULL, sender TEXT NOT NULL,
  receiver_type TEXT NOT NULL, receiver TEXT NOT NULL, category TEXT NOT NULL, type TEXT NOT NULL,
  parent_id INTEGER, muid TEXT, sent_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  edited_at INTEGER, deleted_at INTEGER, body TEXT NOT NULL, PRIMARY KEY (app_id, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS messages_by_conversation ON messages (app_id, conversation_id, id);
CREATE INDEX IF NOT EXISTS messages_by_sender ON messages (app_id, sender, id);
CREATE INDEX IF NOT EXISTS messages_by_receiver ON messages (app_id, receiver_type, receiver, id);
CREATE INDEX IF NOT EXISTS messages_by_parent ON messages (app_id, parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_by_muid ON messages (app_id, muid) WHERE muid IS NOT NULL;
CREATE TABLE IF NOT EXISTS documents (
  app_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (app_id, kind, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS documents_in_order ON documents (app_id, kind, seq);
CREATE TABLE IF NOT EXISTS webhooks (
  app_id TEXT NOT NULL, generation INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL,
  use_basic_auth INTEGER NOT NULL, username TEXT, password TEXT, enabled INTEGER NOT NULL,
  retry_on_failure INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, generation, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhook_triggers (
  app_id TEXT NOT NULL, generation INTEGER NOT NULL, webhook_id TEXT NOT NULL, trigger_id TEXT NOT NULL,
  PRIMARY KEY (app_id, generation, trigger_id, webhook_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS triggers_by_webhook ON webhook_triggers (app_id, generation, webhook_id);
CREATE TABLE IF NOT EXISTS deliveries (
  id INTEGER PRIMARY KEY, app_id TEXT NOT NULL, generation INTEGER NOT NULL, webhook_id TEXT NOT NULL,
  trigger_id TEXT NOT NULL, body TEXT NOT NULL, target TEXT, state TEXT NOT NULL, created_ms INTEGER NOT NULL,
  first_attempt_ms INTEGER, attempts INTEGER NOT NULL DEFAULT 0, due_ms INTEGER
);
CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries (due_ms) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS deliveries_by_app ON deliveries (app_id, id);
CREATE TABLE IF NOT EXISTS attempts (
  delivery_id INTEGER NOT NULL, number INTEGER NOT NULL, at_ms INTEGER NOT NULL, duration_ms REAL NOT NULL,
  status INTEGER, error TEXT, PRIMARY KEY (delivery_id, number)
) WITHOUT ROWID;
${chatSchema}${callSchema}`;
