import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { makeExpirySweep } from "@outbound/domain/calls/approvals/Expiry.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control } from "@outbound/domain/control/Control.js"

import { listedAddresses } from "@outbound/domain/control/suppressionImport/listedRows.js"
import { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type CampaignLead, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Effect, type Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Action } from "../../models/approvals/protocol.js"
import { sizeOf, type State } from "../../models/approvals/State.js"
import type { Client } from "../../service/Client.js"
import { colleague, type ControlOnStores, signIn } from "../service/controlSupport.js"
import { claim, guardOf, kill, ticking } from "../service/killSupport.js"
import { deliveries, draft, freshKey, ok, sender, SUITE } from "../service/stories.js"
import { type ApproversNeeded, INITIAL, modelled, type Op, take, walks } from "./ops.js"

const ONE_STEP = [{ subject: "Hello", body: "Hi" }]

/** An approval as the walk knows it. */
interface Asked {
  readonly verb: "launch_campaign" | "add_leads"
  readonly token: string
  readonly url: string
}

const idOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1)

let walkers = 0

/** A workspace in which so many different people must approve whatever is sent. */
const begin = (needed: ApproversNeeded) =>
  Effect.gen(function* () {
    const client = yield* sender()
    const owner = yield* signIn(client.ownerEmail)
    const approvers = [owner.user.email, (yield* colleague(owner)).user.email]
    const rules = yield* Approvers
    const recipientsAbove = needed === 1 ? null : 0
    yield* rules.setRules(owner, { recipientsAbove, creditsAbove: null, excludesKeyOwner: false })
    const guard = yield* guardOf(client)
    walkers += 1
    const emails = [0, 1].map((person) => `silent+walk${walkers}p${person}@magic.test`)
    const { result } = yield* draft(client, { sequence: ONE_STEP, recipients: [{ email: emails[0] as string }] })
    return { client, approvers, guard, emails, campaignId: result.campaign_id as string, asked: [] as Array<Asked> }
  })

type Walk = Effect.Success<ReturnType<typeof begin>>

/** The request of an approval, and of the call that uses it. */
const requestOf = ({ campaignId, emails }: Walk, verb: Asked["verb"]) =>
  verb === "launch_campaign"
    ? { campaign_id: campaignId }
    : { campaign_id: campaignId, leads: [{ email: emails[1] as string }] }

const ask = (walk: Walk, verb: Asked["verb"]) =>
  Effect.gen(function* () {
    const answer = yield* walk.client.call(verb, requestOf(walk, verb), { key: freshKey() })
    if (answer.status !== 200) return false
    const { approval_url, confirmation_token, status } = answer.result
    if (status === "needs_confirmation") walk.asked.push({ verb, token: confirmation_token, url: approval_url })
    return true
  })

const leadsOf = ({ campaignId, client }: Walk) =>
  Effect.flatMap(CampaignStore, (campaigns) =>
    campaigns.firstLeads(client.workspaceId, campaignId, LeadMachine.states, 10)
  )

const leadOf = (walk: Walk, person: number) =>
  Effect.map(leadsOf(walk), (leads) => leads.find(({ email }) => email === walk.emails[person]) as CampaignLead)

const moveMailbox = ({ client }: Walk, state: "active" | "paused") =>
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const [from] = yield* mailboxesOf(client)
    if (from === undefined) return assert.fail("the workspace has no mailbox")
    yield* atomically(sendings.updateMailboxes([{ ...from, state, pauseReason: state === "paused" ? "owner" : null }]))
    return true
  })

/** The workspace's mailboxes, whatever their state, as the first walk found them. */
const found = new Map<string, ReadonlyArray<Effect.Success<ReturnType<typeof activeOf>>[number]>>()

const activeOf = (workspaceId: string) =>
  Effect.flatMap(SendingStore, (sendings) => sendings.activeMailboxes(workspaceId))

const mailboxesOf = ({ workspaceId }: Client) =>
  Effect.gen(function* () {
    const known = found.get(workspaceId)
    if (known !== undefined) return known
    const mailboxes = yield* activeOf(workspaceId)
    found.set(workspaceId, mailboxes)
    return mailboxes
  })

/** Does it to the service. False: it was refused. */
const performed = (walk: Walk, { by = 0, kind, of }: Op) =>
  Effect.gen(function* () {
    const { client, guard } = walk
    const dispatcher = yield* Dispatcher
    switch (kind) {
      case "ask_launch":
        return yield* ask(walk, "launch_campaign")
      case "add_person":
        return yield* ask(walk, "add_leads")
      case "approve":
      case "decline": {
        const console = yield* Console
        const approvalId = idOf((walk.asked[of] as Asked).url)
        const { approval } = Option.getOrThrow(yield* console.approval(client.workspaceId, approvalId))
        const person = yield* signIn(walk.approvers[by] as string)
        const decided = yield* console.decide(person, approvalId, kind, approval.snapshotDigest)
        return ["approved", "counted", "declined"].includes(Option.getOrThrow(decided))
      }
      case "execute": {
        const { token, verb } = walk.asked[of] as Asked
        const request = { ...requestOf(walk, verb), confirmation_token: token }
        return (yield* client.call(verb, request, { key: freshKey() })).status === 200
      }
      case "day_passes":
        yield* TestClock.adjust("24 hours")
        return true
      case "expire": {
        const sweep = yield* makeExpirySweep
        while ((yield* sweep) > 0) yield* Effect.yieldNow
        return true
      }
      case "kill":
        ok(yield* ticking(kill(guard)))
        return true
      case "clear": {
        const control = yield* Control
        return yield* control.clearSuspension(yield* signIn(client.ownerEmail))
      }
      case "send":
        while ((yield* dispatcher.round) > 0) yield* Effect.yieldNow
        return true
      case "claim_and_die":
        yield* claim
        return true
      case "give_claims_up":
        yield* TestClock.adjust("3 minutes")
        yield* dispatcher.sweep
        return true
      case "unsubscribe": {
        const unsubscribe = yield* Unsubscribe
        const { campaignLeadId, workspaceId } = yield* leadOf(walk, of)
        const mac = linkMac(yield* Crypto, workspaceId, campaignLeadId)
        return yield* unsubscribe.unsubscribe({ workspaceId, token: `${campaignLeadId}.${mac}` })
      }
      case "suppress": {
        const { takeFor } = yield* SuppressionImport
        const rows = Stream.fromIterable(listedAddresses(walk.emails[of] as string))
        yield* takeFor(client.workspaceId, rows, { dryRun: false })
        return true
      }
      case "pause_mailbox":
        return yield* moveMailbox(walk, "paused")
      case "resume_mailbox":
        return yield* moveMailbox(walk, "active")
    }
  }).pipe(Effect.orDie)

/** What both sides must agree on. */
const observed = (walk: Walk) =>
  Effect.gen(function* () {
    const { asked, campaignId, client, emails } = walk
    const approvals = yield* ApprovalStore
    const campaigns = yield* CampaignStore
    const workspaces = yield* WorkspaceStore
    const campaign = Option.getOrThrow(yield* campaigns.get(client.workspaceId, campaignId))
    const leads = yield* leadsOf(walk)
    const sent = yield* deliveries(campaignId)
    const states = yield* Effect.forEach(asked, ({ url }) =>
      Effect.gen(function* () {
        const { approval } = Option.getOrThrow(yield* approvals.find(client.workspaceId, idOf(url)))
        const votes = yield* approvals.votes(client.workspaceId, approval.approvalId)
        return { state: approval.state, approvers: votes.length }
      })
    )
    const ids = asked.map(({ url }) => idOf(url))
    return {
      campaign: campaign.state,
      pauseReason: campaign.pauseReason ?? "none",
      isSuspended: (yield* workspaces.sending(client.workspaceId)).suspendedAtMillis !== null,
      approvals: states,
      people: emails.map((email) => {
        const lead = leads.find((one) => one.email === email)
        return {
          lead: lead?.state ?? "absent",
          coveredBy: lead?.approvalId == null ? 0 : ids.indexOf(lead.approvalId) + 1,
          sent: sent.filter(({ to }) => to.address === email).length
        }
      })
    }
  }).pipe(Effect.orDie)

type Observed = Effect.Success<ReturnType<typeof observed>>

const expected = (state: State): Observed => ({
  campaign: state.campaign,
  pauseReason: state.pauseReason,
  isSuspended: state.suspension !== "none",
  approvals: state.approvals.map((approval) => ({ state: approval.state, approvers: sizeOf(approval.approvers) })),
  people: state.people.map(({ coveredBy, lead, stepsSent }) => ({ lead, coveredBy, sent: stepsSent }))
})

/** What a host's sweep may have done by itself meanwhile. */
const followed = (state: State, seen: Observed): State =>
  state.people.reduce((now, person, of) => {
    const lead = seen.people[of]?.lead
    const own = lead === "finished" ? "finish" : lead === "removed" ? "take_out" : null
    if (own === null || person.lead === lead) return now
    return take(now, (action: Action) => action.name === own && action.of === of) ?? now
  }, state)

const replay = (ops: ReadonlyArray<Op>, needed: ApproversNeeded) =>
  Effect.gen(function* () {
    const walk = yield* begin(needed)
    let state = INITIAL
    const told: Array<string> = []
    for (const op of ops) {
      told.push(`${op.kind} ${op.of + 1}${op.by === undefined ? "" : ` by ${op.by + 1}`}`)
      const after = modelled(state, op, needed)
      assert.strictEqual(yield* performed(walk, op), after !== null, `${told.join(", ")}: done or refused`)
      const seen = yield* observed(walk)
      state = followed(after ?? state, seen)
      assert.deepStrictEqual(seen, expected(state), told.join(", "))
    }
  })

/** The service does what the model does: the same refusals, and the same states after each step. */
export const approvalsReplayContract = <E>(
  name: string,
  service: Layer.Layer<ControlOnStores, E>,
  {
    count,
    length,
    needed = 1,
    seed
  }: {
    readonly count: number
    readonly length: number
    readonly seed: number
    /** How many people must approve. */
    readonly needed?: ApproversNeeded
  }
) => {
  const { pairs, walks: all } = walks(count, length, seed, needed)
  describeLayer(service, SUITE)(`traces of the model (${name}, ${needed} to approve)`, (it) => {
    all.forEach((ops, index) => {
      it.effect(`walk ${index + 1} of seed ${seed} ends as in the model`, () => Effect.orDie(replay(ops, needed)))
    })
    it("the walks put most operations after most others", () => assert.isAbove(pairs.size, 80))
  })
}
