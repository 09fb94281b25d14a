import { Effect, Result, Schema } from "effect"
import {
  budgetTooLow,
  capabilitiesOf,
  type CeilingFields,
  ceilingOf,
  type Handler,
  type Plan,
  type PlanContext,
  routeOfRequest,
  wouldSpend
} from "../../../calls/Handler.js"
import type { JsonObject } from "../../../kernel/canonical.js"
import type { AnyWireError } from "../../../kernel/errors/Wire.js"
import { type Credits, fromMicros } from "../../../kernel/money/Credits.js"
import { addressHashOf, namedIn } from "../../../kernel/people/subjects.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { Ids } from "../../../kernel/ports/Ids.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { enrich } from "../../../data/enrichment/enrich.js"
import { findIntent } from "../../../data/intent/findIntent.js"
import { verifyEmail } from "../../../data/verification/verifyEmail.js"
import { Enrich } from "../../../verbs/Enrich.js"
import { FindIntent } from "../../../verbs/FindIntent.js"
import { EnrichPeople, FindIntentOfList, VerifyEmails } from "../../../verbs/Lists.js"
import type { AnyVerb, RequestOf } from "../../../verbs/Verb.js"
import { VerifyEmail } from "../../../verbs/VerifyEmail.js"
import { OperationMachine } from "../OperationMachine.js"
import { operationJob, OperationStore } from "../OperationStore.js"
import { type ListRow, ListStore } from "./ListStore.js"
import { RowMachine } from "./RowMachine.js"

interface ListedRow {
  readonly request: unknown
  readonly maximum: Credits
}

export interface ListOfCallsPlan extends Plan {
  readonly rows: ReadonlyArray<ListedRow>
}

/** The single verb behind a list, and what it does. */
interface Single<V extends AnyVerb> {
  readonly verb: V
  // oxlint-disable-next-line typescript/no-explicit-any -- a plan is its own handler's; a list only asks for its maximum
  readonly handler: Handler<V, any>
}

interface Singles {
  readonly verify_emails: Single<typeof VerifyEmail>
  readonly enrich_people: Single<typeof Enrich>
  readonly find_intent_of_list: Single<typeof FindIntent>
}

/** Plans every row as the single call would be planned. A ceiling must cover at least one of them. */
const planRows = <V extends AnyVerb>(
  { handler }: Single<V>,
  requests: ReadonlyArray<RequestOf<V>>,
  fields: CeilingFields,
  route: Plan["route"],
  context: PlanContext
): Result.Result<ListOfCallsPlan, AnyWireError> =>
  Result.gen(function* () {
    const rows: Array<ListedRow> = []
    for (const request of requests) {
      const { maximum } = yield* handler.plan(request, context)
      rows.push({ request, maximum })
    }
    const all = fromMicros(rows.reduce((sum, { maximum }) => sum + maximum, 0n))
    const least = rows.reduce((found, { maximum }) => (maximum < found ? maximum : found), all)
    const ceiling = ceilingOf(fields)
    if (ceiling !== null && ceiling < least) return yield* Result.fail(budgetTooLow(least))
    return {
      maximum: ceiling !== null && ceiling < all ? ceiling : all,
      capabilities: capabilitiesOf(fields),
      warnings: [],
      route,
      rows
    }
  })

type AnyList = typeof VerifyEmails | typeof EnrichPeople | typeof FindIntentOfList

/** A list verb: it stores the rows with an operation, in one transaction, and the operation makes their calls. */
const makeList = Effect.gen(function* () {
  const operations = yield* OperationStore
  const lists = yield* ListStore
  const ids = yield* Ids
  const crypto = yield* Crypto
  const { atomically } = yield* UnitOfWork

  return <L extends AnyList, V extends AnyVerb>(
    verb: L,
    single: Single<V>,
    requestsOf: (request: RequestOf<L>) => ReadonlyArray<RequestOf<V>>
  ): Handler<L, ListOfCallsPlan> => ({
    plan: (request, context) => planRows(single, requestsOf(request), request, routeOfRequest(verb, request), context),
    would: (request, plan) => Effect.succeed({ total: plan.rows.length, ...wouldSpend(request, plan) }),
    perform: (_request, call) =>
      Effect.gen(function* () {
        const { nowMillis, requestId, workspaceId } = call
        const operationId = ids.next(nowMillis)
        const encode = Schema.encodeUnknownSync(single.verb.request)
        const hashOf = (input: JsonObject): string | null => {
          const [email, ...others] = namedIn(input).emails
          return email === undefined || others.length > 0 ? null : addressHashOf(crypto, workspaceId, email)
        }
        yield* operations.insert({
          workspaceId,
          operationId,
          kind: verb.name,
          status: OperationMachine.initial,
          requestId,
          items: [],
          error: null,
          createdAtMillis: nowMillis,
          updatedAtMillis: nowMillis,
          finishedAtMillis: null
        })
        yield* lists.insert(
          call.plan.rows
            .map(({ maximum, request }) => ({ maximum, input: encode(request) as JsonObject }))
            .map(({ input, maximum }, index): ListRow => ({
              workspaceId,
              operationId,
              index,
              rowId: ids.next(nowMillis),
              listRequestId: requestId,
              state: RowMachine.initial,
              maximum,
              charged: fromMicros(0n),
              input,
              body: null,
              uploaded: call.uploaded?.[index] ?? null,
              addressHash: call.uploaded === null ? null : hashOf(input),
              endedAtMillis: null
            }))
        )
        return yield* call.acceptIn(
          { operation_id: operationId, kind: verb.name, status: "queued", total: call.plan.rows.length },
          [operationJob({ workspaceId, operationId })]
        )
      }).pipe(atomically)
  })
})

/** The single call of a row, by the list's kind. */
export const singles = Effect.map(enrich, (enriching): Singles => ({
  verify_emails: { verb: VerifyEmail, handler: verifyEmail },
  enrich_people: { verb: Enrich, handler: enriching },
  find_intent_of_list: { verb: FindIntent, handler: findIntent }
}))

export const verifyEmails = Effect.gen(function* () {
  const list = yield* makeList
  const { verify_emails } = yield* singles
  return list<typeof VerifyEmails, typeof VerifyEmail>(VerifyEmails, verify_emails, ({ emails }) =>
    emails.map((email) => ({ email }))
  )
})

export const enrichPeople = Effect.gen(function* () {
  const list = yield* makeList
  const { enrich_people } = yield* singles
  return list<typeof EnrichPeople, typeof Enrich>(EnrichPeople, enrich_people, ({ people, route, want }) =>
    people.map((person) => ({
      person,
      ...(want === undefined ? {} : { want }),
      ...(route === undefined ? {} : { route })
    }))
  )
})

export const findIntentOfList = Effect.gen(function* () {
  const list = yield* makeList
  const { find_intent_of_list } = yield* singles
  return list<typeof FindIntentOfList, typeof FindIntent>(
    FindIntentOfList,
    find_intent_of_list,
    ({ company_domains, signals }) =>
      company_domains.map((domain) => ({
        company_domains: [domain],
        ...(signals === undefined ? {} : { signals })
      }))
  )
})
