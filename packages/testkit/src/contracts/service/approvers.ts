import { assert, layer as describeLayer } from "@effect/vitest"
import type { ApprovalRules } from "@outbound/domain/calls/approvals/approvers.js"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { Control } from "@outbound/domain/control/Control.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { Effect, type Layer, Option } from "effect"
import { type Client, send } from "../../service/Client.js"
import { colleague, type ControlOnStores, growStale, refusedBy, signIn } from "./controlSupport.js"
import {
  askLaunch,
  draft,
  freshKey,
  launch,
  member,
  ok,
  PURCHASE,
  refused,
  SCOPES,
  sender,
  silent,
  SUITE,
  trailOf
} from "./stories.js"

const NONE: ApprovalRules = { recipientsAbove: null, creditsAbove: null, excludesKeyOwner: false }

const TRIES = 20

const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

/** How many people must approve, and who may not. */
export const approversContract = <E>(name: string, service: Layer.Layer<ControlOnStores | ConsoleReads, E>): void => {
  /** A workspace that can send, with two people, and these rules. */
  const team = (rules: Partial<ApprovalRules>) =>
    Effect.gen(function* () {
      const client = yield* sender()
      const owner = yield* signIn(client.ownerEmail)
      const member = yield* colleague(owner)
      const third = yield* colleague(owner)
      const approvers = yield* Approvers
      const setRules = (now: Partial<ApprovalRules>) =>
        Effect.flatMap(signIn(client.ownerEmail), (by) => approvers.setRules(by, { ...NONE, ...now }))
      yield* setRules(rules)
      return { client, owner, member, third, setRules }
    }).pipe(Effect.orDie)

  const decide = (by: SignedIn, approvalUrl: string, decision: "approve" | "decline" = "approve") =>
    Effect.gen(function* () {
      const console = yield* Console
      const { workspaceId } = by.session
      const { approval } = Option.getOrThrow(yield* console.approval(workspaceId, idOf(approvalUrl)))
      return Option.getOrThrow(yield* console.decide(by, approval.approvalId, decision, approval.snapshotDigest))
    }).pipe(Effect.orDie)

  const stateOf = (client: Client, approvalUrl: string) =>
    Effect.gen(function* () {
      const store = yield* ApprovalStore
      return Option.getOrThrow(yield* store.find(client.workspaceId, idOf(approvalUrl))).approval.state
    }).pipe(Effect.orDie)

  const votesOn = (client: Client, approvalUrl: string) =>
    Effect.flatMap(ApprovalStore, (store) => store.votes(client.workspaceId, idOf(approvalUrl))).pipe(
      Effect.map((votes) => votes.map(({ email }) => email)),
      Effect.orDie
    )

  const drafted = (client: Client, people: number) =>
    Effect.map(draft(client, { recipients: silent(people, freshKey()) }), ({ result }) => result.campaign_id as string)

  /** Asks to launch a campaign to so many. */
  const asked = (client: Client, people: number) =>
    Effect.gen(function* () {
      const campaign_id = yield* drafted(client, people)
      const { result } = yield* askLaunch(client, campaign_id)
      const confirmed = { campaign_id, confirmation_token: result.confirmation_token as string }
      const execute = Effect.suspend(() => client.call("launch_campaign", confirmed, { key: freshKey() }))
      return { campaign_id, url: result.approval_url as string, execute }
    })

  describeLayer(service, SUITE)(`who must approve (${name})`, (it) => {
    it.effect("a large launch needs two different people: one of them, as often as they try, approves nothing", () =>
      Effect.gen(function* () {
        const { client, member, owner } = yield* team({ recipientsAbove: 2 })
        const { campaign_id, execute, url } = yield* asked(client, 3)
        assert.strictEqual(yield* decide(owner, url), "counted")
        const { approvedBy } = yield* ConsoleReads
        const approved = ({ session, user }: SignedIn) => approvedBy(session.workspaceId, user.userId, [idOf(url)])
        assert.deepStrictEqual(yield* approved(owner), [idOf(url)])
        assert.deepStrictEqual(yield* approved(member), [])
        const again = yield* Effect.all(
          Array.from({ length: TRIES }, () => decide(owner, url)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(again)], ["same_person"])
        assert.strictEqual(yield* decide(yield* signIn(client.ownerEmail), url), "same_person")
        assert.strictEqual(yield* stateOf(client, url), "pending")
        refused(yield* execute, 428, "confirmation_required")
        assert.strictEqual(yield* decide(member, url), "approved")
        assert.deepStrictEqual(yield* votesOn(client, url), [owner.user.email, member.user.email])
        ok(yield* execute)
        const [event] = yield* trailOf(client, { campaign_id, kind: "approved" })
        assert.deepInclude(event!.detail, { by: member.user.email, also_by: [owner.user.email] })
      }).pipe(Effect.orDie)
    )

    it.effect("of people who approve at once, each counts once, and the request is approved once", () =>
      Effect.gen(function* () {
        const { client, member, owner, third } = yield* team({ recipientsAbove: 0 })
        const { campaign_id, execute, url } = yield* asked(client, 1)
        const tries = Array.from({ length: TRIES }, (_, at) => decide([owner, member, third][at % 3]!, url))
        const results = yield* Effect.all(tries, { concurrency: "unbounded" })
        assert.lengthOf(
          results.filter((result) => result === "counted"),
          1
        )
        assert.lengthOf(yield* votesOn(client, url), 2)
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "approved" }), 1)
        ok(yield* execute)
      }).pipe(Effect.orDie)
    )

    it.effect("at the limit one person is enough, and leads that are added count with those that are there", () =>
      Effect.gen(function* () {
        const { client, owner } = yield* team({ recipientsAbove: 2 })
        const campaign_id = yield* drafted(client, 2)
        yield* launch(client, campaign_id)
        const leads = silent(1, freshKey())
        const more = ok(yield* client.call("add_leads", { campaign_id, leads }, { key: freshKey() })).result
        assert.strictEqual(yield* decide(owner, more.approval_url), "counted")
      }).pipe(Effect.orDie)
    )

    it.effect("a purchase of more credits than the limit needs two people", () =>
      Effect.gen(function* () {
        const { client, member, owner } = yield* team({ creditsAbove: credits("1500") })
        const quote = (daily_sends: number) =>
          Effect.map(client.call("setup_sending", { ...PURCHASE, daily_sends }), (answer) => ok(answer).result)
        const small = yield* quote(25)
        assert.strictEqual(yield* decide(owner, small.approval_url), "approved")
        const large = yield* quote(200)
        assert.strictEqual(yield* decide(owner, large.approval_url), "counted")
        assert.strictEqual(yield* decide(member, large.approval_url), "approved")
      }).pipe(Effect.orDie)
    )

    it.effect("the stricter of the rules then and now counts", () =>
      Effect.gen(function* () {
        const { client, member, owner, setRules } = yield* team({})
        const before = yield* asked(client, 3)
        yield* setRules({ recipientsAbove: 1 })
        assert.strictEqual(yield* decide(owner, before.url), "counted")
        const after = yield* asked(client, 3)
        yield* setRules({})
        assert.strictEqual(yield* decide(owner, after.url), "counted")
        assert.strictEqual(yield* decide(member, after.url), "approved")
        assert.strictEqual(yield* decide(member, before.url), "approved")
      }).pipe(Effect.orDie)
    )

    it.effect(
      "whoever made the key that asks can decline, not approve, also if they vote first or the rule is new",
      () =>
        Effect.gen(function* () {
          const { client, member, owner, setRules } = yield* team({ excludesKeyOwner: true })
          const control = yield* Control
          const wanted = { name: "Mine", monthlySpendCap: null, autonomousExternalActions: true, runRequired: false }
          const made = yield* control.createKey(yield* signIn(client.ownerEmail), { ...wanted, scopes: SCOPES })
          const ask = Effect.gen(function* () {
            const campaign_id = yield* drafted(client, 1)
            const answer = yield* send(made.apiKey, "launch_campaign", { campaign_id }, { key: freshKey() })
            return ok(answer).result.approval_url as string
          })
          const first = yield* ask
          assert.strictEqual(yield* decide(owner, first), "excluded")
          assert.strictEqual(yield* decide(member, first), "approved")
          const second = yield* ask
          assert.strictEqual(yield* decide(owner, second, "decline"), "declined")
          yield* setRules({})
          const third = yield* ask
          yield* setRules({ excludesKeyOwner: true })
          assert.strictEqual(yield* decide(owner, third), "excluded")
          // The operator made the client's own key.
          assert.strictEqual(yield* decide(owner, (yield* asked(client, 1)).url), "approved")
          yield* setRules({ recipientsAbove: 0 })
          const fourth = yield* ask
          assert.strictEqual(yield* decide(owner, fourth), "counted")
          yield* setRules({ recipientsAbove: 0, excludesKeyOwner: true })
          assert.strictEqual(yield* decide(member, fourth), "counted")
          assert.strictEqual(yield* stateOf(client, fourth), "pending")
        }).pipe(Effect.orDie)
    )

    it.effect("the approval of somebody who has left counts no more; what was approved once stays declined", () =>
      Effect.gen(function* () {
        const { client, member, owner, third } = yield* team({ recipientsAbove: 0 })
        const control = yield* Control
        const { url } = yield* asked(client, 1)
        assert.strictEqual(yield* decide(member, url), "counted")
        yield* control.removeMember(owner, member.user.userId)
        assert.strictEqual(yield* decide(owner, url), "counted")
        assert.strictEqual(yield* decide(third, url), "approved")
        const other = yield* asked(client, 1)
        assert.strictEqual(yield* decide(owner, other.url), "counted")
        assert.strictEqual(yield* decide(third, other.url, "decline"), "declined")
        assert.strictEqual(yield* decide(third, other.url), "closed")
        refused(yield* other.execute, 409, "approval_declined")
      }).pipe(Effect.orDie)
    )

    it.effect("owners with a fresh sign-in set rules that their members can fulfil, and the log says which way", () =>
      Effect.gen(function* () {
        const approvers = yield* Approvers
        const control = yield* Control
        const client = yield* member()
        const owner = yield* signIn(client.ownerEmail)
        assert.deepStrictEqual(yield* approvers.rules(owner), NONE)
        yield* refusedBy("invalid", approvers.setRules(owner, { ...NONE, recipientsAbove: 10 }))
        yield* refusedBy("invalid", approvers.setRules(owner, { ...NONE, excludesKeyOwner: true }))
        const other = yield* colleague(owner)
        yield* refusedBy("owner_required", approvers.setRules(other, { ...NONE, recipientsAbove: 10 }))
        const rules = { ...NONE, recipientsAbove: 10, creditsAbove: credits("100.5") }
        yield* refusedBy("invalid", approvers.setRules(owner, { ...rules, excludesKeyOwner: true }))
        yield* approvers.setRules(owner, rules)
        yield* approvers.setRules(owner, { ...rules, recipientsAbove: 20 })
        assert.deepStrictEqual(yield* approvers.rules(other), { ...rules, recipientsAbove: 20 })
        const log = (yield* control.history(owner, null)).filter(({ action }) => action === "set_approval_rules")
        assert.deepStrictEqual(
          log.map(({ direction }) => direction),
          ["loosen", "tighten"]
        )
        yield* growStale
        yield* refusedBy("reauthentication_required", approvers.setRules(owner, NONE))
      }).pipe(Effect.orDie)
    )

    it.effect("each rule is stricter one way and looser the other, and the log says what changed", () =>
      Effect.gen(function* () {
        const { owner, setRules } = yield* team({})
        const control = yield* Control
        const two = { recipientsAbove: 5, creditsAbove: credits("100.5") }
        for (const rules of [
          { recipientsAbove: 5 },
          two,
          { ...two, excludesKeyOwner: true },
          { ...two, excludesKeyOwner: true },
          { recipientsAbove: 5, excludesKeyOwner: true },
          { recipientsAbove: 5 },
          {}
        ]) {
          yield* setRules(rules)
        }
        const log = (yield* control.history(owner, null)).filter(({ action }) => action === "set_approval_rules")
        const [recipients, amount, excluded] = [
          "two_people_above_recipients",
          "two_people_above_credits",
          "key_owner_excluded"
        ] as const
        // The first entry is of the rules that the team began with.
        assert.deepStrictEqual(
          log
            .toReversed()
            .slice(1)
            .map(({ after, before, direction }) => [direction, before, after]),
          [
            ["tighten", { [recipients]: null }, { [recipients]: 5 }],
            ["tighten", { [amount]: null }, { [amount]: "100.5" }],
            ["tighten", { [excluded]: false }, { [excluded]: true }],
            ["none", {}, {}],
            ["loosen", { [amount]: "100.5" }, { [amount]: null }],
            ["loosen", { [excluded]: true }, { [excluded]: false }],
            ["loosen", { [recipients]: 5 }, { [recipients]: null }]
          ]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("rules that a workspace is too small for are refused with how many people they need", () =>
      Effect.gen(function* () {
        const approvers = yield* Approvers
        const client = yield* member()
        const owner = yield* signIn(client.ownerEmail)
        const needed = (rules: Partial<ApprovalRules>) =>
          Effect.map(Effect.flip(approvers.setRules(owner, { ...NONE, ...rules })), (error) =>
            "issues" in error ? error.issues : error
          )
        const tooFew = (people: number, of: number) => [
          { path: "rules", message: `need at least ${people} members; this workspace has ${of}` }
        ]
        for (const rules of [{ recipientsAbove: 0 }, { creditsAbove: credits("1") }, { excludesKeyOwner: true }]) {
          assert.deepStrictEqual<unknown>(yield* needed(rules), tooFew(2, 1))
        }
        assert.deepStrictEqual<unknown>(yield* needed({ recipientsAbove: 0, excludesKeyOwner: true }), tooFew(3, 1))
        assert.deepStrictEqual(yield* approvers.rules(owner), NONE)
        yield* approvers.setRules(owner, NONE)
        yield* colleague(owner)
        yield* approvers.setRules(owner, { ...NONE, creditsAbove: credits("1") })
        yield* approvers.setRules(owner, { ...NONE, excludesKeyOwner: true })
        assert.deepStrictEqual<unknown>(
          yield* needed({ creditsAbove: credits("1"), excludesKeyOwner: true }),
          tooFew(3, 2)
        )
      }).pipe(Effect.orDie)
    )
  })
}
