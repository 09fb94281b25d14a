import { assert, layer as describeLayer } from "@effect/vitest"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control } from "@outbound/domain/control/Control.js"
import { makeWinnerHandler, VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { winnerJob } from "@outbound/domain/outreach/campaigns/winnerRule.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { MemoryWork } from "../../memory/MemoryWork.js"
import { type Answered, type Client, decide } from "../../service/Client.js"
import { add, askLeads, campaignOf, idOf } from "./addLeadsSupport.js"
import { colleague, type ControlOnStores, refusedBy, signIn } from "./controlSupport.js"
import { alter } from "./launch.js"
import { askLaunch, deliveries, draft, freshKey, ok, pass, refused, sender, silent, SUITE, work } from "./stories.js"

const VARIED = [{ variants: ["A", "B"].map((letter) => ({ subject: `Subject ${letter}`, body: `Body ${letter}` })) }]

/** So many answers to one variant, and none to the other, are a proof; one fewer are not. */
const PROOF = 12

/** Sent on the first day, of whom at least `PROOF` got the same variant; the others wait for the next day. */
const FIRST_DAY = 25
const PEOPLE = 32

type RuleService = ControlOnStores | VariantChoice | Inbound | MemoryWork

const variantOf = ({ text }: OutgoingMessage): number => (text.startsWith("Body B") ? 1 : 0)

/** Launches what was approved. */
const execute = (client: Client, campaign_id: string, { confirmation_token }: Answered["result"]) =>
  Effect.map(client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }), ok)

/** A launched campaign whose first message goes out in two variants, and who got the one that most got. */
const launchedWith = (winnerRule: boolean, client: Client) =>
  Effect.gen(function* () {
    const { campaign_id } = (yield* draft(client, { recipients: silent(PEOPLE), sequence: VARIED })).result
    const { result } = yield* askLaunch(client, campaign_id)
    yield* decide(client, result.approval_url, "approve", { winnerRule })
    yield* execute(client, campaign_id, result)
    yield* pass("5 seconds")
    const sent = yield* deliveries(campaign_id)
    assert.lengthOf(sent, FIRST_DAY)
    const ofB = sent.filter((message) => variantOf(message) === 1)
    const better = ofB.length > FIRST_DAY / 2 ? 1 : 0
    const got = sent.filter((message) => variantOf(message) === better)
    return { campaignId: campaign_id as string, approvalId: idOf(result.approval_url), better, got }
  })

const varied = (winnerRule: boolean) =>
  Effect.gen(function* () {
    const client = yield* sender(FIRST_DAY)
    return { client, ...(yield* launchedWith(winnerRule, client)) }
  })

/** They answer, and hosts do what follows. */
const answer = (messages: ReadonlyArray<OutgoingMessage>) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    const receivedAtMillis = yield* Clock.currentTimeMillis
    yield* inbound.receive(
      messages.map((message) => ({
        workspaceId: message.workspaceId,
        provider: "test",
        providerEventId: message.messageId,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: message.messageId,
        messageId: null,
        fromEmail: message.to.address,
        toEmail: null,
        subject: "Re: Subject",
        bodyText: "Tell me more",
        bodyHtml: null,
        classification: "interested",
        bounce: null,
        receivedAtMillis
      }))
    )
    yield* pass("2 seconds")
  })

const chosen = (client: Client, campaignId: string) =>
  Effect.map(campaignOf(client, campaignId), ({ chosenVariants }) => chosenVariants?.[0] ?? null)

/** What the control log says of choices and of the rule, oldest first. */
const logged = (client: Client) =>
  Effect.gen(function* () {
    const log = yield* (yield* Control).history(yield* signIn(client.ownerEmail), null)
    return log.filter(({ action }) => action === "choose_variant" || action === "set_winner_rule").toReversed()
  })

const choiceBy = (client: Client) =>
  Effect.map(VariantChoice, ({ choose, switchRuleOff }) => ({
    choose: (campaignId: string, variant: number) =>
      Effect.flatMap(signIn(client.ownerEmail), (by) => choose(by, { campaignId, stepIndex: 0, variant })),
    switchRuleOff: (campaignId: string) =>
      Effect.flatMap(signIn(client.ownerEmail), (by) => switchRuleOff(by, campaignId))
  }))

const shownIn = (client: Client, approvalUrl: string) =>
  Effect.gen(function* () {
    const found = yield* (yield* Console).approval(client.workspaceId, idOf(approvalUrl))
    const { snapshot } = Option.getOrThrow(found).approval
    return "winner_rule" in snapshot ? snapshot.winner_rule : undefined
  })

const LETTERS = ["A", "B"]

/** A rule that people approve, and that chooses a variant (contract: campaigns, variants). */
export const winnerRuleContract = <E>(name: string, service: Layer.Layer<RuleService, E>) => {
  describeLayer(service, SUITE)(`the rule that chooses variants (${name})`, (it) => {
    it.effect("chooses once the answers are a proof, and not before; who is still to be written to gets that one", () =>
      Effect.gen(function* () {
        const { approvalId, better, campaignId, client, got } = yield* varied(true)
        const { winnerRule } = yield* campaignOf(client, campaignId)
        assert.deepInclude(winnerRule, { isOn: true, approvalId, choices: [] })
        yield* answer(got.slice(0, PROOF - 1))
        assert.isNull(yield* chosen(client, campaignId))
        yield* answer(got.slice(PROOF - 1, PROOF))
        assert.strictEqual(yield* chosen(client, campaignId), better)
        yield* answer(got.slice(PROOF))
        yield* pass("24 hours", "1 hour")
        const late = (yield* deliveries(campaignId)).slice(FIRST_DAY)
        assert.lengthOf(late, PEOPLE - FIRST_DAY)
        assert.deepStrictEqual([...new Set(late.map(variantOf))], [better])

        const answers = better === 0 ? [PROOF, 0] : [0, PROOF]
        const now = (yield* campaignOf(client, campaignId)).winnerRule
        assert.deepStrictEqual(
          now?.choices.map(({ atMillis: _, ...choice }) => choice),
          [{ stepIndex: 0, variant: better, answers }]
        )
        const [approved, choice, ...more] = yield* logged(client)
        assert.isEmpty(more)
        assert.deepInclude(approved, { action: "set_winner_rule", direction: "loosen" })
        assert.strictEqual(approved?.actor.kind, "user")
        assert.deepInclude(choice, { action: "choose_variant", actor: { kind: "rule", approvalId } })
        assert.deepStrictEqual(choice?.after, {
          campaign: "Story",
          step: 1,
          variant: LETTERS[better],
          answers: answers.map((count, index) => `${LETTERS[index]} ${count}`),
          evidence: 25.4,
          evidence_needed: 20
        })
      })
    )

    it.effect("unless it was approved, answers choose nothing; nor is it approved where the request offers none", () =>
      Effect.gen(function* () {
        const { campaignId, client, got } = yield* varied(false)
        yield* answer(got)
        assert.isNull(yield* chosen(client, campaignId))
        const plain = (yield* draft(client, { recipients: silent(1, "plain") })).result.campaign_id
        const { result } = yield* askLaunch(client, plain)
        assert.isUndefined(yield* shownIn(client, result.approval_url))
        yield* decide(client, result.approval_url, "approve", { winnerRule: true })
        yield* execute(client, plain, result)
        assert.isNull((yield* campaignOf(client, plain)).winnerRule)
        assert.isEmpty(yield* logged(client))
      })
    )

    it.effect("of a campaign that was stopped for good, answers choose nothing", () =>
      Effect.gen(function* () {
        const { campaignId, client, got } = yield* varied(true)
        yield* alter(client, campaignId, { state: "paused", pauseReason: "killed" })
        yield* answer(got)
        assert.isNull(yield* chosen(client, campaignId))
        assert.deepStrictEqual((yield* campaignOf(client, campaignId)).winnerRule?.choices, [])
      })
    )

    it.effect("a person's choice comes first, before the rule's and after it", () =>
      Effect.gen(function* () {
        const first = yield* varied(true)
        const by = yield* choiceBy(first.client)
        yield* by.choose(first.campaignId, 1 - first.better)
        yield* answer(first.got)
        assert.strictEqual(yield* chosen(first.client, first.campaignId), 1 - first.better)
        assert.deepStrictEqual((yield* campaignOf(first.client, first.campaignId)).winnerRule?.choices, [])

        const second = yield* varied(true)
        yield* answer(second.got.slice(0, PROOF))
        yield* (yield* choiceBy(second.client)).choose(second.campaignId, 1 - second.better)
        yield* answer(second.got.slice(PROOF))
        assert.strictEqual(yield* chosen(second.client, second.campaignId), 1 - second.better)
        yield* pass("24 hours", "1 hour")
        const late = (yield* deliveries(second.campaignId)).slice(FIRST_DAY)
        assert.deepStrictEqual([...new Set(late.map(variantOf))], [1 - second.better])
      })
    )

    it.effect(
      "only an owner switches it off; more people's approval switches it on, and what there is then suffices",
      () =>
        Effect.gen(function* () {
          const { better, campaignId, client, got } = yield* varied(true)
          const owner = yield* signIn(client.ownerEmail)
          const { switchRuleOff } = yield* VariantChoice
          const { underWinnerRule } = yield* CampaignStore
          // What the sweeps announce again, should a job be lost with a backup.
          const isSwept = Effect.map(underWinnerRule(1_000), (found) =>
            found.some((one) => one.campaignId === campaignId)
          )
          assert.isTrue(yield* isSwept)
          yield* refusedBy("owner_required", switchRuleOff(yield* colleague(owner), campaignId))
          yield* switchRuleOff(owner, campaignId)
          yield* switchRuleOff(owner, campaignId)
          assert.isFalse(yield* isSwept)
          yield* answer(got)
          assert.isNull(yield* chosen(client, campaignId))
          assert.deepStrictEqual(
            (yield* logged(client)).map(({ after }) => after["rule"]),
            ["on once the request is executed", "off"]
          )
          const leads = silent(1, "more")
          const { approval_url, confirmation_token } = yield* askLeads(client, campaignId, leads)
          assert.deepStrictEqual(yield* shownIn(client, approval_url), { is_on: false, false_winners_percent: 5 })
          yield* decide(client, approval_url, "approve", { winnerRule: true })
          ok(yield* add(client, campaignId, { leads, confirmation_token }))
          yield* pass("2 seconds")
          assert.strictEqual(yield* chosen(client, campaignId), better)
          const { winnerRule } = yield* campaignOf(client, campaignId)
          assert.deepInclude(winnerRule, { isOn: true, approvalId: idOf(approval_url) })
        })
    )

    it.effect("what an open request showed is changed by the rule's choice, and by switching it off", () =>
      Effect.gen(function* () {
        const { campaignId, client, got } = yield* varied(true)
        const leads = silent(1, "open")
        const late = (asked: { readonly approval_url: string; readonly confirmation_token: string }) =>
          Effect.gen(function* () {
            yield* decide(client, asked.approval_url, "approve", { winnerRule: true })
            const { approval_url, confirmation_token } = asked
            const answered = yield* add(client, campaignId, { leads, confirmation_token })
            refused(answered, 409, "approval_changed", { approval_url })
          })
        const before = yield* askLeads(client, campaignId, leads)
        assert.deepStrictEqual(yield* shownIn(client, before.approval_url), { is_on: true, false_winners_percent: 5 })
        yield* (yield* choiceBy(client)).switchRuleOff(campaignId)
        yield* late(before)
        const again = yield* askLeads(client, campaignId, leads)
        yield* decide(client, again.approval_url, "approve", { winnerRule: true })
        const { confirmation_token } = again
        ok(yield* add(client, campaignId, { leads, confirmation_token }))
        const open = yield* askLeads(client, campaignId, silent(1, "open"))
        yield* answer(got)
        assert.isNotNull(yield* chosen(client, campaignId))
        yield* late(open)
        const last = yield* askLeads(client, campaignId, leads)
        assert.isUndefined(yield* shownIn(client, last.approval_url))
      })
    )

    it.effect("of several approvers, all have to approve it", () =>
      Effect.gen(function* () {
        for (const ticked of [
          [true, true],
          [true, false],
          [false, true]
        ] as const) {
          const client = yield* sender(FIRST_DAY)
          const owner = yield* signIn(client.ownerEmail)
          const other = yield* colleague(owner)
          yield* (yield* Approvers).setRules(owner, { recipientsAbove: 1, creditsAbove: null, excludesKeyOwner: false })
          const { campaign_id } = (yield* draft(client, { recipients: silent(2), sequence: VARIED })).result
          const { result } = yield* askLaunch(client, campaign_id)
          const console = yield* Console
          for (const [index, by] of [owner, other].entries()) {
            const found = yield* console.approval(client.workspaceId, idOf(result.approval_url))
            const { approvalId, snapshotDigest } = Option.getOrThrow(found).approval
            const also = { winnerRule: ticked[index] === true }
            yield* console.decide(by, approvalId, "approve", snapshotDigest, also)
          }
          yield* execute(client, campaign_id, result)
          const { winnerRule } = yield* campaignOf(client, campaign_id)
          assert.strictEqual(winnerRule?.isOn ?? false, ticked[0] && ticked[1])
        }
      })
    )

    it.effect("two hosts at once, and one that dies, choose once", () =>
      Effect.gen(function* () {
        const { better, campaignId, client, got } = yield* varied(true)
        const memoryWork = yield* MemoryWork
        const handler = yield* makeWinnerHandler
        const { key } = winnerJob({ workspaceId: client.workspaceId, campaignId })
        // One host is killed while the job of an answer runs or waits, and two others do it meanwhile.
        yield* Effect.all([answer(got), memoryWork.restart, handler(key), handler(key)], { concurrency: "unbounded" })
        yield* Effect.all([handler(key), handler(key), memoryWork.restart], { concurrency: "unbounded" })
        yield* work
        assert.strictEqual(yield* chosen(client, campaignId), better)
        const choices = (yield* logged(client)).filter(({ action }) => action === "choose_variant")
        assert.lengthOf(choices, 1)
        assert.lengthOf((yield* campaignOf(client, campaignId)).winnerRule?.choices ?? [], 1)
      })
    )
  })
}
