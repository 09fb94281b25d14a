import type { Migration } from "./Migration.js"

export const learnedIds: Migration = {
  id: 56,
  name: "learned_ids",
  note: "Under which ids messages left whose own a server replaced, as hashes.",
  sql: `
CREATE TABLE learned_ids (
  workspace_id uuid NOT NULL,
  id_hash text NOT NULL,
  message_id text NOT NULL,
  PRIMARY KEY (workspace_id, id_hash),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, message_id)
);
CREATE INDEX learned_ids_of_message ON learned_ids (workspace_id, message_id);
`
}
