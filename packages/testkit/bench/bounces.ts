/**
 * `npm run bench -- bounces`: how we recognise bounces and complaints that nobody here wrote. `BENCH_EMAILS` is a checkout of
 * `sisimai/set-of-emails`, `BENCH_TRUTH` one of `sisimai/rb-sisimai`, whose tests say what each message means.
 */
import { readContent } from "@outbound/adapters/mail/received.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { row, tell } from "./Report.js"

const folderOf = (name: string): string => {
  const folder = process.env[name]
  if (folder === undefined) {
    console.error(`Set ${name} to a checkout: sisimai/set-of-emails (BENCH_EMAILS), sisimai/rb-sisimai (BENCH_TRUTH).`)
    process.exit(2)
  }
  return folder
}

const EMAILS = join(folderOf("BENCH_EMAILS"), "maildir/bsd")
const TRUTH = join(folderOf("BENCH_TRUTH"), "test/public")

/** What says nothing about whether an address exists: nobody may be suppressed for it. */
const EXCUSES = new Set(
  `authfailure badreputation blocked contenterror exceedlimit expired mailboxfull emailtoolarge mesgtoobig networkerror
  norelaying notcompliantrfc policyviolation ratelimited rejected requireptr securityerror spamdetected speeding systemerror
  systemfull toomanyconn virusdetected failedstarttls`.split(/\s+/)
)

/** The reasons that its authors give for each message of a kind. A message may name several people. */
const truthOf = (kind: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const text = readFileSync(join(TRUTH, `${kind}.rb`), "utf8")
  return new Map(
    text
      .split(/^\s+(?='\d+')/m)
      .slice(1)
      .map((part) => [
        /^'(\d+)'/.exec(part)?.[1] ?? "",
        [...part.matchAll(/\['[\d.]*',\s*'\d*',\s*'(\w+)'/g)].map(([, reason = ""]) => reason)
      ])
  )
}

const files = readdirSync(EMAILS).flatMap((file) => {
  const [, kind = "", index = ""] = /^(.+)-(\d+)\.eml$/.exec(file) ?? []
  return kind === "" ? [] : [{ file, kind, index }]
})
const kinds = new Set(files.map(({ kind }) => kind))
const known = new Map(
  readdirSync(TRUTH).flatMap((name) => {
    const kind = name.replace(".rb", "")
    return kinds.has(kind) ? [[kind, truthOf(kind)] as const] : []
  })
)

const counts = {
  bounces: 0,
  recognised: 0,
  answers: 0,
  automatic: 0,
  complaints: 0,
  heard: 0,
  excused: 0,
  suppressed: 0
}
for (const { file, index, kind } of files) {
  const reasons = known.get(kind)?.get(index)
  if (reasons === undefined || reasons.length === 0 || reasons.includes("vacation")) continue
  const mail = recognise(await readContent(readFileSync(join(EMAILS, file)), false))
  if (reasons.every((reason) => reason === "feedback")) {
    counts.complaints += 1
    if (mail.kind === "complaint") counts.heard += 1
    else console.log(`${file}: a complaint, read as ${mail.kind}`)
    continue
  }
  counts.bounces += 1
  if (mail.kind === "bounce" || mail.kind === "complaint") counts.recognised += 1
  else console.log(`${file}: ${reasons.join(", ")}, read as ${mail.kind}`)
  if (mail.kind === "reply") counts.answers += 1
  if (mail.kind === "automatic") counts.automatic += 1
  if (!reasons.every((reason) => EXCUSES.has(reason))) continue
  counts.excused += 1
  if (mail.kind !== "bounce" || mail.isDelay || mail.bounce.type !== "hard") continue
  counts.suppressed += 1
  console.log(`${file}: ${reasons.join(", ")}, suppressed as ${mail.bounce.reason}: ${mail.bounce.says}`)
}

const table = [
  row(["messages", "", "of"]),
  row(["---", "---:", "---:"]),
  row(["bounces recognised", String(counts.recognised), String(counts.bounces)]),
  row(["bounces taken for a person's answer", String(counts.answers), String(counts.bounces)]),
  row(["bounces taken for automatic mail", String(counts.automatic), String(counts.bounces)]),
  row([
    "policy, reputation, rate, full, expired and their like: suppressed",
    String(counts.suppressed),
    String(counts.excused)
  ]),
  row(["complaints heard", String(counts.heard), String(counts.complaints)])
].join("\n")

tell(
  "bounces",
  table,
  `## Bounces of others' mail

What we make of the reports in \`sisimai/set-of-emails\`, beside what the tests of \`sisimai/rb-sisimai\` say that they mean. Neither is
in this repository: \`BENCH_EMAILS\` and \`BENCH_TRUTH\` name checkouts of both. Only an address that is proven not to exist is
suppressed ([0041](decisions/0041-bounces-by-evidence.md)).

${table}
`
)
