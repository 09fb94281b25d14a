import type { Migration } from "./Migration.js"

export const oauth: Migration = {
  id: 11,
  name: "oauth",
  note: "Clients, grants and tokens of the tool protocol's authorisation.",
  sql: `
-- Clients and what they ask for belong to nobody until a human has decided for a workspace.
CREATE TABLE oauth_clients (
  client_id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) > 0),
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_clients_newest ON oauth_clients (created_at);

CREATE TABLE oauth_requests (
  request_id uuid PRIMARY KEY,
  client_id text NOT NULL,
  client_kind text NOT NULL CONSTRAINT oauth_requests_client_kind_check CHECK (
    client_kind IN ('document', 'registered')
  ),
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  state text,
  code_challenge text NOT NULL,
  scopes text[] NOT NULL CONSTRAINT oauth_requests_scopes_check CHECK (
    scopes <@ ARRAY['data:read', 'usage:read', 'campaign:write', 'campaign:launch', 'assets:purchase']
  ),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_requests_expiring ON oauth_requests (expires_at);

-- What a human allowed. The key says what may be done, and ends the grant when it is revoked.
CREATE TABLE oauth_grants (
  workspace_id uuid NOT NULL,
  grant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  scopes text[] NOT NULL CONSTRAINT oauth_grants_scopes_check CHECK (
    scopes <@ ARRAY['data:read', 'usage:read', 'campaign:write', 'campaign:launch', 'assets:purchase']
  ),
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  code_hash text NOT NULL,
  code_expires_at timestamptz NOT NULL,
  redeemed_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, grant_id),
  UNIQUE (workspace_id, key_id)
);
-- A code and a token say by themselves whose they are, as an API key does.
CREATE UNIQUE INDEX oauth_grants_by_code ON oauth_grants (code_hash);
CREATE INDEX oauth_grants_of_client ON oauth_grants (client_id);

CREATE TABLE oauth_tokens (
  token_hash text PRIMARY KEY,
  kind text NOT NULL CONSTRAINT oauth_tokens_kind_check CHECK (kind IN ('access', 'refresh')),
  workspace_id uuid NOT NULL,
  grant_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- A used refresh token is kept, so that a second use is noticed.
  spent_at timestamptz,
  FOREIGN KEY (workspace_id, grant_id) REFERENCES oauth_grants (workspace_id, grant_id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_of_grant ON oauth_tokens (workspace_id, grant_id);
CREATE INDEX oauth_tokens_expiring ON oauth_tokens (expires_at);
`
}
