import type { Migration } from "./Migration.js"

export const secretRotation: Migration = {
  id: 71,
  name: "secret_rotation",
  note: "The secret that a rotation moves to, and the keys of the first one, which outlive it.",
  sql: `
ALTER TABLE service_meta
  ADD COLUMN next_fingerprint text,
  -- Sealed under the secret of secret_fingerprint.
  ADD COLUMN carried_keys text,
  ADD COLUMN carried_fingerprint text,
  ADD CONSTRAINT service_meta_carried CHECK ((carried_keys IS NULL) = (carried_fingerprint IS NULL));
`
}
