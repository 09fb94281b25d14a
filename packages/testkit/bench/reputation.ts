/** `npm run bench -- reputation`: receivers with hidden rules, under the ramp by use and the one by age (`seeds.ts`). */
import { countsOf, FOUND_WITHIN } from "@outbound/testkit/reputation/figures.js"
import { simulateReputation } from "@outbound/testkit/reputation/simulate.js"
import { machine, n, row, tell } from "./Report.js"
import { runSeeds } from "./seeds.js"

const named = (policy: "use" | "age", seed: number) =>
  Object.entries(countsOf(simulateReputation(seed, policy))).map(
    ([name, count]) => [`${policy} ${name}`, count] as const
  )

await runSeeds(
  import.meta.url,
  1_000,
  (seed) =>
    Promise.resolve({ counts: Object.fromEntries([...named("use", seed), ...named("age", seed)]), broken: null }),
  ({ counts, runs, seconds, threads }) => {
    const of = (policy: "use" | "age", name: string): number => counts[`${policy} ${name}`] ?? 0
    const percent = (part: number, whole: number) => `${n((100 * part) / Math.max(1, whole), 1)} %`
    const found = (policy: "use" | "age", reaction: string) =>
      `${percent(of(policy, `${reaction}Found`), of(policy, reaction))} of ${of(policy, reaction)}`
    const perThousand = (policy: "use" | "age", name: string) =>
      n((1_000 * of(policy, name)) / of(policy, "messages"), 2)
    const line = (what: string, figure: (policy: "use" | "age") => string) => row([what, figure("use"), figure("age")])
    const table = [
      row(["", "ramp by use", "ramp by age"]),
      row(["---", "---:", "---:"]),
      line("messages tried", (policy) => of(policy, "messages").toLocaleString("en")),
      line("days of a run", (policy) => n(of(policy, "days") / runs)),
      line(
        `degraded pairs found within ${FOUND_WITHIN} messages`,
        (policy) => `${percent(of(policy, "found"), of(policy, "degraded"))} of ${of(policy, "degraded")}`
      ),
      line("of these, where the receiver blocks", (policy) => found(policy, "blocks")),
      line("where it throttles", (policy) => found(policy, "throttles")),
      line("where it only files mail as junk", (policy) => found(policy, "junks")),
      line(
        "healthy pairs rested",
        (policy) => `${percent(of(policy, "healthyRested"), of(policy, "healthy"))} of ${of(policy, "healthy")}`
      ),
      line("healthy pairs slowed at some time", (policy) =>
        percent(of(policy, "healthySlowed"), of(policy, "healthy"))
      ),
      line("refused, of 1,000 messages", (policy) => perThousand(policy, "refused")),
      line("filed as junk, of 1,000", (policy) => perThousand(policy, "junked")),
      line("complaints, of 1,000", (policy) => perThousand(policy, "complaints")),
      line("complaints that senders are told of, of 1,000", (policy) => perThousand(policy, "heard"))
    ].join("\n")
    tell(
      "reputation",
      table,
      `## Receivers with hidden rules

\`npm run bench -- reputation\`: ${runs.toLocaleString("en")} worlds, each by its seed, in ${n(seconds)} s on ${threads} threads of
${machine}. In each, 12 new mailboxes of 3 domains write to people at 8 receivers, two of which have two thirds of the mail, until
4,000 messages were tried; half of the mailboxes stand idle for some weeks. A receiver judges each domain by rules that the sender
doesn't see: a volume that it tolerates, and how much more each day; complaints; bounces. Of what it thinks little of it files
80 % as junk, throttles 40 % or blocks 90 %; each receiver does some of these, the mildest first. One pair in ten is shunned for 20
days for no reason. 15 % of the pairs have people who report 1 to 3 % of what they find in their inbox; who finds it in the junk
folder reports it to nobody. The largest receiver tells nobody of complaints, and two fifths of the others neither. What sends is
the service's own rules: the ramp, the rests and the breaker, with or without the ramp by use.

A pair is a domain and a receiver. It is degraded from the first message to which the receiver reacts, and found once the service
halves the domain's ramp towards it or lets a mailbox rest there.

${table}

What only a look into the inbox would show is not found: mail that is filed as junk is taken without a word. And at the same number of
messages the complaints do not fall. Most are told to nobody, so no rule can follow them; and the ramp by age sent so much more
into junk folders, where nobody complains.`
    )
  }
)
