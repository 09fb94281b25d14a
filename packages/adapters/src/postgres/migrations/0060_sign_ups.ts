import type { Migration } from "./Migration.js"

export const signUps: Migration = {
  id: 60,
  name: "sign_ups",
  note: "Links with which people make a workspace of their own, until they are spent or run out, and who has made one. People and networks stand there as keyed digests.",
  sql: `
CREATE TABLE sign_ups (
  link_hash text PRIMARY KEY,
  person_hash text NOT NULL,
  network_hash text,
  email text NOT NULL,
  workspace_name text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ups_expiry ON sign_ups (expires_at);

CREATE TABLE sign_up_grants (
  person_hash text PRIMARY KEY,
  network_hash text,
  granted_at timestamptz NOT NULL
);
CREATE INDEX sign_up_grants_by_time ON sign_up_grants (granted_at);
`
}
