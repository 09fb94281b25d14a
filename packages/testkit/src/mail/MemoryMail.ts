import { type ArrivalsQuery, MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  type SmtpAnswer,
  type SmtpPhase
} from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Context, Data, Duration, Effect, Layer } from "effect"

/**
 * What a mail server does with one message.
 *
 * - `Take`: accepts it.
 * - `Refuse`: answers so in that phase; before the claim is asked, unless it is the content that it refuses.
 * - `Before`: this happens when the recipient is accepted, before the claim is asked.
 * - `Lose`: the connection is lost when the content has gone: the server has it (`kept`), or not.
 * - `Stall`: says nothing any more, before the claim or after the content.
 */
export type MailBehaviour = Data.TaggedEnum<{
  Take: {}
  Refuse: {
    readonly phase: SmtpPhase
    readonly code: number | null
    readonly status: string | null
    readonly reason: ProviderFailureReason
  }
  Before: { readonly happens: Effect.Effect<void> }
  Lose: { readonly kept: boolean }
  Stall: { readonly at: "recipient" | "content" }
}>
export const MailBehaviour = Data.taggedEnum<MailBehaviour>()

/** A message that a server has taken. */
export interface TakenMail {
  readonly from: string
  readonly mail: OutgoingMail
  readonly atMillis: number
}

/** Mail servers of own mailboxes, in memory. They behave as they are told, and keep copies of what they take. */
export class MemoryMail extends Context.Service<
  MemoryMail,
  {
    /** From now on, until told otherwise, for every mailbox or for this address. */
    readonly behave: (behaviour: MailBehaviour, address?: string) => Effect.Effect<void>
    /** From now on every message to this address is refused so, and how often one was. */
    readonly refuseTo: (
      address: string,
      refusal: Extract<MailBehaviour, { readonly _tag: "Refuse" }>
    ) => Effect.Effect<void>
    readonly refusedTo: (address: string) => Effect.Effect<number>
    /** For the next messages from any sender, one each; then as `behave` said. */
    readonly script: (behaviours: ReadonlyArray<MailBehaviour>) => Effect.Effect<void>
    /** What was taken from these senders, oldest first. */
    readonly taken: (from: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<TakenMail>>
    /** How many sessions were begun, and how many claims were granted in them. */
    readonly sessions: Effect.Effect<number>
    readonly claims: Effect.Effect<number>
    /** How many times the folder of sent mail was looked into; `unreadable` lets looks fail. */
    readonly lookUps: Effect.Effect<number>
    readonly unreadable: (isSo: boolean) => Effect.Effect<void>
  }
>()("@outbound/testkit/mail/MemoryMail") {}

const PROVIDER = "memory_mail"

const failure = (reason: ProviderFailureReason, answer?: SmtpAnswer): ProviderFailure =>
  new ProviderFailure({ provider: PROVIDER, reason, ...(answer === undefined ? {} : { cause: answer }) })

const answered = ({ code, phase, reason, status }: Extract<MailBehaviour, { readonly _tag: "Refuse" }>) =>
  failure(reason, { _tag: "SmtpAnswer", phase, code, status, text: "refused on request" })

const BEFORE_LOGIN: ReadonlyArray<SmtpPhase> = ["connection", "tls", "login"]

export const layer: Layer.Layer<MemoryMail | MailTransport | MailReader> = Layer.effectContext(
  Effect.sync(() => {
    const usual = new Map<string, MailBehaviour>()
    const scripted: Array<MailBehaviour> = []
    const mails: Array<TakenMail> = []
    const refusing = new Map<string, Extract<MailBehaviour, { readonly _tag: "Refuse" }>>()
    const refused = new Map<string, number>()
    let sessions = 0
    let claims = 0
    let lookUps = 0
    let isUnreadable = false

    const take = (account: MailAccount, mail: OutgoingMail) =>
      Effect.map(Clock.currentTimeMillis, (atMillis) => void mails.push({ from: account.address, mail, atMillis }))

    const send = <E, R>(
      account: MailAccount,
      behaviour: MailBehaviour,
      mail: OutgoingMail,
      claim: Effect.Effect<boolean, E, R>
    ): Effect.Effect<"sent" | "withdrawn", ProviderFailure | E, R> =>
      Effect.gen(function* () {
        // Concurrent senders take turns, as over a wire.
        yield* Effect.yieldNow
        const refusal = refusing.get(mail.to.address)
        if (refusal !== undefined) {
          refused.set(mail.to.address, (refused.get(mail.to.address) ?? 0) + 1)
          return yield* answered(refusal)
        }
        if (behaviour._tag === "Refuse" && behaviour.phase !== "content") return yield* answered(behaviour)
        if (behaviour._tag === "Stall" && behaviour.at === "recipient") return yield* Effect.never
        if (behaviour._tag === "Before") yield* behaviour.happens
        if (!(yield* claim)) return "withdrawn"
        claims += 1
        yield* Effect.yieldNow
        if (behaviour._tag === "Refuse") return yield* answered(behaviour)
        if (behaviour._tag === "Lose" && !behaviour.kept) return yield* failure("unknown_outcome")
        yield* take(account, mail)
        if (behaviour._tag === "Lose") return yield* failure("unknown_outcome")
        if (behaviour._tag === "Stall") return yield* Effect.never
        return "sent"
      })

    const transport = MailTransport.of({
      session: (account) =>
        Effect.suspend(() => {
          sessions += 1
          const behaviour = scripted.shift() ?? usual.get(account.address) ?? usual.get("") ?? MailBehaviour.Take()
          if (behaviour._tag === "Refuse" && BEFORE_LOGIN.includes(behaviour.phase)) return answered(behaviour)
          return Effect.succeed({
            send: <E, R>(mail: OutgoingMail, claim: Effect.Effect<boolean, E, R>) =>
              send(account, behaviour, mail, claim)
          })
        })
    })

    const reader = MailReader.of({
      session: () =>
        Effect.succeed({
          folders: ["INBOX"],
          arrivals: ({ cursor, folder }: ArrivalsQuery) =>
            Effect.succeed({ mails: [], cursor: cursor ?? { folder, uidValidity: 1, lastUid: 0 }, more: false }),
          content: () => Effect.succeed(null),
          waitForMail: (maxMillis) => Effect.sleep(Duration.millis(maxMillis))
        }),
      findInSent: (account, messageId) =>
        Effect.suspend(() => {
          if (isUnreadable) return failure("transient")
          lookUps += 1
          if (account.sentFolder === null) return Effect.succeed("unknowable" as const)
          const isThere = mails.some(({ from, mail }) => from === account.address && mail.messageId === messageId)
          return Effect.succeed(isThere ? ("found" as const) : ("absent" as const))
        })
    })

    const control = MemoryMail.of({
      behave: (behaviour, address = "") => Effect.sync(() => void usual.set(address, behaviour)),
      refuseTo: (address, refusal) => Effect.sync(() => void refusing.set(address, refusal)),
      refusedTo: (address) => Effect.sync(() => refused.get(address) ?? 0),
      script: (behaviours) => Effect.sync(() => void scripted.splice(0, scripted.length, ...behaviours)),
      taken: (from) => Effect.sync(() => mails.filter((one) => from.includes(one.from))),
      sessions: Effect.sync(() => sessions),
      claims: Effect.sync(() => claims),
      lookUps: Effect.sync(() => lookUps),
      unreadable: (isSo) => Effect.sync(() => void (isUnreadable = isSo))
    })

    return Context.make(MemoryMail, control).pipe(
      Context.add(MailTransport, transport),
      Context.add(MailReader, reader)
    )
  })
)
