import { assert, layer } from "@effect/vitest"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { Effect, Layer, Option } from "effect"
import { freshId, NOON } from "../../src/contracts/fixtures.js"
import { givenLaunched, givenSending } from "../../src/contracts/outboundFixtures.js"
import { answered, answerer, approved } from "../../src/contracts/service/replyStories.js"
import { ok, SUITE } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { keyOf } from "../../src/memory/Table.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)
const EMAIL = "interested@magic.test"
const COLLEAGUE = "colleague@magic.test"
const WITHHELD = { subject: "", body_text: "[written by or to somebody else]" }

layer(service, SUITE)("one person's file, where others are near", (it) => {
  const fileOf = (workspaceId: string, email: string) =>
    Effect.flatMap(PersonFiles, ({ makeFor }) => makeFor(workspaceId, email))

  /** The stores' own fixtures hash addresses in another way than the service does. */
  const hashed = (workspaceId: string) =>
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const { atomically, write } = yield* Memory
      yield* atomically(
        write(({ leads }) => {
          for (const lead of leads.filter((one) => one.workspaceId === workspaceId))
            leads.set(keyOf(workspaceId, lead.campaignLeadId), {
              ...lead,
              addressHash: addressHashOf(crypto, workspaceId, lead.email)
            })
        })
      )
    })

  it.effect("says that somebody else wrote or was answered in their conversation, and not who or what", () =>
    Effect.gen(function* () {
      const client = yield* answerer()
      const { workspaceId } = client
      const { reply_id } = yield* answered(client, EMAIL)
      const { result } = ok(yield* (yield* approved(client, reply_id, "Thursday it is.")).send())
      const { atomically, write } = yield* Memory
      const between = (email: string) =>
        atomically(
          write(({ replies, sentReplies }) => {
            replies.update(keyOf(workspaceId, reply_id), (one) => ({
              ...one,
              fromEmail: email,
              bodyText: "I hear you."
            }))
            sentReplies.update(keyOf(workspaceId, result.sent_reply_id), (one) => ({ ...one, toEmail: email }))
          })
        )
      yield* between(EMAIL.toUpperCase())
      const own = yield* fileOf(workspaceId, EMAIL)
      assert.deepInclude(own.sections.replies[0], { from_email: EMAIL.toUpperCase(), body_text: "I hear you." })
      assert.deepInclude(own.sections.answers[0], { to_email: EMAIL.toUpperCase(), body_text: "Thursday it is." })
      yield* between(COLLEAGUE)
      const file = yield* fileOf(workspaceId, EMAIL)
      assert.deepInclude(file.sections.replies[0], { ...WITHHELD, from_email: "" })
      assert.deepInclude(file.sections.answers[0], { ...WITHHELD, to_email: "" })
      for (const theirs of [COLLEAGUE, "I hear you.", "Thursday it is."]) assert.notInclude(file.text, theirs)
    })
  )

  it.effect("holds each message as it was worded for them, in the campaign that it was of", () =>
    Effect.gen(function* () {
      const { mailboxes, workspaceId } = yield* givenSending(0)
      const worded = (word: string) => [
        {
          subject: `${word} one`,
          body: `${word} {{first_name}}`,
          waitDays: 0,
          otherVariants: [{ subject: `${word} two`, body: `${word} other {{first_name}}` }]
        },
        { subject: null, body: `${word} again`, waitDays: 3 }
      ]
      const campaigns = yield* Effect.forEach(["Red", "Blue"], (word) =>
        givenLaunched(workspaceId, mailboxes, ["ann@x.test", "bob@x.test"], {
          campaign: { sequence: worded(word) as never }
        })
      )
      yield* hashed(workspaceId)
      const { atomically, write } = yield* Memory
      yield* atomically(
        write(({ messages }) => {
          for (const { campaign, leads } of campaigns) {
            for (const [at, { campaignLeadId }] of leads.entries()) {
              for (const stepIndex of [0, 1]) {
                const messageId = freshId()
                messages.set(keyOf(workspaceId, messageId), {
                  workspaceId,
                  messageId,
                  campaignId: campaign.campaignId,
                  campaignLeadId,
                  mailboxId: mailboxes[0]!.mailboxId,
                  stepIndex,
                  variant: stepIndex === 0 ? 1 - at : null,
                  state: "sent",
                  claimedAtMillis: NOON + stepIndex,
                  sentAtMillis: NOON + stepIndex
                })
              }
            }
          }
        })
      )
      const { sections } = yield* fileOf(workspaceId, "ann@x.test")
      assert.sameDeepMembers(
        sections.messages.map(({ campaign_id, step_index, subject, text }) => [
          campaigns.findIndex(({ campaign }) => campaign.campaignId === campaign_id),
          step_index,
          subject,
          text
        ]),
        [
          [0, 0, "Red two", "Red other Ann"],
          [0, 1, "Re: Red two", "Red again"],
          [1, 0, "Blue two", "Blue other Ann"],
          [1, 1, "Re: Blue two", "Blue again"]
        ]
      )
      const other = yield* fileOf(workspaceId, "bob@x.test")
      assert.include(
        other.sections.messages.map(({ subject }) => subject),
        "Red one"
      )
    })
  )

  it.effect("is made of an address alone, and of nobody where there is no such workspace", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenSending(1)
      const refusal = yield* Effect.flip(fileOf(workspaceId, "no address"))
      assert.deepInclude(refusal, { _tag: "invalid_request" })
      assert.include(JSON.stringify(refusal), "must be an email address")
      assert.deepInclude(yield* Effect.flip(fileOf(freshId(), "ann@x.test")), { _tag: "not_found" })
      const file = yield* fileOf(workspaceId, "nobody@x.test")
      assert.isEmpty(file.sections.leads)
      assert.isEmpty(file.incomplete)
    })
  )

  it.effect("opens by a genuine link alone, and a person who asks to be erased gets no more mail", () =>
    Effect.gen(function* () {
      const { ask, behind } = yield* PersonFiles
      const crypto = yield* Crypto
      const { leads, workspaceId } = yield* givenSending(1)
      const { campaignLeadId, email } = leads[0]!
      yield* hashed(workspaceId)
      const genuine = { workspaceId, token: `${campaignLeadId}.${linkMac(crypto, workspaceId, campaignLeadId)}` }
      const unknown = freshId()
      const others = [
        { workspaceId, token: `${campaignLeadId}.${linkMac(crypto, workspaceId, unknown)}` },
        { workspaceId, token: `${unknown}.${linkMac(crypto, workspaceId, unknown)}` },
        { workspaceId: unknown, token: genuine.token }
      ]
      const suppressed = Effect.flatMap(SuppressionStore, (suppressions) =>
        suppressions.sourcesOf(workspaceId, addressHashOf(crypto, workspaceId, email), email)
      )
      for (const link of others) {
        assert.isTrue(Option.isNone(yield* behind(link)))
        for (const wish of ["access", "erasure"] as const) assert.isFalse(yield* ask(link, wish))
      }
      assert.isTrue(Option.isSome(yield* behind(genuine)))
      assert.isTrue(yield* ask(genuine, "access"))
      assert.isEmpty(yield* suppressed)
      assert.isTrue(yield* ask(genuine, "erasure"))
      assert.isNotEmpty(yield* suppressed)
    })
  )
})
