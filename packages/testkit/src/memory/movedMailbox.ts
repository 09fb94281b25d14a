import { step } from "@outbound/domain/kernel/machine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import type { Mailbox } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Option, Result } from "effect"

/** The mailbox as it is to be, if its machine has a way there from the state before. Otherwise it dies, as PostgreSQL's guard does. */
export const movedMailbox = (before: Mailbox, mailbox: Mailbox): Mailbox => {
  const reaches = MailboxMachine.events.some((event) =>
    Option.contains(Result.getSuccess(step(MailboxMachine, before.state, event)), mailbox.state)
  )
  if (!reaches && before.state !== mailbox.state) throw new Error(`${before.state} never becomes ${mailbox.state}`)
  return mailbox
}
