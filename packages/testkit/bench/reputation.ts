/**
 * `npm run bench -- reputation`: receivers with hidden rules, under what the service does and under the ramp by age (`seeds.ts`). `TIMES`:
 * of a sender that is so many times as large, which is printed and not written down.
 */
import { countsOf, FOUND_WITHIN } from "@outbound/testkit/reputation/figures.js"
import { POLICIES, type PolicyName, simulateReputation } from "@outbound/testkit/reputation/simulate.js"
import { machine, n, row, tell } from "./Report.js"
import { runSeeds } from "./seeds.js"

const COLUMNS: Readonly<Record<PolicyName, string>> = {
  age: "ramp by age",
  use: "ramp by use",
  two: "and letters to 2 receivers",
  all: "to all 8"
}
const NAMES = Object.keys(COLUMNS) as ReadonlyArray<PolicyName>

const TIMES = Number(process.env.TIMES ?? 1)

const named = (policy: PolicyName, seed: number) =>
  Object.entries(countsOf(simulateReputation(seed, POLICIES[policy], TIMES))).map(
    ([name, count]) => [`${policy} ${name}`, count] as const
  )

await runSeeds(
  import.meta.url,
  1_000,
  (seed) =>
    Promise.resolve({ counts: Object.fromEntries(NAMES.flatMap((policy) => named(policy, seed))), broken: null }),
  ({ counts, runs, seconds, threads }) => {
    const of = (policy: PolicyName, name: string): number => counts[`${policy} ${name}`] ?? 0
    const percent = (part: number, whole: number, digits = 1) => `${n((100 * part) / Math.max(1, whole), digits)} %`
    const line = (what: string, figure: (policy: PolicyName) => string) => row([what, ...NAMES.map(figure)])
    const share = (what: string, part: string, whole: string) =>
      line(what, (policy) => `${percent(of(policy, part), of(policy, whole))} of ${of(policy, whole)}`)
    const part = (what: string, name: string, whole: string) =>
      line(what, (policy) => percent(of(policy, name), of(policy, whole)))
    const perThousand = (what: string, name: string, whole: string) =>
      line(what, (policy) => n((1_000 * of(policy, name)) / of(policy, whole), 2))
    const table = [
      row(["", ...NAMES.map((name) => COLUMNS[name])]),
      row(["---", ...NAMES.map(() => "---:")]),
      line("messages tried", (policy) => of(policy, "messages").toLocaleString("en")),
      line("days of a run", (policy) => n(of(policy, "days") / runs)),
      line("letters to own mailboxes in a run", (policy) => n(of(policy, "letters") / runs)),
      share(`degraded pairs found within ${FOUND_WITHIN} messages`, "found", "degraded"),
      share("of these, where the receiver blocks", "blocksFound", "blocks"),
      share("where it throttles", "throttlesFound", "throttles"),
      share("where it only files mail as junk", "junksFound", "junks"),
      line(
        "healthy pairs rested",
        (policy) => `${percent(of(policy, "healthyRested"), of(policy, "healthy"), 2)} of ${of(policy, "healthy")}`
      ),
      part("healthy pairs slowed at some time", "healthySlowed", "healthy"),
      perThousand("refused, of 1,000 messages", "refused", "messages"),
      perThousand("filed as junk, of 1,000", "junked", "messages"),
      perThousand("complaints, of 1,000 messages in the inbox", "complaints", "inboxed"),
      perThousand("of 1,000 messages tried", "complaints", "messages"),
      perThousand("complaints that senders are told of, of 1,000 in the inbox", "heard", "inboxed"),
      part("of all complaints, after one was heard of the same domain at the receiver", "repeated", "complaints"),
      part("after one was heard of the same domain at any receiver", "repeatedOfDomain", "complaints"),
      line("days for which the largest receiver has a rate", (policy) => of(policy, "rates").toLocaleString("en"))
    ].join("\n")
    if (TIMES !== 1) return console.log(table)
    tell(
      "reputation",
      table,
      `## Receivers with hidden rules

\`npm run bench -- reputation\`: ${runs.toLocaleString("en")} worlds, each by its seed, in ${n(seconds)} s on ${threads} threads of
${machine}. In each, 12 new mailboxes of 3 domains write to people at 8 receivers, two of which have two thirds of the mail, until
3,500 messages lie in an inbox; half of the mailboxes stand idle for some weeks. A receiver judges each domain by rules that the sender
doesn't see: a volume that it tolerates, and how much more each day; the complaints of a month; bounces. Of what it thinks little of it files
80 % as junk, throttles 40 % or blocks 90 %; each receiver does some of these, the mildest first. One pair in ten is shunned for 20
days for no reason. Who complains, who hears of it and when, and where letters between own mailboxes go is
[defined in its record](decisions/0159-what-measures-find.md). What sends is the service's own rules: the ramp, the rests, the breaker, and
which letters are sent and what they prove.

A pair is a domain and a receiver. It is degraded from the first message to which the receiver reacts, and found once the service
halves the domain's ramp towards it or lets a mailbox rest there.

${table}

Complaints do not fall. A rule can only act on what it hears: of all complaints under the ramp by age
${percent(of("age", "repeated"), of("age", "complaints"))} come after one was heard of the same domain at the same receiver, so no rule that tightens
there can take more. Even to stop a domain for good at its first complaint would take ${percent(of("age", "repeatedOfDomain"), of("age", "complaints"))} at
most. \`TIMES=4\` shows a sender that is four times as large, of whom more is heard.`
    )
  }
)
