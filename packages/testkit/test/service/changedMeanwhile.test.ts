import { assert, layer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option } from "effect"
import { add, addressed, askLeads, coversOf, drafted, idOf } from "../../src/contracts/service/addLeadsSupport.js"
import { alter } from "../../src/contracts/service/launch.js"
import {
  answer,
  answered,
  answerer,
  approved,
  pauseMailboxes,
  sentAnswers,
  suppressAs
} from "../../src/contracts/service/replyStories.js"
import {
  askLaunch,
  freshKey,
  launch,
  launched,
  ok,
  pass,
  refused,
  SCOPES,
  sender,
  silent,
  SUITE,
  trailOf
} from "../../src/contracts/service/stories.js"
import { TestSuspension } from "../../src/memory/Hooks.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { type Answered, type Client, decide, makeKey, withdraw } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

type Needing<A> = Effect.Effect<A, unknown, Layer.Success<typeof service>>

/** Makes the call, and the change once it is admitted: before its transaction, or a later one of it, holds its locks. */
const meanwhile = (call: Needing<Answered>, change: Needing<unknown>, transaction = 1) =>
  Effect.gen(function* () {
    const { beforeEach } = yield* MemoryFaults
    const context = yield* Effect.context<Layer.Success<typeof service>>()
    let begun: number | null = null
    yield* beforeEach((operation) => {
      if (operation === "CallJournal.admit") begun ??= 0
      if (begun === null || operation !== "UnitOfWork.atomically") return Effect.void
      begun += 1
      return begun === transaction ? Effect.asVoid(Effect.orDie(Effect.provide(change, context))) : Effect.void
    })
    const made = yield* Effect.ensuring(call, beforeEach(null))
    assert.isAtLeast(begun ?? 0, transaction, "it has fewer transactions")
    return made
  })

const within = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
  within(Effect.flatMap(RuleStore, ({ setRules }) => setRules(workspaceId, { ...DEFAULT_RULES, ...rules })))

const stopped = ({ workspaceId }: Client) =>
  Effect.flatMap(TestSuspension, ({ suspend }) => suspend(workspaceId, 1, "enough"))

/** As a call at another host does. */
const used = (client: Client, approvalUrl: string) =>
  within(
    Effect.gen(function* () {
      const store = yield* ApprovalStore
      const approval = Option.getOrThrow(yield* store.lock(client.workspaceId, idOf(approvalUrl)))
      yield* store.update({ ...approval, state: "used", usedByIdempotencyKey: "another" })
    })
  )

/** What changes, and as what the call is then refused. */
type Changes = Readonly<Record<string, readonly [happens: Needing<unknown>, code: string, details?: object]>>

const against = (found: Answered, name: string, code: string, details: object = {}) => {
  assert.strictEqual(found.error?.code, code, `${name}: ${found.text}`)
  assert.deepInclude(found.error?.details ?? {}, details, name)
}

/** `make`: everything anew for each change. Each is made under the call, which must be refused for it. */
const each = <G>(
  make: Needing<G>,
  changes: (given: G) => Changes,
  call: (given: G) => Needing<Answered>,
  nothing: (given: G, name: string) => Needing<void>,
  transaction = 1
) =>
  Effect.gen(function* () {
    for (const name of Object.keys(changes(yield* make))) {
      const given = yield* make
      const [happens, code, details] = changes(given)[name]!
      against(yield* meanwhile(call(given), happens, transaction), name, code, details)
      yield* nothing(given, name)
    }
  })

const UNPROVEN = "claims_without_evidence"
const SEQUENCE = [{ subject: "A question", body: "I read this: {{custom.claim}}. Is it so?" }]
const claiming = (...emails: ReadonlyArray<string>) => emails.map((email) => ({ email, custom: { claim: "you grow" } }))

const shared = (client: Client): Changes => ({
  "everything is stopped": [stopped(client), "agent_suspended"],
  "its mailboxes rest": [pauseMailboxes(client), "mailbox_unavailable"],
  "a rule asks for verified addresses": [
    ruled(client, { unverifiedMaxPercent: 0 }),
    "invalid_request",
    { reason: "list_not_verified" }
  ],
  "a rule asks for evidence": [ruled(client, { evidence: "require" }), "invalid_request", { reason: UNPROVEN }]
})

const isTold = (client: Client, kind: string, name: string) =>
  Effect.map(trailOf(client, { kind }), (events) => assert.isEmpty(events, name))

layer(service, SUITE)("what changes once a call is admitted is looked at again under its locks", (it) => {
  const drafting = Effect.gen(function* () {
    const client = yield* sender()
    const recipients = claiming("silent+one@magic.test", "silent+two@magic.test")
    return { client, campaign_id: yield* drafted(client, recipients, { sequence: SEQUENCE }) }
  })

  const underLaunch = ({
    campaign_id,
    client
  }: {
    readonly client: Client
    readonly campaign_id: string
  }): Changes => ({
    ...shared(client),
    "it is no draft": [
      alter(client, campaign_id, { state: "incomplete" }),
      "invalid_request",
      { reason: "campaign_state", state: "incomplete" }
    ]
  })

  it.effect("by a call that asks for a launch: nobody is asked", () =>
    each(
      drafting,
      underLaunch,
      ({ campaign_id, client }) => client.call("launch_campaign", { campaign_id }, { key: freshKey() }),
      ({ client }, name) => isTold(client, "launch_requested", name)
    )
  )

  const approvedLaunch = Effect.gen(function* () {
    const { campaign_id, client } = yield* drafting
    const { result } = yield* askLaunch(client, campaign_id)
    yield* decide(client, result.approval_url, "approve")
    const input = { campaign_id, confirmation_token: result.confirmation_token as string }
    return { client, campaign_id, approval_url: result.approval_url as string, input }
  })

  it.effect("by a launch: nobody is written to", () =>
    each(
      approvedLaunch,
      (given) => ({
        ...underLaunch(given),
        "another call used the approval": [used(given.client, given.approval_url), "approval_superseded"],
        "it was taken back": [withdraw(given.client, given.approval_url), "approval_cancelled"],
        "more people came": [alter(given.client, given.campaign_id, { grows: true }), "approval_changed"]
      }),
      ({ client, input }) => client.call("launch_campaign", input, { key: "once" }),
      ({ client }, name) => isTold(client, "launched", name)
    )
  )

  it.effect("by a launch: who says no then is left out of it", () =>
    Effect.gen(function* () {
      const { campaign_id, client, input } = yield* approvedLaunch
      const call = client.call("launch_campaign", input, { key: freshKey() })
      const done = ok(yield* meanwhile(call, suppressAs(client, "silent+two@magic.test", "unsubscribe")))
      assert.deepInclude(done.result, { leads_active: 1, leads_suppressed_at_launch: 1 })
      yield* pass("5 seconds")
      assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+one@magic.test"])
    })
  )

  const growing = Effect.gen(function* () {
    const client = yield* sender()
    const campaign_id = yield* launched(client, { recipients: claiming("silent+old@magic.test"), sequence: SEQUENCE })
    return { client, campaign_id, leads: claiming("silent+one@magic.test", "silent+two@magic.test") }
  })

  const underAddition = ({
    campaign_id,
    client
  }: {
    readonly client: Client
    readonly campaign_id: string
  }): Changes => ({
    ...shared(client),
    "it was killed": [
      alter(client, campaign_id, { state: "paused", pauseReason: "killed", launched: true }),
      "invalid_request",
      { reason: "campaign_state" }
    ]
  })

  it.effect("by a call that asks to add people: nobody is asked, and the campaign goes on", () =>
    each(
      growing,
      underAddition,
      ({ campaign_id, client, leads }) => add(client, campaign_id, { leads }),
      ({ client }, name) =>
        Effect.map(trailOf(client, { kind: "launch_requested" }), (events) => assert.lengthOf(events, 1, name))
    )
  )

  const approvedAddition = Effect.gen(function* () {
    const { campaign_id, client, leads } = yield* growing
    const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
    yield* decide(client, approval_url, "approve")
    return { client, campaign_id, approval_url: approval_url as string, input: { leads, confirmation_token } }
  })

  it.effect("by an approved addition: nobody is added", () =>
    each(
      approvedAddition,
      (given) => ({
        ...underAddition(given),
        "another call used the approval": [used(given.client, given.approval_url), "approval_superseded"],
        "it was taken back": [withdraw(given.client, given.approval_url), "approval_cancelled"],
        "other people came": [alter(given.client, given.campaign_id, { grows: true }), "approval_changed"]
      }),
      ({ campaign_id, client, input }) => add(client, campaign_id, input),
      ({ campaign_id, client }, name) =>
        Effect.map(coversOf(client, campaign_id), (covers) => assert.lengthOf(Object.keys(covers), 1, name))
    )
  )

  it.effect("by a call that fills a draft: once it is launched, a key without autonomy adds nobody", () =>
    Effect.gen(function* () {
      const { campaign_id, client } = yield* drafting
      const shy = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES, autonomy: false })
      const found = yield* meanwhile(add(shy, campaign_id, { leads: silent(1) }), launch(client, campaign_id))
      refused(found, 403, "forbidden", { reason: "autonomy_off" })
      assert.lengthOf(Object.keys(yield* coversOf(client, campaign_id)), 2)
    })
  )

  const answering = Effect.gen(function* () {
    const client = yield* answerer()
    return { client, reply_id: (yield* answered(client)).reply_id }
  })

  const underAnswer = ({ client }: { readonly client: Client }): Changes => ({
    "everything is stopped": [stopped(client), "agent_suspended"],
    "its mailbox rests": [pauseMailboxes(client), "mailbox_unavailable"],
    "they say no": [
      suppressAs(client, "interested@magic.test", "unsubscribe"),
      "suppressed_recipient",
      { suppressed_reason: "opted_out" }
    ],
    "agents may answer no more": [
      within(Effect.flatMap(WorkspaceStore, ({ setReplySend }) => setReplySend(client.workspaceId, false))),
      "reply_send_disabled"
    ]
  })

  it.effect("by a call that asks to answer: nobody is asked", () =>
    each(
      answering,
      underAnswer,
      ({ client, reply_id }) => answer(client, reply_id, {}, freshKey()),
      ({ client }, name) => isTold(client, "reply_requested", name)
    )
  )

  const approvedAnswer = Effect.flatMap(answering, (given) =>
    Effect.map(approved(given.client, given.reply_id), (made) => ({ ...given, ...made }))
  )

  it.effect("by an approved answer, when it is recorded and when it begins: nothing is sent", () =>
    Effect.gen(function* () {
      const nothing = ({ client }: { readonly client: Client }, name: string) =>
        Effect.map(sentAnswers(client), (sent) => assert.isEmpty(sent, name))
      yield* each(
        approvedAnswer,
        (given) => ({
          ...underAnswer(given),
          "it was taken back": [withdraw(given.client, given.approvalUrl), "approval_cancelled"]
        }),
        ({ send }) => send(),
        nothing
      )
      yield* each(approvedAnswer, underAnswer, ({ send }) => send(), nothing, 2)
    })
  )
})
