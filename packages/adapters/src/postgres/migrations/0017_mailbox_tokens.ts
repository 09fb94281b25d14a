import type { Migration } from "./Migration.js"

/**
 * `renewed_secret`: the refresh token that replaced the one in `secret`, sealed. It is cleared when the owner sets a
 * new secret.
 */
export const mailboxTokens: Migration = {
  id: 17,
  name: "mailbox_tokens",
  note: "Own mailboxes whose access tokens the service renews.",
  sql: `
ALTER TABLE own_mailboxes ADD COLUMN renewed_secret text;
ALTER TABLE own_mailboxes DROP CONSTRAINT own_mailboxes_auth_check;
ALTER TABLE own_mailboxes ADD CONSTRAINT own_mailboxes_auth_check CHECK (auth IN ('password', 'xoauth2', 'oauth'));
`
}
