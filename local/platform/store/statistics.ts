/**
 * Tells SQLite's planner what a busy app looks like: many rows per app, few per conversation or user. Without it every
 * query that names the app would walk the app's whole primary key. Each row: table, index, "rows, then rows per prefix".
 */
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
  ('members', 'members', '10000 10000 20 1'),
  ('members', 'members_by_user', '10000 10000 20 1'),
  ('conversations', 'conversations', '10000 10000 20 1'),
  ('conversations', 'conversations_by_id', '10000 10000 10 1'),
  ('deliveries', 'deliveries_by_app', '100000 100000 1'),
  ('deliveries', 'deliveries_pending', '100 2');
ANALYZE sqlite_schema;
`;
