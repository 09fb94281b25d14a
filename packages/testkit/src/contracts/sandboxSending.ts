import { assert, it } from "@effect/vitest"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { OutgoingMessage, OutgoingReply } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Effect, type Scope } from "effect"
import { PERSONAS, writeReaction } from "@outbound/sandbox/world/Personas.js"
import { recipientOf } from "@outbound/sandbox/world/Reactions.js"
import { world } from "@outbound/sandbox/world/World.js"
import { freshId } from "./fixtures.js"

/** One way by which the sandbox's mail goes, and what comes back by it. */
export interface SandboxWay {
  readonly deliver: (message: OutgoingMessage) => Effect.Effect<void, ProviderFailure>
  readonly reply: (reply: OutgoingReply) => Effect.Effect<void, ProviderFailure>
  /** The next so many events that come back, once they are there. */
  readonly comesBack: (count: number) => Effect.Effect<ReadonlyArray<InboundEvent>>
  /** How many more are there by now. */
  readonly more: Effect.Effect<number>
}

export const messageTo = (to: string, over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  workspaceId: freshId(),
  campaignId: freshId(),
  campaignLeadId: freshId(),
  stepIndex: 0,
  mark: { header: "X-Lunedaki", value: "mark" },
  messageId: `${freshId()}@try-acme.example`,
  from: { address: "ada.byron@try-acme.example", name: "Ada Byron" },
  to: { address: to, name: null },
  subject: "A question ☎",
  text: "Hello,\n\nis <this> Zoë's {thing}?\n\nAda\n",
  references: [],
  unsubscribeUrl: "https://outbound.example/u/1/2",
  ...over
})

const replyOf = (text: string): OutgoingReply => ({
  workspaceId: freshId(),
  campaignId: freshId(),
  campaignLeadId: freshId(),
  messageId: `${freshId()}@try-acme.example`,
  from: { address: "ada.byron@try-acme.example", name: "Ada Byron" },
  to: "interested@magic.test",
  subject: "Re: A question",
  text,
  references: [`${freshId()}@magic.test`]
})

const lines = (text: string): string => text.replace(/\r\n/g, "\n").trim()

/** How the sandbox's people answer, whichever way their mail takes. */
export const sandboxSendingContract = (
  name: string,
  way: Effect.Effect<SandboxWay, never, Scope.Scope>,
  clock: "virtual" | "real"
): void => {
  const run = clock === "virtual" ? it.effect : it.live

  run(`sandbox mail (${name}): each persona answers the first message, in its own words, as itself`, () =>
    Effect.gen(function* () {
      const { comesBack, deliver, more } = yield* way
      const sent = PERSONAS.flatMap((persona) =>
        [0, 1, 2].map((n) => [persona, messageTo(`${persona}+${n}@magic.test`)] as const)
      )
      yield* Effect.forEach(sent, ([, message]) => deliver(message), { concurrency: 4 })
      const events = yield* comesBack(sent.length)
      for (const [persona, message] of sent) {
        const event = events.find(({ inReplyTo }) => inReplyTo === message.messageId)
        const { seed } = world()
        const said = writeReaction(seed, persona, message, recipientOf(world(), message.to.address)?.fullName ?? null)
        const isBounce = persona === "bounce"
        assert.deepInclude(event, {
          workspaceId: message.workspaceId,
          provider: "sandbox_sending",
          providerEventId: `${persona}:${message.messageId}`,
          kind: isBounce ? "bounce" : "reply",
          source: "provider_webhook",
          messageId: null,
          fromEmail: isBounce ? "mailer-daemon@magic.test" : message.to.address,
          toEmail: message.from.address,
          subject: said.subject,
          classification: persona
        })
        if (isBounce) assert.deepInclude(event?.bounce, { type: "hard", status: "5.1.1", reason: "user_unknown" })
        else assert.isNull(event?.bounce)
        assert.strictEqual(lines(event?.bodyText ?? ""), lines(said.text))
        assert.strictEqual(event?.bodyHtml === null, said.html === null)
      }
      assert.strictEqual(yield* more, 0)
    })
  )

  run(
    `sandbox mail (${name}): who is silent, and what follows in a thread, brings nothing; one message brings one event`,
    () =>
      Effect.gen(function* () {
        const { comesBack, deliver, more } = yield* way
        const again = messageTo("interested@magic.test")
        yield* deliver(messageTo("silent@magic.test"))
        yield* deliver(messageTo("nobody@elsewhere.example"))
        yield* deliver(messageTo("interested@magic.test", { stepIndex: 1 }))
        yield* deliver(messageTo("interested@magic.test", { references: [`${freshId()}@try-acme.example`] }))
        yield* deliver(again)
        yield* deliver(again)
        const [event] = yield* comesBack(1)
        assert.strictEqual(event?.inReplyTo, again.messageId)
        const rest = yield* comesBack(yield* more)
        assert.isTrue(rest.every(({ providerEventId }) => providerEventId === event?.providerEventId))
      })
  )

  run(`sandbox mail (${name}): an answer in a thread leaves, or its outcome is as uncertain as its words wish`, () =>
    Effect.gen(function* () {
      const { more, reply } = yield* way
      yield* reply(replyOf("Thursday it is."))
      for (const word of ["[[unknown]]", "[[fail]]"]) {
        const failure = yield* Effect.flip(reply(replyOf(`Well. ${word}`)))
        assert.strictEqual(failure.reason, "unknown_outcome")
      }
      assert.strictEqual(yield* more, 0)
    })
  )
}
