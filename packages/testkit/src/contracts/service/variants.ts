import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control } from "@outbound/domain/control/Control.js"
import { VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import { Effect, type Layer, Option } from "effect"
import { type Client, decide } from "../../service/Client.js"
import { add, askLeads, idOf, NO_ID } from "./addLeadsSupport.js"
import { refusedBy, signIn } from "./controlSupport.js"
import { ALWAYS, ownPass, type OwnService, people, taken, team } from "./ownStories.js"
import { askLaunch, deliveries, draft, launch, ok, pass, refused, sender, silent, SUITE } from "./stories.js"

const LETTERS = ["A", "B", "C"]

const SEQUENCE: ReadonlyArray<JsonObject> = [
  { variants: LETTERS.map((letter) => ({ subject: `Subject ${letter}`, body: `Body ${letter}` })) },
  { variants: ["A", "B"].map((letter) => ({ body: `Again ${letter}` })), wait_days: 2 }
]

interface Mail {
  readonly to: { readonly address: string }
  readonly subject: string
  readonly text: string
}

/** The variants of the messages that each person got, in order; that a thread keeps its subject is checked. */
const variantsBy = (mails: ReadonlyArray<Mail>): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const { subject, text, to } of mails) {
    const variant = /^(?:Body|Again) ([A-C])/.exec(text)?.[1] ?? "?"
    const before = found[to.address]
    assert.strictEqual(subject, before === undefined ? `Subject ${variant}` : `Re: Subject ${before[0] ?? ""}`)
    found[to.address] = `${before ?? ""}${variant}`
  }
  return found
}

interface StepRow {
  readonly step: number
  readonly variant: string | null
  readonly sent: number
}

const countsOf = (found: Readonly<Record<string, string>>) => {
  const counts = new Map<string, number>()
  for (const variants of Object.values(found)) {
    for (const [index, variant] of [...variants].entries()) {
      counts.set(`${index + 1}${variant}`, (counts.get(`${index + 1}${variant}`) ?? 0) + 1)
    }
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const shownCounts = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (answer) =>
    ok(answer).result.steps.map(({ sent, step, variant }: StepRow) => [`${step}${variant ?? ""}`, sent])
  )

const linesOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("list_leads", { campaign_id }), (answer) =>
    Object.fromEntries(
      ok(answer).result.leads.map(({ email, variant }: { email: string; variant: string | null }) => [email, variant])
    )
  )

const choose = (client: Client, campaignId: string, stepIndex: number, variant: number) =>
  Effect.gen(function* () {
    const { choose: chooseAs } = yield* VariantChoice
    yield* chooseAs(yield* signIn(client.ownerEmail), { campaignId, stepIndex, variant })
  })

/** Variants of a step (contract: campaigns, variants). */
export const variantsContract = <E>(name: string, service: Layer.Layer<OwnService | VariantChoice | Control, E>) => {
  describeLayer(service, SUITE)(`variants of a step (${name})`, (it) => {
    it.effect("chance gives each person theirs, whole threads stay theirs, and every count is by variant", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { campaign_id } = (yield* draft(client, { recipients: silent(24), sequence: SEQUENCE })).result
        const shown = yield* askLaunch(client, campaign_id)
        const { approval } = Option.getOrThrow(
          yield* (yield* Console).approval(client.workspaceId, idOf(shown.result.approval_url))
        )
        assert.deepInclude(approval.snapshot, {
          steps: [
            {
              subject: "Subject A",
              body: "Body A",
              wait_days: 0,
              other_variants: ["B", "C"].map((one) => ({ subject: `Subject ${one}`, body: `Body ${one}` }))
            },
            { subject: null, body: "Again A", wait_days: 2, other_variants: [{ subject: null, body: "Again B" }] }
          ]
        })
        yield* launch(client, campaign_id)
        yield* pass("5 seconds")
        const first = variantsBy(yield* deliveries(campaign_id))
        assert.lengthOf(Object.keys(first), 24)
        // The chance that one of three is given to none of 24 is 2 in 10,000; the people are always the same.
        assert.sameMembers([...new Set(Object.values(first).map((one) => one[0]))], LETTERS)
        assert.deepStrictEqual(yield* shownCounts(client, campaign_id), countsOf(first))
        for (const [email, variant] of Object.entries(yield* linesOf(client, campaign_id))) {
          assert.strictEqual(variant, first[email]?.at(-1), email)
        }
      })
    )

    it.effect("a chosen variant is sent to all who have yet to get it; threads under way keep their subject", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const { client } = owner
        const body = { recipients: people(12, "v"), sequence: SEQUENCE, schedule: ALWAYS }
        const { campaign_id } = (yield* draft(client, body)).result
        yield* refusedBy("invalid", choose(client, campaign_id, 0, 1))
        yield* launch(client, campaign_id)
        yield* ownPass("2 hours")
        const before = variantsBy((yield* taken(owner)).map(({ mail }) => mail))
        const early = Object.keys(before)
        assert.isTrue(early.length > 0 && early.length < 12)

        yield* choose(client, campaign_id, 0, 2)
        yield* choose(client, campaign_id, 1, 1)
        yield* choose(client, campaign_id, 1, 1)
        yield* refusedBy("invalid", choose(client, campaign_id, 0, 3))
        yield* refusedBy("invalid", choose(client, campaign_id, 2, 0))
        yield* refusedBy("not_found", choose(client, NO_ID, 0, 0))
        const log = yield* (yield* Control).history(yield* signIn(client.ownerEmail), null)
        const chosen = log.filter(({ action }) => action === "choose_variant")
        assert.deepStrictEqual(
          chosen.map(({ after, before: old }) => [old, after]),
          [
            [
              { campaign: "Story", step: 2, variant: "by chance" },
              { campaign: "Story", step: 2, variant: "B" }
            ],
            [
              { campaign: "Story", step: 1, variant: "by chance" },
              { campaign: "Story", step: 1, variant: "C" }
            ]
          ]
        )

        yield* ownPass("96 hours", "30 minutes")
        const after = variantsBy((yield* taken(owner)).map(({ mail }) => mail))
        assert.lengthOf(Object.keys(after), 12)
        for (const [email, variants] of Object.entries(after)) {
          assert.strictEqual(variants, `${before[email] ?? "C"}B`, email)
        }
        assert.deepStrictEqual(yield* shownCounts(client, campaign_id), countsOf(after))
      })
    )

    it.effect("an open request showed the other variants too, so a choice changes what was approved", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const { client } = owner
        const body = { recipients: people(2, "w"), sequence: SEQUENCE, schedule: ALWAYS }
        const { campaign_id } = (yield* draft(client, body)).result
        yield* launch(client, campaign_id)
        const more = people(2, "x")
        const asked = yield* askLeads(client, campaign_id, more)
        yield* choose(client, campaign_id, 0, 0)
        const { approval_url, confirmation_token } = asked
        yield* decide(client, approval_url, "approve")
        const late = add(client, campaign_id, { leads: more, confirmation_token })
        refused(yield* late, 409, "approval_changed", { approval_url })
        const again = yield* askLeads(client, campaign_id, more)
        const { approval } = Option.getOrThrow(
          yield* (yield* Console).approval(client.workspaceId, idOf(again.approval_url))
        )
        assert.deepStrictEqual("steps" in approval.snapshot ? approval.snapshot.steps[0] : null, {
          subject: "Subject A",
          body: "Body A",
          wait_days: 0
        })
      })
    )
  })
}
