/** Creates the table of phone calls; part of `schema`. */
export const callSchema = `
CREATE TABLE IF NOT EXISTS calls (
  app_id TEXT NOT NULL, session_id TEXT NOT NULL, seq INTEGER NOT NULL, initiated_at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (app_id, session_id)
) WITHOUT ROWID;
`;
