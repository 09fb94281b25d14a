import type { Migration } from "./Migration.js"

/**
 * A mailbox that already existed at the vendor has no purchase. Addresses are unique across workspaces, so that no two
 * send from one.
 */
export const adoptedMailboxes: Migration = {
  id: 18,
  name: "adopted_mailboxes",
  note: "Mailboxes that are taken over from a sending vendor's account, without a purchase.",
  sql: `
ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_purchased_by_operation;
ALTER TABLE mailboxes ADD CONSTRAINT mailboxes_purchased_by_operation CHECK (
  kind = 'purchased' OR operation_id IS NULL
);
CREATE INDEX mailboxes_address ON mailboxes (address);
`
}
