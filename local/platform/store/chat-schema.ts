/** Creates the tables of relations, reactions, threads, pins and conversations; part of `schema`. */
export const chatSchema = `
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
`;
