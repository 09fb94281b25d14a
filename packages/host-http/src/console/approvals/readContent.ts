import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { type ContentSummary, LOOK_KINDS } from "@outbound/domain/calls/approvals/Snapshot.js"
import type {
  ContentDifference,
  ContentStore,
  ShownFilter,
  ShownPerson
} from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Effect, Option } from "effect"
import { SAMPLES_MAX, type Samples } from "./LooksSection.js"
import { FIRST_PEOPLE_MAX } from "./PeopleSection.js"

export const EVERYBODY: ShownFilter = { text: null, look: null, host: null, having: null }

/** One person of a request, and who stands beside them in the order of the people. */
export interface OnePerson {
  readonly person: ShownPerson
  /** Ids; null: there is nobody. */
  readonly before: string | null
  readonly after: string | null
}

/** What a request's page shows of its messages. */
export interface PageContent {
  readonly summary: ContentSummary
  /** Whose messages stand there whole: the first person, or who was asked for; null: the people are not kept any more. */
  readonly example: OnePerson | null
  readonly samples: Samples
  /** The first people, or those that match the search; one more than is shown if there are more. */
  readonly people: ReadonlyArray<ShownPerson>
  readonly difference: ContentDifference | null
}

/** A fixed number of bounded reads, however many people there are. Null: the request has no merged messages. */
export const readContent = (
  content: ContentStore["Service"],
  { approvalId, snapshot, workspaceId }: Approval,
  options: { readonly text: string | null; readonly lead: string | null; readonly earlier: Approval | null }
) =>
  Effect.gen(function* () {
    const summary = "content" in snapshot ? snapshot.content : undefined
    if (summary === undefined) return null
    const first = (filter: Partial<ShownFilter>, limit: number) =>
      content.people(workspaceId, approvalId, { ...EVERYBODY, ...filter }, { after: null, limit })
    const people = yield* first({}, FIRST_PEOPLE_MAX + 1)
    const kinds = LOOK_KINDS.filter((kind) => (summary.looks[kind] ?? 0) > 0)
    const samples = Object.fromEntries(
      yield* Effect.forEach(kinds, (look) =>
        Effect.map(first({ look }, SAMPLES_MAX), (found) => [look, found] as const)
      )
    ) as Samples
    const asked =
      options.lead === null ? null : Option.getOrNull(yield* content.person(workspaceId, approvalId, options.lead))
    const beside = (page: { readonly after: string | null; readonly before?: string }) =>
      Effect.map(
        content.people(workspaceId, approvalId, EVERYBODY, { ...page, limit: 1 }),
        ([one]) => one?.shownId ?? null
      )
    const [head] = people
    const example: OnePerson | null =
      asked !== null
        ? {
            person: asked,
            before: yield* beside({ after: null, before: asked.shownId }),
            after: yield* beside({ after: asked.shownId })
          }
        : head === undefined
          ? null
          : { person: head, before: null, after: people[1]?.shownId ?? null }
    const { earlier } = options
    const page: PageContent = {
      summary,
      example,
      samples,
      people: options.text === null ? people : yield* first({ text: options.text }, FIRST_PEOPLE_MAX + 1),
      difference:
        earlier === null || !("content" in earlier.snapshot)
          ? null
          : yield* content.differences(workspaceId, earlier.approvalId, approvalId)
    }
    return page
  })
