import { type Machine, step } from "@outbound/domain/kernel/machine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type { Mailbox, Message } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Option, Result } from "effect"

/** Dies, as PostgreSQL's guard does, unless the machine has a way from the one state to the other. */
const reached = <S extends string, V extends string>(machine: Machine<S, V>, before: S, after: S): void => {
  const reaches = machine.events.some((event) =>
    Option.contains(Result.getSuccess(step(machine, before, event)), after)
  )
  if (!reaches && before !== after) throw new Error(`${before} never becomes ${after}`)
}

/** The mailbox as it is to be. */
export const movedMailbox = (before: Mailbox, mailbox: Mailbox): Mailbox => {
  reached(MailboxMachine, before.state, mailbox.state)
  return mailbox
}

/** The message as it is to be. */
export const movedMessage = (before: Message, message: Message): Message => {
  reached(MessageMachine, before.state, message.state)
  return message
}
