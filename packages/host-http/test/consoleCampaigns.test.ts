import { assert, describe, it } from "@effect/vitest"
import { campaignOutcomes } from "@outbound/domain/control/outcomes/outcomesOf.js"
import { HoldoutStore } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { keyOf } from "@outbound/testkit/memory/Table.js"
import { makeCampaignMarks } from "@outbound/domain/outreach/evidence/campaignMarks.js"
import { Clock, Effect } from "effect"
import { Desk } from "./support/Desk.js"
import { varied } from "./support/Varied.js"
import { furnished, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000

/** A running campaign that was approved with two mailboxes; the workspace has a third one. */
const running = Effect.gen(function* () {
  const { ours } = yield* Desk
  const { campaignId, draftId } = yield* furnished
  const memory = yield* Memory
  const key = keyOf(ours.workspaceId, campaignId)
  const boxes = yield* memory.read(({ mailboxes }) =>
    mailboxes.filter(({ state, workspaceId }) => workspaceId === ours.workspaceId && state === "active")
  )
  const [added, ...shown] = boxes
  yield* memory.atomically(
    memory.write(({ campaignMailboxes }) =>
      campaignMailboxes.set(key, new Set(shown.map(({ mailboxId }) => mailboxId)))
    )
  )
  const bound = memory.read(({ campaignMailboxes }) => campaignMailboxes.get(key) ?? new Set<string>())
  return { ours, path: `/console/campaigns/${campaignId}`, added: added!, shown, bound, draftId }
})

describe("what a campaign brought, in the console", () => {
  it.live("is what get_campaign says, with each outcome's cost, and what is not known without a holdout", () =>
    run(
      Effect.gen(function* () {
        const { ours, path } = yield* running
        const holdouts = yield* HoldoutStore
        const told = yield* campaignOutcomes(holdouts)(ours.workspaceId, path.split("/").at(-1) ?? "")
        const page = (yield* (yield* visitor(ours)).get(path)).text
        const section = page.slice(
          page.indexOf('id="outcomes"'),
          page.indexOf("</section>", page.indexOf('id="outcomes"'))
        )
        assert.include(section, "What it brought")
        assert.include(section, "not known whether they would have come anyway")
        assert.include(section, `${told.people_written} `)
        for (const { credits_each, people } of told.brought) {
          assert.include(section, `>${people}<`)
          if (credits_each !== null) assert.include(section, credits_each)
        }
        assert.isAbove(told.people_written, 0)
      })
    )
  )

  it.live("is compared with those held out, with an interval", () =>
    run(
      Effect.gen(function* () {
        const { draftId, ours } = yield* running
        const memory = yield* Memory
        const key = (id: string) => keyOf(ours.workspaceId, id)
        yield* memory.atomically(
          memory.write(({ arms, holdouts, leads }) => {
            holdouts.insert(key(draftId), { percent: 50, seed: "a".repeat(64), drawnAtMillis: 0 })
            leads
              .where("campaign", key(draftId))
              .forEach(({ campaignLeadId }, index) => arms.insert(key(campaignLeadId), index % 2 === 0))
          })
        )
        const page = (yield* (yield* visitor(ours)).get(`/console/campaigns/${draftId}`)).text
        for (const words of ["Compared with those held out", "(50 %) held out", "nothing is proven", "points"]) {
          assert.include(page, words)
        }
        assert.notInclude(page, "not known whether")
      })
    )
  )
})

describe("where a campaign's values come from, in the console", () => {
  it.live("marks all of them, and each person's, as get_campaign and list_leads do", () =>
    run(
      Effect.gen(function* () {
        const { draftId, ours, path } = yield* running
        const memory = yield* Memory
        const now = yield* Clock.currentTimeMillis
        const marks = yield* makeCampaignMarks
        const campaignId = path.split("/").at(-1) ?? ""
        const campaign = yield* memory.read(({ campaigns }) => campaigns.get(keyOf(ours.workspaceId, campaignId))!)
        const { evidence } = yield* marks.counts(campaign, now)
        const us = yield* visitor(ours)
        const page = (yield* us.get(path)).text
        const section = page.slice(
          page.indexOf('id="evidence"'),
          page.indexOf("</section>", page.indexOf('id="evidence"'))
        )
        assert.deepStrictEqual([evidence?.proven, evidence?.old], [9, 3])
        for (const mark of ["proven", "old", "without_proof"] as const) {
          assert.include(section, `<td>${mark.replace("_", " ")}</td><td class="number">${evidence?.[mark]}</td>`)
        }
        assert.notInclude(section, "not found")
        // The fourth of each four has an old statement; nobody gave evidence of first names.
        assert.strictEqual(page.split("old: Company").length - 1, 3)
        assert.include(page, "without proof: First name")
        assert.notInclude((yield* us.get(`/console/campaigns/${draftId}`)).text, 'id="evidence"')
      })
    )
  )
})

describe("the mailboxes of a campaign in the console", () => {
  it.live("an owner with a fresh sign-in adds one, and the page and the trail say so", () =>
    run(
      Effect.gen(function* () {
        const { added, bound, ours, path, shown } = yield* running
        const owner = yield* visitor(ours)
        const before = (yield* owner.get(path)).text
        for (const { address } of shown) assert.include(before, `<li>${address}</li>`)
        assert.include(before, "Doesn’t send from")
        assert.include(before, `value="${added.mailboxId}"`)

        const done = yield* owner.post(`${path}/mailboxes`, { mailbox: added.mailboxId })
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, path])
        assert.isTrue((yield* bound).has(added.mailboxId))
        const after = (yield* owner.get(path)).text
        assert.include(after, `<li>${added.address}</li>`)
        assert.notInclude(after, "Doesn’t send from")
        assert.include((yield* owner.get("/console/trail?kind=mailbox_active")).text, added.address)
      })
    )
  )

  it.live("no member, no owner with an older sign-in, no forged form and nobody else adds one", () =>
    run(
      Effect.gen(function* () {
        const { added, bound, ours, path } = yield* running
        const { theirs } = yield* Desk
        const form = { mailbox: added.mailboxId }
        const to = `${path}/mailboxes`
        const member = yield* visitor(ours, "member")
        assert.strictEqual((yield* member.post(to, form)).status, 403)
        assert.notInclude((yield* member.get(path)).text, `value="${added.mailboxId}"`)
        const stale = yield* visitor(ours, "owner", 6 * MINUTE)
        const answer = yield* stale.post(to, form)
        assert.strictEqual(answer.status, 403)
        assert.include(answer.text, "Sign in again")
        const owner = yield* visitor(ours)
        assert.strictEqual((yield* owner.post(to, { ...form, csrf: "forged" })).status, 403)
        assert.strictEqual((yield* owner.post(to, { mailbox: "nothing" })).status, 400)
        const stranger = yield* visitor(theirs)
        assert.strictEqual((yield* stranger.post(to, form)).status, 404)
        assert.isFalse((yield* bound).has(added.mailboxId))
      })
    )
  )
})

describe("how far the people of a campaign got, in the console", () => {
  it.live("its page says it of the campaign, of each message and variant, and by day, in bars and in words", () =>
    run(
      Effect.gen(function* () {
        const { draftId, ours, path } = yield* running
        const member = yield* visitor(ours, "member")
        const { text } = yield* member.get(path)
        const plain = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
        assert.include(plain, "64 in the campaign")
        assert.include(plain, "39 written to")
        assert.include(plain, "37 reached")
        assert.include(plain, "6 replied · 15.4 % of those written to")
        assert.include(plain, "1 with a meeting")
        assert.include(plain, "1, variant A 20 20")
        assert.include(plain, "1, variant B 20 19")
        assert.match(text, /<svg[^>]*role="img"[^>]*aria-labelledby="day-0-title"[^>]*aria-describedby="day-0-desc"/)
        assert.include(text, '<title id="day-0-title">Sent by day</title>')
        assert.match(plain, /39 messages sent in all; most on/)
        assert.match(plain, /As a table Day \(UTC\) Sent Replied Bounced/)
        const none = (yield* member.get(`/console/campaigns/${draftId}`)).text
        assert.include(none, "How far people got")
        assert.notInclude(none, "Day by day")
      })
    )
  )

  it.live("a person is listed with the variant and the time of their last message, and with their status", () =>
    run(
      Effect.gen(function* () {
        const { ours, path } = yield* running
        const member = yield* visitor(ours, "member")
        const found = (yield* member.get(`${path}?q=marta.lindqvist.1@`)).text
        assert.include(found, "Meeting booked")
        assert.include(found, "variant A")
        const other = (yield* member.get(`${path}?state=bounced`)).text
        assert.notInclude(other, "Meeting booked")
      })
    )
  )
})

describe("variants of a message in the console", () => {
  it.live("the page counts each, says what the answers prove, and a member chooses one", () =>
    run(
      Effect.gen(function* () {
        const { chosen, ours, path } = yield* varied
        const member = yield* visitor(ours, "member")
        const before = (yield* member.get(path)).text
        assert.include(before, "Variant B brings more replies.")
        assert.include(before, "B for &lt;b>")
        const done = yield* member.post(`${path}/variants`, { step: "1", variant: "B" })
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, `${path}#steps`])
        assert.deepStrictEqual((yield* chosen)?.slice(0, 2), [1, null])
        const after = (yield* member.get(path)).text
        assert.include(after, "Everybody who has yet to get this message gets variant B.")
        assert.notInclude(after, "brings more replies")
        assert.notInclude(after, "Send only variant B")
        assert.include((yield* member.get("/console/settings/history")).text, "Variant of a message chosen")
      })
    )
  )

  it.live("what is no variant is refused, and so is a forged form; nothing is chosen", () =>
    run(
      Effect.gen(function* () {
        const { chosen, ours, path } = yield* varied
        const member = yield* visitor(ours, "member")
        const forms = [
          {},
          { step: "1" },
          { step: "0", variant: "A" },
          { step: "1", variant: "C" },
          { step: "2", variant: "A" }
        ]
        for (const form of forms) {
          assert.strictEqual((yield* member.post(`${path}/variants`, form)).status, 400, JSON.stringify(form))
        }
        const forged = { step: "1", variant: "B", csrf: "forged" }
        assert.strictEqual((yield* member.post(`${path}/variants`, forged)).status, 403)
        assert.isNull(yield* chosen)
      })
    )
  )
})
