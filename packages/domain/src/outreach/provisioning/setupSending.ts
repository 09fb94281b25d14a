import { Effect, Result } from "effect"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { Approvals, PURCHASE_APPROVAL_MILLIS, type TokenCheck } from "../../calls/approvals/Approvals.js"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import type { Call, CallScope, Handler, Plan } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { type Credits, format, minusOrZero, plus, times, zero } from "../../kernel/money/Credits.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import { operationJob, OperationStore } from "../operations/OperationStore.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { capacityOf } from "../../sources/ports/Providers.js"
import type { SendingCapacity } from "../../sources/ports/SendingProvider.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { refused, unavailable, RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { DOMAIN_SETUP_PRICE, MAILBOX_UPKEEP_PRICE } from "../../verbs/prices.js"
import { MAILBOXES_PER_DOMAIN, SENDS_PER_MAILBOX, type SetupSending } from "../../verbs/SetupSending.js"
import type { RequestOf, ResultOf } from "../../verbs/Verb.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { askProvider } from "../sending/askProvider.js"
import { MailboxMachine } from "../sending/MailboxMachine.js"
import { UNDECLARED } from "../sending/ramp.js"
import { SendingStore } from "../sending/SendingStore.js"
import { suspended } from "../sending/suspended.js"

/** How much capacity a wish comes to. */
interface Capacity {
  readonly domains: number
  readonly mailboxes: number
  readonly setup: Credits
  readonly upkeepPerMonth: Credits
  /** Setup, and the first month of every mailbox. */
  readonly firstMonth: Credits
}

/** Mailboxes = ceil(sends / 25), domains = ceil(mailboxes / 5) (contract: campaigns, capacity). */
const capacityFor = (dailySends: number): Capacity => {
  const mailboxes = Math.ceil(dailySends / SENDS_PER_MAILBOX)
  const domains = Math.ceil(mailboxes / MAILBOXES_PER_DOMAIN)
  const [setup, upkeepPerMonth] = [times(DOMAIN_SETUP_PRICE, domains), times(MAILBOX_UPKEEP_PRICE, mailboxes)]
  return { domains, mailboxes, setup, upkeepPerMonth, firstMonth: plus(setup, upkeepPerMonth) }
}

/** What the capacity costs, as a quote and a dry run say it. `available`: what can be spent when they are asked for. */
const costsOf = ({ firstMonth, setup, upkeepPerMonth }: Capacity, available: Credits) => ({
  setup_credits: format(setup),
  upkeep_credits_per_month: format(upkeepPerMonth),
  first_month_credits: format(firstMonth),
  credits_after_first_month: format(available - firstMonth)
})

const slug = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/** Local parts for one identity on one domain: as many as a domain has mailboxes, all distinct. */
const localParts = (firstName: string, lastName: string): ReadonlyArray<string> => {
  const first = slug(firstName) || "team"
  const last = slug(lastName) || "mail"
  const wished = [`${first}.${last}`, first, `${first[0]}.${last}`, `${first}${last[0]}`, `${last}.${first}`]
  const parts: Array<string> = []
  for (const part of wished) {
    let unique = part
    for (let n = 2; parts.includes(unique); n += 1) unique = `${part}${n}`
    parts.push(unique)
  }
  return parts
}

/** Distributes the mailboxes over the domains in order, at most five per domain. */
const layOut = (
  domains: ReadonlyArray<string>,
  mailboxes: number,
  identity: { readonly firstName: string; readonly lastName: string }
): ReadonlyArray<{ readonly domain: string; readonly mailboxes: ReadonlyArray<string> }> => {
  const parts = localParts(identity.firstName, identity.lastName)
  return domains.map((domain, index) => {
    const left = Math.max(0, mailboxes - index * MAILBOXES_PER_DOMAIN)
    return { domain, mailboxes: parts.slice(0, left).map((part) => `${part}@${domain}`) }
  })
}

type Request = RequestOf<typeof SetupSending>

/** Timeout of a provider's domain suggestions. */
const SUGGEST_TIMEOUT_SECONDS = 20

/** A workspace has one open purchase at a time: a newer quote replaces an older one. */
const TARGET = "purchase"

interface PurchasePlan extends Plan {
  readonly capacity: Capacity
  readonly provider: SendingCapacity & { readonly name: string }
}

type PurchaseCall = Call<PurchasePlan, ResultOf<typeof SetupSending>>

const firstOf = (token: TokenCheck, stop: AnyWireError | null): AnyWireError | null =>
  stop ?? token.before ?? token.after

export const setupSending = Effect.gen(function* () {
  const approvals = yield* Approvals
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore
  const operations = yield* OperationStore
  const tell = yield* makeTell
  const ids = yield* Ids
  const credits = yield* CreditStore
  const { atomically } = yield* UnitOfWork

  const availableTo = (workspaceId: string) =>
    Effect.map(credits.balance(workspaceId), ({ balance, reserved }) => minusOrZero(balance, reserved))

  /** Chooses the domains shown to the approver; excludes those that the workspace already has. */
  const chooseDomains = (call: PurchaseCall, brand: string) =>
    Effect.gen(function* () {
      const owned = new Set(yield* sendings.domains(call.workspaceId))
      const { provider, capacity } = call.plan
      const suggested = yield* askProvider(
        provider.name,
        { seconds: SUGGEST_TIMEOUT_SECONDS, otherwise: "transient" },
        () => provider.suggestDomains(brand, capacity.domains + owned.size)
      ).pipe(
        Effect.mapError((failure) =>
          failure.reason === "invalid" ? refused([failure], "setup_sending") : unavailable([failure])
        )
      )
      const sound = suggested.filter((domain) => registrableDomain(domain) === domain)
      const free = [...new Set(sound)].filter((domain) => !owned.has(domain)).slice(0, capacity.domains)
      return free.length === capacity.domains
        ? free
        : yield* Effect.fail(refuse("provider_unavailable", { retry_after_seconds: RETRY_AFTER_SECONDS_DEFAULT }))
    })

  const quote = (request: Request, call: PurchaseCall, domains: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { capacity } = call.plan
      // A purchase executed since may have taken one of them.
      const owned = yield* sendings.domains(call.workspaceId)
      if (domains.some((domain) => owned.includes(domain))) {
        return yield* Effect.fail(refuse("provider_unavailable", { retry_after_seconds: 1 }))
      }
      const available = yield* availableTo(call.workspaceId)
      const identity = { firstName: request.identity.first_name, lastName: request.identity.last_name }
      const asked = yield* approvals.ask(call, {
        verb: "setup_sending",
        target: TARGET,
        binding: "",
        snapshot: {
          kind: "purchase",
          brand: request.brand,
          identity: request.identity,
          daily_sends: request.daily_sends,
          domains: layOut(domains, capacity.mailboxes, identity),
          setup_credits: capacity.setup,
          upkeep_credits_per_month: capacity.upkeepPerMonth,
          first_month_credits: capacity.firstMonth,
          credits_available: available
        },
        lifetimeMillis: PURCHASE_APPROVAL_MILLIS,
        requested: { kind: "purchase_requested", campaignId: null, replyId: null }
      })
      const expiresAt = new Date(asked.expiresAtMillis).toISOString()
      return yield* call.settleIn({
        result: {
          status: "quote",
          confirmation_token: "",
          approval_url: asked.approvalUrl,
          expires_at: expiresAt,
          quote: {
            domains: capacity.domains,
            mailboxes: capacity.mailboxes,
            ...costsOf(capacity, available),
            renewal_cadence: "monthly",
            ready_estimate: call.plan.provider.readyEstimate,
            quote_expires_at: expiresAt
          }
        },
        charge: zero,
        approvalId: asked.approvalId
      })
    })

  /** Buys exactly what the approval shows: its domains and its mailboxes. */
  const purchase = (call: PurchaseCall, approval: Approval, operationId: string) =>
    Effect.gen(function* () {
      const { workspaceId, nowMillis, requestId } = call
      const { snapshot } = approval
      if (snapshot.kind !== "purchase")
        return yield* Effect.die(new Error("an approval of a purchase shows something else"))
      const identity = { firstName: snapshot.identity.first_name, lastName: snapshot.identity.last_name }
      yield* approvals.use(call, approval)
      yield* operations.insert({
        workspaceId,
        operationId,
        kind: "setup_sending",
        status: OperationMachine.initial,
        requestId,
        order: {
          workspaceId,
          marker: operationId,
          brand: snapshot.brand,
          identity,
          domains: snapshot.domains,
          orderedAtMillis: nowMillis
        },
        creditsPerDomain: DOMAIN_SETUP_PRICE,
        items: snapshot.domains.flatMap(({ domain, mailboxes }) => [
          { id: domain, kind: "domain", status: "pending" as const, detail: null },
          ...mailboxes.map((address) => ({ id: address, kind: "mailbox", status: "pending" as const, detail: null }))
        ]),
        error: null,
        createdAtMillis: nowMillis,
        updatedAtMillis: nowMillis,
        finishedAtMillis: null
      })
      yield* sendings.insertMailboxes(
        snapshot.domains.flatMap(({ domain, mailboxes }) =>
          mailboxes.map((address) => ({
            workspaceId,
            mailboxId: ids.next(nowMillis),
            kind: "purchased" as const,
            operationId,
            domain,
            address,
            displayName: `${identity.firstName} ${identity.lastName}`,
            state: MailboxMachine.initial,
            pauseReason: null,
            activeAtMillis: null,
            upkeepPaidUntilMillis: null,
            ...UNDECLARED,
            restsUntilMillis: null,
            createdAtMillis: nowMillis
          }))
        )
      )
      yield* tell(nowMillis, {
        workspaceId,
        kind: "purchased",
        source: "api",
        requestId,
        operationId,
        detail: { approval_id: approval.approvalId }
      })
      return yield* call.settleIn({
        result: {
          status: "purchased",
          operation_id: operationId,
          domains: snapshot.domains.map(({ domain }) => domain)
        },
        charge: call.plan.maximum,
        wakes: [operationJob({ workspaceId, operationId })]
      })
    })

  const look = (scope: CallScope) =>
    Effect.map(
      Effect.all([workspaces.sending(scope.workspaceId), approvals.look(scope, "setup_sending")]),
      ([sending, token]) => ({ stop: suspended(sending), token })
    )

  const handler: Handler<typeof SetupSending, PurchasePlan> = {
    plan: (request, { providers }) => {
      const capacity = capacityFor(request.daily_sends)
      const selling = providers.sending === null ? null : capacityOf(providers.sending)
      if (providers.sending === null || selling === null) {
        const reason =
          providers.sending === null
            ? "no sending provider is configured for this workspace"
            : "this workspace's sending provider does not sell mailboxes"
        return Result.fail(refuse("tool_unavailable", { tool: "setup_sending", reason }))
      }
      const buys = request.confirmation_token !== undefined || request.dry_run === true
      return Result.succeed({
        maximum: buys ? capacity.setup : zero,
        capabilities: [],
        warnings: [],
        route: null,
        capacity,
        provider: { ...selling, name: providers.sending.name }
      })
    },
    subject: (_request, scope) =>
      Effect.map(look(scope), ({ stop, token }) => ({
        missing: null,
        refusal: firstOf(token, stop),
        wouldExceed: stop === null ? [] : [stop.code]
      })),
    would: (_request, { capacity }, scope) =>
      Effect.map(availableTo(scope.workspaceId), (available) => ({
        domains: capacity.domains,
        mailboxes: capacity.mailboxes,
        ...costsOf(capacity, available),
        needs_confirmation: true
      })),
    perform: (request, call) =>
      Effect.gen(function* () {
        const confirmed = call.tokenHash !== null
        const domains = confirmed ? [] : yield* chooseDomains(call, request.brand)
        const operationId = ids.next(call.nowMillis)
        return yield* Effect.gen(function* () {
          const stop = suspended(yield* workspaces.shareSending(call.workspaceId))
          const token = yield* approvals.check(call, "setup_sending")
          const refusal = firstOf(token, stop)
          if (refusal !== null) return yield* Effect.fail(refusal)
          return token.approval === null
            ? yield* quote(request, call, domains)
            : yield* purchase(call, token.approval, operationId)
        }).pipe(atomically)
      })
  }
  return handler
})
