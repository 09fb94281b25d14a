/** `npm run loop -- --open`: the whole loop in a live workspace, with every source that needs no account on stand-ins. */
import type { RecipientField } from "@outbound/domain/verbs/campaignFields.js"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { costs, happened } from "../Account.js"
import { Agent, pause } from "../Agent.js"
import { Approver } from "../Approval.js"
import { ownFolder, ownService } from "../directory/OwnService.js"
import * as Steps from "../directory/steps.js"
import * as Loop from "../loop.js"
import { operator, type OperatorOptions } from "../Operator.js"
import { cost, count, say, step } from "../Progress.js"
import { type OpenMail, openMail } from "./mail.js"
import { openProviders, presetIn } from "./providers.js"
import { QUESTIONS, WrongAnswer } from "./questions.js"
import { type OpenSources, openSources } from "./sources.js"
import { ALL, companiesCsv, COUNTRY, overtureLines, PEOPLE, peopleCsv, SENDER } from "./world.js"

/** Mail that leaves names an address that its readers could reach, as if a proxy stood before the service. */
const PUBLIC_URL = "https://loop.outbound.test"
const CREDITS = "1000"
const SCOPES = ["data:read", "usage:read", "campaign:write", "campaign:launch", "trail:read"]
/** Mail takes its way from one server to another, and its answer the way back. */
const QUIET_MILLIS = 60_000

/** At any hour, so that the loop never has to wait for the morning. */
const ALWAYS = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  start_hour: 0,
  end_hour: 24
}

const answersOf = (email: string) => PEOPLE.find((person) => person.email === email)?.answers ?? null

type Revealed = RecipientField & { readonly email: string }

/** Whom the mail servers prove. A failure says which answer contradicts them. */
const reveal = async (agent: Agent, leads: ReadonlyArray<Steps.Lead>): Promise<ReadonlyArray<Revealed>> => {
  step("Reveal work emails (POST /v1/enrich): the list's own, else made of the name and proved by the mail server")
  const found: Array<Revealed> = []
  for (const { company_domain, company_name, full_name } of leads) {
    const person = { full_name, company_domain }
    const { available, charged, result } = await agent.act("/v1/enrich", { person, want: ["work_email"] })
    const email: string | null = result.contact?.work_email ?? null
    say(`${full_name}: ${result.outcome}${email === null ? "" : ` ${email}`}`)
    cost(charged, available)
    if (email === null || email !== PEOPLE.find(({ name }) => name === full_name)?.email) {
      throw new WrongAnswer(`${full_name} has another address than ${email ?? "none"}.`)
    }
    const [first_name = "", ...rest] = (full_name ?? "").split(" ")
    found.push({ email, first_name, last_name: rest.join(" "), company_name: company_name ?? "" })
  }
  return found
}

const ask = async (agent: Agent): Promise<ReadonlySet<string>> => {
  const rows = new Set<string>()
  for (const { body, path, row, shows } of QUESTIONS) {
    step(`Ask about ${row} (POST ${path})`)
    const { available, charged, result } = await agent.act(path, body)
    say(shows(result))
    cost(charged, available)
    rows.add(row)
  }
  return rows
}

/** The same questions, about lists: each is worked off beside the calls. */
const askLists = async (agent: Agent, people: ReadonlyArray<Revealed>): Promise<void> => {
  const company_domains = ALL.map(({ domain }) => domain)
  const persons = PEOPLE.map(({ email, name }) => ({
    full_name: name,
    company_domain: email.slice(email.indexOf("@") + 1)
  }))
  const lists = [
    ["/v1/verify_emails", { emails: people.map(({ email }) => email) }],
    ["/v1/enrich_people", { people: persons, want: ["work_email"] }],
    ["/v1/find_intent_of_list", { company_domains, signals: ["hiring"] }]
  ] as const
  for (const [path, body] of lists) {
    step(`Ask about a list (POST ${path})`)
    const { operation_id, total } = (await agent.act(path, body)).result
    const ended = await Loop.operation(agent, operation_id)
    const { rows } = (await agent.get(`/v1/operations/${operation_id}/results`)).result
    const done = rows.filter(({ status }: { readonly status: string }) => status === "done").length
    say(`${ended.status}: ${done} of ${count(total, "row", "rows")} answered.`)
    if (done !== total) throw new WrongAnswer(`Rows of ${path} have no answer: ${JSON.stringify(rows)}`)
  }
}

/** Mailboxes with real SMTP and IMAP, one for each person: a new one rests up to an hour between two messages. */
const addMailboxes = async (workspaceId: string, mail: OpenMail, number: number, options: OperatorOptions) => {
  step("Add own mailboxes (outbound mailbox add), and look at their domain")
  const { imapPort, smtpPort } = mail.server
  const servers = ["--smtp", `smtp://127.0.0.1:${smtpPort}`, "--imap", `imap://127.0.0.1:${imapPort}`]
  for (let at = 1; at <= number; at++) {
    const address = `alex${at}@${SENDER.domain}`
    mail.server.addMailbox(address, mail.password)
    const whose = ["--workspace", workspaceId, "--address", address, "--name", SENDER.name]
    const secret = ["--password-env", "LOOP_PASSWORD", "--dkim-selector", SENDER.selector]
    const { checks } = await operator(["mailbox", "add", ...whose, ...servers, ...secret], options)
    say(`${address}: sends (${checks.send.state}), is read (${checks.read.state})`)
  }
  const records = ["--dkim", `${SENDER.selector} TXT ${mail.dkim}`, "--spf", SENDER.spf]
  const added = await operator(
    ["domain", "add", "--workspace", workspaceId, "--domain", SENDER.domain, ...records],
    options
  )
  const planned: ReadonlyArray<{ readonly record: string; readonly state: string }> = added.records
  say(`${SENDER.domain}: ${planned.map(({ record, state }) => `${record} ${state}`).join(", ")}`)
}

const watched = async (agent: Agent): Promise<void> => {
  step("Look at the sending domain (GET /v1/sending/health)")
  const { result } = await agent.get("/v1/sending/health")
  const [domain] = result.domains
  const { dkim, dmarc, mx, spf } = domain ?? {}
  if (domain?.domain !== SENDER.domain || spf.status !== "pass" || dkim.status !== "pass" || dmarc.status !== "pass") {
    throw new WrongAnswer(`The domain's records are there, but not seen: ${JSON.stringify(result.domains)}`)
  }
  say(`${domain.domain}: SPF ${spf.status}, DKIM ${dkim.status}, DMARC ${dmarc.status}, MX ${mx.status}.`)
}

interface Place {
  readonly url: string
  readonly options: OperatorOptions
  readonly files: Readonly<Record<"people" | "companies" | "places", string>>
  readonly mail: OpenMail
  readonly sources: OpenSources
}

/** A live workspace, and a key of it. */
const makeKey = async (options: OperatorOptions) => {
  step("Create a live workspace and a key (the operator's program)")
  const ownerEmail = `owner@${SENDER.domain}`
  const about = ["--name", "Loop", "--kind", "live", "--owner-email", ownerEmail, "--credits", CREDITS]
  const postal = ["--postal-address", "1 Harbor Street, Springfield"]
  const { workspace_id: id } = await operator(["workspace", "create", ...about, ...postal], options)
  const scopes = SCOPES.flatMap((scope) => ["--scope", scope])
  const made = await operator(["key", "create", "--workspace", id, "--name", "loop", ...scopes], options)
  say(`Workspace ${id} with ${CREDITS} credits, key ${made.key_id}.`)
  return { apiKey: String(made.api_key), workspace: { id: String(id), kind: "live", ownerEmail } as const }
}

const checkSources = async (options: OperatorOptions): Promise<void> => {
  step("Check the sources (outbound providers check)")
  const { checks } = await operator(["providers", "check"], options)
  const named = checks.map(({ name, state }: Readonly<Record<string, string>>) => `${name} ${state}`)
  say(named.join(", "))
}

const importPlaces = async (file: string, options: OperatorOptions): Promise<void> => {
  step("Import published places (outbound directory import --from overture)")
  const read = await operator(["directory", "import", "--from", "overture", "--part", "springfield", file], options)
  say(`${count(read.records, "record", "records")}: ${read.added} added.`)
}

const walk = async ({ files, mail, options, sources, url }: Place): Promise<void> => {
  await checkSources(options)
  const { apiKey, workspace } = await makeKey(options)
  const agent = new Agent(url, apiKey, say)
  const me = await Loop.introduce(agent)
  for (const list of [files.people, files.companies]) await Steps.importList(list, workspace.id, options)
  await importPlaces(files.places, options)

  const answered = new Set(await ask(agent))
  const search = { audience: `People in sales in the ${COUNTRY}`, titles: ["Sales"], locations: [COUNTRY] }
  const leads = await Steps.findLeads(agent, { body: search, words: search.audience }, "in the lists")
  const recipients = await reveal(agent, leads)
  answered.add("reveal work addresses")
  const statuses = await Steps.verify(agent, [
    ...recipients.map(({ email }) => ({ email, why: null })),
    { email: Steps.nobodyAt(ALL[0]?.domain ?? ""), why: "nobody" }
  ])
  if ([...statuses.values()].join() !== [...recipients.map(() => "valid"), "invalid"].join()) {
    throw new WrongAnswer(`The verifier contradicts the mail servers: ${JSON.stringify([...statuses])}`)
  }
  answered.add("verify addresses")
  await askLists(agent, recipients)

  await addMailboxes(workspace.id, mail, recipients.length, options)
  answered.add("set up a sending domain")
  const approver = new Approver(agent, workspace, true, {
    options,
    proxied: { publicUrl: PUBLIC_URL, reachedAt: url }
  })
  const campaignId = await Loop.campaign(agent, approver, recipients, { schedule: ALWAYS })
  const expected = recipients.flatMap(({ email }) => answersOf(email) ?? [])
  const replies = await Loop.listen(agent, campaignId, expected, QUIET_MILLIS)
  await Loop.follow(agent, replies)
  // Who never answers is written to as well.
  for (const until = Date.now() + QUIET_MILLIS; mail.server.delivered.length < recipients.length;) {
    if (Date.now() > until) break
    await pause(1_000)
  }
  if (mail.server.delivered.length !== recipients.length) {
    throw new WrongAnswer(`${mail.server.delivered.length} messages left for ${recipients.length} people.`)
  }
  say(`The mail server took ${count(mail.server.delivered.length, "message", "messages")}, one for each person.`)
  answered.add("send and receive mail")
  await watched(agent)
  answered.add("watch a sending domain")
  await costs(agent)
  await happened(agent, campaignId, me.scopes.includes("trail:read"))

  step("What answered, without a vendor")
  for (const row of answered) say(`answered: ${row}`)
  const asked = [...sources.asked()].map(([who, number]) => `${who} ${number}`)
  say(`Requests by host and source: ${asked.join(", ")}. Recipients that the prober named: ${mail.asked()}.`)
  process.stdout.write(
    `\nDone. ${answered.size} kinds of questions answered, ${count(recipients.length, "person", "people")} written to, ` +
      `${count(replies.length, "reply", "replies")}. No vendor was used.\n`
  )
}

/** The files that a reader of the guide would have. */
const written = (folder: string): Place["files"] => {
  const files = {
    people: join(folder, "people.csv"),
    companies: join(folder, "companies.csv"),
    places: join(folder, "places.jsonl")
  }
  writeFileSync(files.people, peopleCsv())
  writeFileSync(files.companies, companiesCsv())
  writeFileSync(files.places, overtureLines())
  return files
}

/** Ends, with everything that it started, when it is interrupted. */
export const openLoop: Effect.Effect<void, unknown> = Effect.scoped(
  Effect.gen(function* () {
    step("Start stand-ins of companies' websites, public sources and mail servers")
    const folder = yield* ownFolder
    const [sources, mail] = [yield* openSources, yield* openMail]
    say(
      `Websites and sources at 127.0.0.1:${sources.port}, names at ${mail.resolver}, mail at 127.0.0.1:${mail.smtpPort}.`
    )
    say("Their companies and people are made up. What speaks with them is the service as it is.")
    step("Write a configuration (outbound providers init --open)")
    const preset = join(folder, "providers.json")
    yield* Effect.tryPromise((signal) => operator(["providers", "init", "--open", "--file", preset], { signal }))
    const providers = openProviders(presetIn(readFileSync(preset, "utf8")), sources, mail)
    say("Added: addresses of the stand-ins, a contact for the SEC, a key for YouTube, and a model.")
    step("Start a service (outbound serve)")
    const secrets = { YOUTUBE_KEY: "loop", LOOP_PASSWORD: mail.password, OUTBOUND_BASE_URL: PUBLIC_URL }
    const { ended, environment, url } = yield* ownService({ providers, environment: secrets })
    say(`It is ready at ${url} with its own database. All of it is removed at the end.`)
    const files = written(folder)
    const work = Effect.tryPromise({
      try: (signal) => walk({ url, options: { environment, signal }, files, mail, sources }),
      catch: (error) => error
    })
    yield* Effect.raceFirst(work, ended)
  })
)
