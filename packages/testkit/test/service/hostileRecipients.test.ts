import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Effect, Layer, Random, TestClock } from "effect"
import { readAndApply } from "../../src/contracts/service/mailReading.js"
import { ALWAYS, campaign, ownPass, taken, team, THURSDAY } from "../../src/contracts/service/ownStories.js"
import { SUITE, trailOf } from "../../src/contracts/service/stories.js"
import { rounds } from "../../src/contracts/thorough.js"
import { MailBehaviour, MemoryMail } from "../../src/mail/MemoryMail.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { layerMemory } from "../../src/service/Service.js"

/** What a hostile recipient does; each campaign has one of each, in an order that its seed decides. */
const HOSTILE = ["policy", "forges", "reports", "floods", "loops"] as const
const HONEST_COUNT = 7

const FLOOD = 12

const report = (recipient: string, status: string, quoted: string): Partial<PostOffice.Letter> => ({
  report: {
    type: "delivery-status",
    parts: [
      {
        type: "message/delivery-status",
        text: `Reporting-MTA: dns; b.test\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: ${status}`
      },
      { type: "text/rfc822-headers", text: quoted }
    ]
  }
})

/** One campaign among people of whom five are hostile, to its end. */
const simulated = (seed: number) =>
  Effect.gen(function* () {
    const office = yield* PostOffice.PostOffice
    const mail = yield* MemoryMail
    const campaigns = yield* CampaignStore
    yield* TestClock.setTime(THURSDAY + seed * 40 * 86_400_000)
    const owner = yield* team(1)
    const honest = Array.from({ length: HONEST_COUNT }, (_, at) => `honest${at}-${seed}@h${at % 3}.test`)
    const hostile = HOSTILE.map((does) => `${does}-${seed}@${does}.test`)
    const order = yield* Random.shuffle([...honest, ...hostile]).pipe(Effect.withRandom(Random.make(seed)))
    yield* mail.refuseTo(
      `policy-${seed}@policy.test`,
      MailBehaviour.Refuse({ phase: "recipient", code: 554, status: "5.7.1", reason: "account" })
    )
    const campaign_id = yield* campaign(owner, {
      recipients: [...order].map((email) => ({ email })),
      sequence: [{ subject: "Hello", body: "Hi" }],
      schedule: ALWAYS
    })
    const answered = new Set<string>()
    for (let pass = 0; pass < 60; pass += 1) {
      yield* ownPass("30 minutes", "30 minutes")
      const sent = (yield* taken(owner)).map((one) => one.mail)
      for (const own of sent) {
        const from = own.to.address
        const [does = ""] = from.split("-")
        if (answered.has(from) || !from.endsWith(`@${does}.test`)) continue
        answered.add(from)
        const to = owner.addresses[0] ?? ""
        const daemon = `mailer-daemon@${does}.test`
        if (does === "forges") {
          // Ids that it guesses, with the one mark that it knows.
          for (let guess = 0; guess < FLOOD; guess += 1) {
            const id = `${String(guess).padStart(8, "0")}-0000-7000-8000-000000000000`
            const quoted = `Message-ID: <${id}@acme.test>\nX-Outbound-Mark: ${own.mark}`
            yield* office.deliver(to, { from: daemon, text: "No.", ...report(from, "5.1.1", quoted) })
          }
        }
        const quoted = `Message-ID: <${own.messageId}>\nX-Outbound-Mark: ${own.mark}`
        if (does === "reports") {
          for (const status of ["5.7.1", "5.7.133", "5.7.1", "4.7.1"]) {
            yield* office.deliver(to, { from: daemon, text: "Refused.", ...report(from, status, quoted) })
          }
        }
        for (let at = 0; at < FLOOD; at += 1) {
          const reply = {
            from,
            text: `Message ${at}`,
            inReplyTo: own.messageId,
            messageId: `${seed}-${does}-${at}@x.test`
          }
          if (does === "floods") yield* office.deliver(to, reply)
          if (does === "loops") {
            yield* office.deliver(to, { ...reply, head: [["Auto-Submitted", "auto-replied"]] })
          }
        }
      }
      yield* readAndApply
    }
    const reached = (yield* taken(owner)).map((one) => one.mail.to.address)
    const told = yield* trailOf(owner.client, { campaign_id, kind: "stop,suppressed,removed" })
    const paused = yield* trailOf(owner.client, { kind: "mailbox_paused,paused" })
    const waiting = yield* campaigns.leadsIn(owner.client.workspaceId, campaign_id, ["pending", "ready"])
    return { honest, reached, told, paused, waiting }
  }).pipe(Effect.orDie)

describeLayer(Layer.provideMerge(PostOffice.layer, layerMemory), SUITE)("campaigns with hostile recipients", (it) => {
  it.effect(
    "no lead but the sender's own is touched, nothing pauses, and everybody else is written to",
    () =>
      Effect.gen(function* () {
        for (let seed = 1; seed <= rounds(40, 2); seed += 1) {
          const { honest, paused, reached, told, waiting } = yield* simulated(seed)
          assert.isEmpty(paused, `seed ${seed}`)
          assert.isEmpty(
            told.filter(({ email }) => honest.includes(email ?? "")),
            `seed ${seed}`
          )
          for (const email of honest) assert.strictEqual(reached.filter((one) => one === email).length, 1, email)
          // Nobody is left waiting for the first message.
          assert.isEmpty(waiting, `seed ${seed}`)
        }
      }),
    { timeout: 900_000 }
  )
})
