import type { Inbound, InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import type { SandboxLetter } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { SANDBOX_DOMAINS } from "@outbound/domain/outreach/authentication/sandboxLook.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type {
  CapacityOrder,
  CapacityProgress,
  OutboundScheduled,
  OutgoingMessage,
  ProvisioningStatus
} from "@outbound/domain/sources/ports/SendingProvider.js"
import { Clock, Effect } from "effect"
import { type Persona, personaLetter, writeReaction } from "../world/Personas.js"
import { recipientOf } from "../world/Reactions.js"
import { world } from "../world/World.js"
import { hashText } from "../world/Hash.js"

/** When the last domain of an order has come alive or failed, in milliseconds after the order. */
export const READY_MILLIS = 1500
export const READY_SLOW_MILLIS = 10_000

/** What the brand of an order asks for. */
type ProvisioningOutcome = "smooth" | "fails" | "partial"

const outcomeOf = (brand: string): ProvisioningOutcome =>
  brand.startsWith("fail-") ? "fails" : brand.startsWith("partial-") ? "partial" : "smooth"

const DOMAIN_REFUSED = "The registry refused the domain (sandbox)."
const MAILBOX_REFUSED = "A mailbox could not be opened (sandbox)."

/**
 * How far an order has come: a function of the order and the time alone. The domains come one after the other, each
 * with its mailboxes. `partial-`: the last of several domains fails; a single domain comes alive, and its last
 * mailbox fails, also where it has only that one.
 */
const progressAt = (order: CapacityOrder, nowMillis: number): CapacityProgress => {
  const course = outcomeOf(order.brand)
  const ready = order.brand.startsWith("slow-") ? READY_SLOW_MILLIS : READY_MILLIS
  const count = order.domains.length
  return {
    domains: order.domains.map(({ domain, mailboxes }, index) => {
      const isLast = index === count - 1
      const done = nowMillis - order.orderedAtMillis >= (ready * (index + 1)) / count
      const domainFails = course === "fails" || (course === "partial" && isLast && count > 1)
      const mailboxFails = course === "partial" && count === 1
      const ended = (failed: boolean): ProvisioningStatus => (!done ? "pending" : failed ? "failed" : "active")
      return {
        domain,
        status: ended(domainFails),
        detail: !done ? null : domainFails ? DOMAIN_REFUSED : mailboxFails ? MAILBOX_REFUSED : null,
        mailboxes: mailboxes.map((address, place) => ({
          address,
          status: ended(domainFails || (mailboxFails && place === mailboxes.length - 1))
        }))
      }
    })
  }
}

const FORMS: ReadonlyArray<readonly [before: string, after: string]> = [
  ["try-", ""],
  ["get-", ""],
  ["", "-team"],
  ["go-", ""],
  ["with-", ""],
  ["", "-hq"],
  ["meet-", ""],
  ["", "-mail"],
  ["hello-", ""],
  ["use-", ""]
]
const TLDS = ["example", "test"] as const

/** A brand as the middle of a DNS label: single dashes, none at either end. */
const labelOf = (brand: string): string =>
  brand
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "brand"

/** Domain names for a brand, best first, each under a reserved top-level domain. A longer list begins with the shorter. */
export const domainsFor = (brand: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => {
    const [before, after] = FORMS[index % FORMS.length] ?? ["try-", ""]
    const round = Math.floor(index / FORMS.length)
    const number = Math.floor(round / TLDS.length)
    const label = labelOf(brand)
    // A name that stands for something does so by its beginning.
    const named = SANDBOX_DOMAINS.some((beginning) => label.startsWith(beginning))
      ? `${label}${after}${before === "" ? "" : `-${before.slice(0, -1)}`}`
      : `${before}${label}${after}`
    return `${named}${number === 0 ? "" : `-${number + 1}`}.${TLDS[round % TLDS.length]}`
  })

const NAME = "sandbox_sending"

/** A reaction arrives at the mailbox this long after the delivery, in milliseconds. */
const REACTION_MIN_MILLIS = 700
const REACTION_SPREAD_MILLIS = 600

/** In the body of an answer: its outcome is uncertain, and it turns out to have been sent, or not to have been. */
const UNKNOWN = "[[unknown]]"
const FAIL = "[[fail]]"

/** Whether it is the first message of its thread to somebody of the world who reacts. */
const reacting = (message: OutgoingMessage): { readonly persona: Persona; readonly name: string | null } | null => {
  if (message.stepIndex !== 0 || message.references.length > 0) return null
  const recipient = recipientOf(world(), message.to.address)
  return recipient === null || recipient.persona === null
    ? null
    : { persona: recipient.persona, name: message.to.name ?? recipient.fullName }
}

const arrivalOf = (messageId: string, nowMillis: number): number =>
  nowMillis + REACTION_MIN_MILLIS + (hashText(world().seed, `${messageId} arrives`) % REACTION_SPREAD_MILLIS)

/** What comes back for a message, as a letter; null: nothing does. */
export const letterTo = (message: OutgoingMessage, nowMillis: number): SandboxLetter | null => {
  const reaction = reacting(message)
  if (reaction === null) return null
  const { name: recipientName, persona } = reaction
  const { seed } = world()
  const writing = writeReaction(seed, persona, message, recipientName)
  const dueAtMillis = arrivalOf(message.messageId, nowMillis)
  return {
    workspaceId: message.workspaceId,
    messageId: message.messageId,
    toAddress: message.from.address,
    persona,
    raw: personaLetter({ seed, persona, message, recipientName, writing, atMillis: dueAtMillis }),
    dueAtMillis
  }
}

/** What was read of a letter, under the names that the sandbox gives it. */
export const eventNamed = (event: InboundEvent, { dueAtMillis, messageId, persona }: SandboxLetter): InboundEvent => ({
  ...event,
  provider: NAME,
  providerEventId: `${persona}:${messageId}`,
  source: "provider_webhook",
  messageId: null,
  classification: persona,
  receivedAtMillis: dueAtMillis
})

const reactionTo = (
  message: OutgoingMessage,
  persona: Persona,
  recipientName: string | null,
  nowMillis: number
): InboundEvent => {
  const { seed } = world()
  const { html, subject, text } = writeReaction(seed, persona, message, recipientName)
  const isBounce = persona === "bounce"
  const domain = message.to.address.slice(message.to.address.lastIndexOf("@") + 1)
  return {
    workspaceId: message.workspaceId,
    provider: NAME,
    providerEventId: `${persona}:${message.messageId}`,
    kind: isBounce ? "bounce" : "reply",
    source: "provider_webhook",
    inReplyTo: message.messageId,
    messageId: null,
    fromEmail: isBounce ? `mailer-daemon@${domain}` : message.to.address,
    toEmail: message.from.address,
    subject,
    bodyText: text,
    bodyHtml: html,
    classification: persona,
    bounce: isBounce ? { type: "hard", status: "5.1.1", reason: "user_unknown" } : null,
    receivedAtMillis: arrivalOf(message.messageId, nowMillis)
  }
}

/**
 * Mailboxes that exist nowhere, and recipients who react to the first message of a thread. Nothing is kept: what
 * has become of an order is computed from it, and a reaction lies in the inbox as soon as the message is accepted.
 */
export const makeSandboxSending = (
  inbound: Inbound["Service"],
  /** How long a day of a sequence takes here. */
  dayMillis = 1_000
): OutboundScheduled => ({
  schedules: "outbound",
  name: NAME,
  pace: { dayMillis, windows: false },
  readyEstimate: "within 2 seconds (sandbox)",
  suggestDomains: (brand, count) => Effect.sync(() => domainsFor(brand, count)),
  order: () => Effect.void,
  progress: (order) => Effect.map(Clock.currentTimeMillis, (now) => progressAt(order, now)),
  // Outbound schedules here: there is nothing that could go on by itself.
  pauseCampaign: () => Effect.void,
  deliver: (message) =>
    Effect.gen(function* () {
      const reaction = reacting(message)
      if (reaction === null) return
      const now = yield* Clock.currentTimeMillis
      // Without its reaction the message is as good as not sent; sent again, it brings the same event.
      yield* Effect.mapError(
        inbound.receive([reactionTo(message, reaction.persona, reaction.name, now)]),
        (cause) => new ProviderFailure({ provider: NAME, reason: "transient", cause })
      )
    }),
  reply: ({ text }) =>
    text.includes(UNKNOWN) || text.includes(FAIL)
      ? Effect.fail(new ProviderFailure({ provider: NAME, reason: "unknown_outcome" }))
      : Effect.void,
  findSent: ({ text }) => Effect.succeed(text.includes(FAIL) ? "not_sent" : "sent"),
  setInterest: () => Effect.void
})
