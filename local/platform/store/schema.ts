export const copiedId =
  "coalesce(json_extract(body, '$.quotedMessage.id'), json_extract(body, '$.data.entities.on.entity.id'))";

/** Avoids parsing most messages. */
export const isCopying =
  "((category = 'action' AND type = 'message') OR instr(body, '\"quotedMessage\"') > 0)";

/** `body` has the entity as sent; other columns find and order it. */
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
CREATE INDEX IF NOT EXISTS messages_by_copied ON messages (app_id, ${copiedId}) WHERE ${isCopying};
CREATE TABLE IF NOT EXISTS message_files (
  app_id TEXT NOT NULL, message_id INTEGER NOT NULL, file_id TEXT NOT NULL, PRIMARY KEY (app_id, message_id, file_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS messages_by_file ON message_files (app_id, file_id);
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
CREATE TABLE IF NOT EXISTS friends (
  app_id TEXT NOT NULL, uid TEXT NOT NULL, friend TEXT NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (app_id, uid, friend)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks (
  app_id TEXT NOT NULL, uid TEXT NOT NULL, blocked TEXT NOT NULL, blocked_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, uid, blocked)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reactions (
  app_id TEXT NOT NULL, message_id INTEGER NOT NULL, id INTEGER NOT NULL, reaction TEXT NOT NULL, uid TEXT NOT NULL,
  reacted_at INTEGER NOT NULL, PRIMARY KEY (app_id, message_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS reactions_by_user ON reactions (app_id, message_id, uid, reaction);
CREATE TABLE IF NOT EXISTS pinned_messages (
  app_id TEXT NOT NULL, conversation_id TEXT NOT NULL, message_id INTEGER NOT NULL,
  PRIMARY KEY (app_id, conversation_id, message_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS saved_messages (
  app_id TEXT NOT NULL, uid TEXT NOT NULL, message_id INTEGER NOT NULL, saved_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, uid, message_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS saved_by_message ON saved_messages (app_id, message_id);
CREATE TABLE IF NOT EXISTS interactions (
  app_id TEXT NOT NULL, message_id INTEGER NOT NULL, uid TEXT NOT NULL, element TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (app_id, message_id, uid, element)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS threads (
  app_id TEXT NOT NULL, parent_id INTEGER NOT NULL, conversation_id TEXT NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, parent_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS threads_in_order ON threads (app_id, updated_at, parent_id);
CREATE TABLE IF NOT EXISTS thread_subscribers (
  app_id TEXT NOT NULL, parent_id INTEGER NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (app_id, parent_id, uid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS conversations (
  app_id TEXT NOT NULL, uid TEXT NOT NULL, conversation_id TEXT NOT NULL, type TEXT NOT NULL, peer TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_id INTEGER, unread INTEGER NOT NULL DEFAULT 0,
  read_id INTEGER NOT NULL DEFAULT 0, delivered_id INTEGER NOT NULL DEFAULT 0, cleared_id INTEGER NOT NULL DEFAULT 0,
  is_hidden INTEGER NOT NULL DEFAULT 0, pinned_at INTEGER, tags TEXT, PRIMARY KEY (app_id, uid, conversation_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conversations_by_id ON conversations (app_id, conversation_id, uid);
CREATE TABLE IF NOT EXISTS receipts (
  app_id TEXT NOT NULL, conversation_id TEXT NOT NULL, uid TEXT NOT NULL, action TEXT NOT NULL, up_to INTEGER NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (app_id, conversation_id, uid, action, up_to)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
  app_id TEXT NOT NULL, session_id TEXT NOT NULL, seq INTEGER NOT NULL, initiated_at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (app_id, session_id)
) WITHOUT ROWID;
`;

/** SQLite's planner would else walk an app's whole primary key: "rows, then rows per prefix". */
export const statistics = `
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('messages', 'messages', '100000 100000 1'),
  ('messages', 'messages_by_conversation', '100000 100000 50 1'),
  ('messages', 'messages_by_sender', '100000 100000 500 1'),
  ('messages', 'messages_by_receiver', '100000 100000 50000 500 1'),
  ('messages', 'messages_by_parent', '10000 10000 5 1'),
  ('messages', 'messages_by_muid', '50000 50000 1'),
  ('messages', 'messages_by_copied', '1000 1000 2'),
  ('members', 'members', '10000 10000 20 1'),
  ('members', 'members_by_user', '10000 10000 20 1'),
  ('conversations', 'conversations', '10000 10000 20 1'),
  ('conversations', 'conversations_by_id', '10000 10000 10 1'),
  ('deliveries', 'deliveries_by_app', '100000 100000 1'),
  ('deliveries', 'deliveries_pending', '100 2');
ANALYZE sqlite_schema;
`;
