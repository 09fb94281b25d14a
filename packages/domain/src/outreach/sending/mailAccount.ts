import { type Context, Redacted } from "effect"
import type { MailAccount } from "../mail/MailTransport.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { ConnectedMailbox, OwnMailbox } from "./OwnMailboxes.js"

type Sealing = Pick<Context.Tag.Service<typeof Crypto>, "seal" | "open">

/** Binds a sealed secret to its mailbox. */
const boundTo = ({ mailboxId, workspaceId }: Pick<OwnMailbox, "workspaceId" | "mailboxId">): string =>
  `${workspaceId}\n${mailboxId}`

/** The account for storage, with its secret sealed. */
export const sealAccount = (crypto: Sealing, account: MailAccount): OwnMailbox => {
  const { address: _address, displayName: _displayName, secret, ...own } = account
  return { ...own, sealedSecret: crypto.seal("mailbox_secret", Redacted.value(secret), boundTo(account)) }
}

/** The account with its secret opened; null: sealed with another server secret. */
export const openAccount = (crypto: Sealing, { mailbox, own }: ConnectedMailbox): MailAccount | null => {
  const { sealedSecret, ...rest } = own
  const secret = crypto.open("mailbox_secret", sealedSecret, boundTo(own))
  return secret === null
    ? null
    : { ...rest, address: mailbox.address, displayName: mailbox.displayName, secret: Redacted.make(secret) }
}
