/** DNS blocklists (RFC 5782): what is asked, and what an answer means. */
import { Context, Effect, Option, Result } from "effect"
import { DomainRecords, type RecordsUnavailable } from "../mail/DomainRecords.js"
import type { Listed } from "../authentication/Look.js"
import { repaired } from "../../kernel/text.js"

/** A list that the operator has chosen, of domains or of IPv4 addresses. */
export interface Blocklist {
  readonly zone: string
  readonly of: "domain" | "address"
}

export const BLOCKLISTS_MAX = 20

/** Most addresses of a domain's own servers that are asked about. */
export const ADDRESSES_MAX = 10

const SAYS_CHARS_MAX = 300

/** The lists that this host asks. Nobody is asked by default: each list has terms of its own. */
export class Blocklists extends Context.Service<Blocklists, ReadonlyArray<Blocklist>>()(
  "@outbound/domain/outreach/reputation/blocklists/Blocklists"
) {}

/** `refused`: the list does not serve this resolver, or does not work as a list. `silent`: it did not answer. */
export type ListAnswer =
  | { readonly _tag: "listed"; readonly says: string }
  | { readonly _tag: "clear" | "refused" | "silent" }

/** The name to ask for. */
export const askedName = ({ of, zone }: Blocklist, subject: string): string =>
  `${of === "address" ? subject.split(".").toReversed().join(".") : subject}.${zone}`

/** What no list may ever list (RFC 5782 §5). A zone that does has ended, or somebody answers for it. */
const NEVER_LISTED = { domain: "invalid", address: "127.0.0.1" } as const

/**
 * The meaning of the addresses that a list answers with. Its own errors are no listing: Spamhaus answers 127.255.255.x
 * and 127.0.1.255, URIBL and SURBL 127.0.0.1. An address outside 127/8 is not a list's at all.
 */
export const meaningOf = (answers: ReadonlyArray<string>): "listed" | "clear" | "refused" => {
  if (answers.length === 0) return "clear"
  const isListing = (answer: string) =>
    answer.startsWith("127.") &&
    !answer.startsWith("127.255.255.") &&
    answer !== "127.0.1.255" &&
    answer !== "127.0.0.1"
  return answers.every(isListing) ? "listed" : "refused"
}

/** Asks one list about one domain or address. */
export const askList = (
  records: DomainRecords["Service"],
  list: Blocklist,
  subject: string
): Effect.Effect<ListAnswer> =>
  Effect.gen(function* () {
    const name = askedName(list, subject)
    const found = meaningOf(yield* records.a(name))
    if (found !== "listed") return { _tag: found } as const
    if (meaningOf(yield* records.a(askedName(list, NEVER_LISTED[list.of]))) !== "clear") {
      return { _tag: "refused" } as const
    }
    const texts = Result.getOrElse(yield* Effect.result(records.txt(name)), () => [] as ReadonlyArray<string>)
    return { _tag: "listed", says: repaired(texts.join(" ").slice(0, SAYS_CHARS_MAX)) } as const
  }).pipe(Effect.catchTag("RecordsUnavailable", (_: RecordsUnavailable) => Effect.succeed({ _tag: "silent" } as const)))

/** Asks this host's lists of domains about one, one after the other. A list that says nothing changes nothing of what is known. */
export const makeAskDomainLists = Effect.gen(function* () {
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))
  const all = Option.getOrElse(yield* Effect.serviceOption(Blocklists), (): ReadonlyArray<Blocklist> => [])
  const lists = all.filter(({ of }) => of === "domain")
  return (domain: string, known: ReadonlyArray<Listed>): Effect.Effect<ReadonlyArray<Listed>> =>
    records === null
      ? Effect.succeed(known)
      : Effect.map(
          Effect.forEach(lists, (list) =>
            Effect.map(askList(records, list, domain), (answer): ReadonlyArray<Listed> => {
              if (answer._tag === "listed") return [{ zone: list.zone, says: answer.says }]
              return answer._tag === "clear" ? [] : known.filter(({ zone }) => zone === list.zone)
            })
          ),
          (found) => found.flat()
        )
})
