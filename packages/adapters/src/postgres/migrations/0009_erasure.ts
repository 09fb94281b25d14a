import type { Migration } from "./Migration.js"

/**
 * Erasure requests, and the indexes that find a person's data. Nothing here holds an address: people are known by keyed
 * hashes. The settlement of a call writes rows of `call_subjects` and `contact_subjects` only if its outcome or its
 * contact is stored.
 */
export const erasure: Migration = {
  id: 9,
  name: "erasure",
  note: "Erased persons and retention.",
  sql: `
CREATE TABLE erasures (
  workspace_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  address_hash text NOT NULL,
  requested_by_user_id uuid,
  requested_at timestamptz NOT NULL,
  fingerprints text[] NOT NULL,
  -- Whether the trail has an event of it.
  told boolean NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (workspace_id, erasure_id)
);
CREATE UNIQUE INDEX erasures_open ON erasures (workspace_id, address_hash) WHERE finished_at IS NULL;

-- Whom the remembered outcome of a call names: hashes of addresses and of contacts' fingerprints, or * for more people
-- than are listed.
CREATE TABLE call_subjects (
  workspace_id uuid NOT NULL,
  address_hash text NOT NULL,
  request_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, address_hash, request_id)
);
CREATE INDEX call_subjects_of_call ON call_subjects (workspace_id, request_id);

-- The same of what the cache of contacts holds.
CREATE TABLE contact_subjects (
  workspace_id uuid NOT NULL,
  address_hash text NOT NULL,
  person_key text NOT NULL,
  PRIMARY KEY (workspace_id, address_hash, person_key)
);
CREATE INDEX contact_subjects_of_contact ON contact_subjects (workspace_id, person_key);
CREATE INDEX enrichment_cache_expired ON enrichment_cache (expires_at);

CREATE INDEX replies_of_lead ON replies (workspace_id, campaign_lead_id);
CREATE INDEX sent_replies_of_address ON sent_replies (workspace_id, address_hash);
`
}
