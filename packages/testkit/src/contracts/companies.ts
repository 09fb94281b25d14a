import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { DEFAULT_CAPS, type WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer } from "effect"
import { DAY, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { claimAt, claimsOf, end, givenLaunched, givenMailboxes, MIDNIGHT } from "./outboundFixtures.js"

const CLAIMERS = 4
const COMPANIES = 50
const WIDE = { ...DEFAULT_CAPS, dailySends: 10_000, mailboxDailySends: 10_000 }

const peopleOf = (company: string, count: number) =>
  Array.from({ length: count }, (_, index) => `person-${index}@${company}`)

const stops = { stopForCompany: true, launchedAtMillis: NOON }

/** The rules of campaigns about companies, in every store (contract: campaigns, companies). */
export const companiesContract = <E>(
  name: string,
  adapter: Layer.Layer<SendingStore | CampaignStore | ApprovalStore | UnitOfWork | WorkspaceStore, E>,
  /** How many answers run into claims. In memory transactions take turns, so a few say as much. */
  races: number
): void => {
  const stop = (workspaceId: string, company: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      return yield* atomically((yield* CampaignStore).stopCompany(workspaceId, company, NOON))
    })

  const emailsOf = (claims: Effect.Success<ReturnType<typeof claimsOf>>) =>
    claims.map(({ lead }) => lead.email).toSorted()

  it.layer(adapter, SUITE)(`companies (${name})`, (it) => {
    it.effect("a stop ends what the campaigns that have the rule send to the company, beneath its domain too", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace({ caps: WIDE })
        const [mailbox] = yield* givenMailboxes(workspaceId, 1)
        const emails = ["ann@acme.test", "bob@eu.acme.test", "cleo@other.test", "dan@gmail.com", "eve@gmail.com"]
        const launched = (campaign: object, people: ReadonlyArray<string> = emails) =>
          givenLaunched(workspaceId, [mailbox!], people, { campaign })
        const with_ = yield* launched(stops)
        yield* launched({}, ["fay@acme.test"])
        const locked = yield* stop(workspaceId, "acme.test")
        assert.deepStrictEqual(locked.map(({ email }) => email).toSorted(), ["ann@acme.test", "bob@eu.acme.test"])
        assert.isEmpty(yield* stop(workspaceId, "acme.test"))
        const stopped = yield* (yield* CampaignStore).stoppedCompanies(workspaceId, with_.campaign.campaignId)
        assert.deepStrictEqual([...stopped], ["acme.test"])
        const claimed = emailsOf(yield* claimsOf(workspaceId))
        assert.deepStrictEqual(claimed, ["cleo@other.test", "dan@gmail.com", "eve@gmail.com", "fay@acme.test"])
      })
    )

    it.effect("whom the stop left due is found forbidden, for that reason", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace({ caps: WIDE })
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        yield* givenLaunched(workspaceId, mailboxes, ["ann@acme.test", "cleo@other.test"], { campaign: stops })
        yield* stop(workspaceId, "acme.test")
        const { atomically } = yield* UnitOfWork
        const found = yield* atomically((yield* SendingStore).lockForbiddenDue(NOON, NOON - 30 * DAY, 1_000))
        const own = found.filter(({ lead }) => lead.workspaceId === workspaceId)
        assert.deepStrictEqual(
          own.map(({ lead, reason }) => [lead.email, reason]),
          [["ann@acme.test", "company_answered"]]
        )
      })
    )

    it.effect("a stop is no matter of drafts, of completed campaigns or of other workspaces", () =>
      Effect.gen(function* () {
        const people = ["ann@acme.test"]
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        yield* givenLaunched(workspaceId, mailboxes, people, { campaign: { ...stops, launchedAtMillis: null } })
        yield* givenLaunched(workspaceId, mailboxes, people, { campaign: { ...stops, state: "completed" } })
        assert.isEmpty(yield* stop(workspaceId, "acme.test"))
        const other = yield* givenWorkspace()
        yield* givenLaunched(other.workspaceId, yield* givenMailboxes(other.workspaceId, 1), people, {
          campaign: stops
        })
        yield* stop(workspaceId, "acme.test")
        assert.lengthOf(yield* claimsOf(other.workspaceId), 1)
      })
    )

    it.effect("claimers that run into answers claim nobody of a company after its stop", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const sending = yield* SendingStore
        let stoppedInTime = 0
        for (let round = 0; round * COMPANIES < races; round += 1) {
          const { workspaceId } = yield* givenWorkspace({ caps: WIDE })
          const mailboxes = yield* givenMailboxes(workspaceId, 2)
          const companies = Array.from({ length: COMPANIES }, (_, index) => `c${index}.test`)
          const people = companies.flatMap((company) => peopleOf(company, 3))
          const { campaign } = yield* givenLaunched(workspaceId, mailboxes, people, { campaign: stops })
          const sentTo = sending.sentToCompanies(workspaceId, campaign.campaignId, MIDNIGHT)
          // What an answer's transaction sees after its stop is all that the company ever gets.
          const seen = yield* Effect.all(
            [
              Effect.forEach(
                companies,
                (company) =>
                  atomically(
                    Effect.gen(function* () {
                      const locked = yield* campaigns.stopCompany(workspaceId, company, NOON)
                      yield* campaigns.removeLeads(
                        workspaceId,
                        locked.map(({ campaignLeadId }) => campaignLeadId)
                      )
                      return [company, (yield* sentTo).get(company) ?? 0] as const
                    })
                  ),
                { concurrency: 8 }
              ),
              Effect.replicateEffect(Effect.replicateEffect(claimAt(NOON, 8), 3), CLAIMERS, {
                concurrency: "unbounded"
              })
            ],
            { concurrency: "unbounded" }
          )
          yield* claimAt(NOON, 1_000)
          const after = yield* sentTo
          for (const [company, sent] of seen[0]) {
            assert.strictEqual(after.get(company) ?? 0, sent, company)
            if (sent < 3) stoppedInTime += 1
          }
        }
        assert.isAbove(stoppedInTime, 0)
      })
    )

    it.effect(
      "no company gets more than its share of a day, by claimers that run into each other, nor the next day",
      () =>
        Effect.gen(function* () {
          const { workspaceId } = yield* givenWorkspace({ caps: WIDE })
          const mailboxes = yield* givenMailboxes(workspaceId, 3)
          const people = ["acme.test", "other.test", "gmail.com"].flatMap((company) => peopleOf(company, 7))
          const { campaign } = yield* givenLaunched(workspaceId, mailboxes, people, {
            campaign: { maxPerCompanyPerDay: 3 }
          })
          const sending = yield* SendingStore
          const day = (nowMillis: number) =>
            Effect.gen(function* () {
              const rounds = Effect.replicateEffect(
                Effect.replicateEffect(claimsOf(workspaceId, nowMillis), 3),
                CLAIMERS,
                {
                  concurrency: "unbounded"
                }
              )
              const claims = (yield* rounds).flat(2)
              yield* Effect.forEach(claims, (claim) => end(claim, "sent", null, nowMillis), { discard: true })
              return claims.map(({ lead }) => lead.email.split("@")[1])
            })
          const countIn = (companies: ReadonlyArray<string | undefined>) =>
            ["acme.test", "other.test", "gmail.com"].map((company) => companies.filter((one) => one === company).length)
          assert.deepStrictEqual(countIn(yield* day(NOON)), [3, 3, 7])
          assert.deepStrictEqual(
            yield* sending.sentToCompanies(workspaceId, campaign.campaignId, MIDNIGHT),
            new Map([
              ["acme.test", 3],
              ["other.test", 3]
            ])
          )
          assert.deepStrictEqual(countIn(yield* day(NOON + DAY)), [3, 3, 0])
          assert.deepStrictEqual(countIn(yield* day(NOON + 2 * DAY)), [1, 1, 0])
        })
    )

    it.effect("a company that had its share keeps nobody else back", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace({ caps: WIDE })
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const people = [...peopleOf("acme.test", 40), "cleo@other.test"]
        yield* givenLaunched(workspaceId, mailboxes, people, { campaign: { maxPerCompanyPerDay: 1 } })
        const claimed: Array<string> = []
        for (let turn = 0; turn < 3; turn += 1) {
          const claims = yield* claimAt(NOON, 2)
          claimed.push(
            ...claims.filter(({ message }) => message.workspaceId === workspaceId).map(({ lead }) => lead.email)
          )
        }
        assert.deepStrictEqual(claimed.map((email) => email.split("@")[1]).toSorted(), ["acme.test", "other.test"])
      })
    )
  })
}
