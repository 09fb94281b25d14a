import type { Migration } from "./Migration.js"

export const handling: Migration = {
  id: 45,
  name: "handling",
  note: "How far people are with a reply, and who of them asked for an approval in their own name.",
  sql: `
ALTER TABLE replies ADD COLUMN read_at timestamptz, ADD COLUMN handled_at timestamptz, ADD COLUMN owner_user_id uuid,
  ADD COLUMN referral text CONSTRAINT replies_referral_check CHECK (referral IN ('open', 'approved', 'declined'));
ALTER TABLE approvals ADD COLUMN asked_by_user_id uuid;
`
}
