/**
 * Many own mailboxes: how fast a host signs in to them, what it needs while nothing happens, how much it sends, and how long a
 * reply takes from its arrival in the mailbox until its writer is suppressed.
 */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import * as PgApprovalStore from "@outbound/adapters/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "@outbound/adapters/postgres/PgCampaignStore.js"
import * as PgOwnMailboxStore from "@outbound/adapters/postgres/PgOwnMailboxStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgSendingStore from "@outbound/adapters/postgres/PgSendingStore.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import * as PgWorkspaceStore from "@outbound/adapters/postgres/PgWorkspaceStore.js"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { givenWorkspace } from "@outbound/testkit/contracts/fixtures.js"
import { givenLaunched, makeMailbox } from "@outbound/testkit/contracts/outboundFixtures.js"
import { sendsElsewhere } from "@outbound/testkit/service/sendsElsewhere.js"
import { Effect, Layer, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type Bed, onBed } from "./Bed.js"
import { addressOf } from "./mailboxServer.js"
import { SECRET, type Server, serveOutbound } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"

const PROGRAM = join(import.meta.dirname, "../../../outbound/bin/outbound.mjs")
const SERVER = join(import.meta.dirname, "mailboxServer.js")

const PASSWORD = "correct horse battery"
const DOMAIN_SIZE = 5
/** Of this many mailboxes each workspace has, as the largest may. */
const WORKSPACE_SIZE = 500
const SENDS_EACH = 2
/** A thousand mailboxes at their caps hear from about a thousand people a day; here, from as many in some minutes. */
const ANSWERS = 100
const ANSWER_EVERY_MILLIS = 500
/** The first load what reads replies. */
const FIRST_ANSWERS = 5
const IDLE_SECONDS = 30
const PAUSE_MILLIS = 250
const PROGRESS_MILLIS = 10_000

const asked = process.env["BENCH_MAILBOXES"]
const isDovecot = process.env["BENCH_IMAP"] === "dovecot"
const SERVER_WORDS = isDovecot
  ? "Dovecot as the IMAP server, the sandbox's own SMTP, in the clear, without delays"
  : "the sandbox's own IMAP and SMTP, in the clear, without\ndelays"
const RUNS: ReadonlyArray<{ readonly mailboxes: number; readonly hosts: number }> =
  asked === undefined
    ? [
        { mailboxes: 1_000, hosts: 1 },
        { mailboxes: 1_000, hosts: 2 }
      ]
    : [{ mailboxes: Number(asked), hosts: Number(process.env["BENCH_HOSTS"] ?? 1) }]

interface MailProcess {
  readonly child: ChildProcess
  readonly port: number
  readonly smtpPort: number
  readonly state: () => Promise<{ readonly connections: number; readonly taken: number }>
  /** When each person answered. */
  readonly answers: ReadonlyMap<string, number>
  readonly answer: (answers: number, everyMillis: number) => void
}

const startMail = async (mailboxes: number): Promise<MailProcess> => {
  const child = spawn(process.execPath, [SERVER, String(mailboxes), String(DOMAIN_SIZE), PASSWORD], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface(child.stdout)
  const answers = new Map<string, number>()
  const waiting: Array<(state: { readonly connections: number; readonly taken: number }) => void> = []
  const [first] = (await once(lines, "line")) as [string]
  const { port, smtpPort } = JSON.parse(first) as { readonly port: number; readonly smtpPort: number }
  lines.on("line", (line) => {
    const said = JSON.parse(line) as Record<string, unknown>
    if (typeof said["answered"] === "string") answers.set(said["answered"], Number(said["atMillis"]))
    else waiting.shift()?.({ connections: Number(said["connections"]), taken: Number(said["taken"]) })
  })
  return {
    child,
    port,
    smtpPort,
    answers,
    state: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin.write("{}\n")
      }),
    answer: (count, everyMillis) => void child.stdin.write(`${JSON.stringify({ answers: count, everyMillis })}\n`)
  }
}

/** Workspaces with mailboxes, each of which has people to write to in a distant future. */
const seed = (mailboxes: number, { port, smtpPort }: MailProcess) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const [sending, owns, crypto] = yield* Effect.all([SendingStore, OwnMailboxStore, Crypto])
    const nowMillis = Date.now()
    const server = (at: number) => ({ host: "127.0.0.1", port: at, security: "none" as const })
    for (let from = 0; from < mailboxes; from += WORKSPACE_SIZE) {
      const caps = { ...DEFAULT_CAPS, dailySends: 1_000_000, mailboxDailySends: 1_000_000 }
      const { workspaceId } = yield* givenWorkspace({ kind: "live", caps })
      const count = Math.min(WORKSPACE_SIZE, mailboxes - from)
      const own = Array.from({ length: count }, (_, index) => {
        const address = addressOf(from + index, DOMAIN_SIZE)
        return makeMailbox({
          workspaceId,
          address,
          domain: address.replace(/^.*@/, ""),
          kind: "own",
          operationId: null,
          upkeepPaidUntilMillis: null,
          createdAtMillis: nowMillis - DAY_MILLIS,
          activeAtMillis: nowMillis - DAY_MILLIS,
          ...sendsElsewhere(nowMillis)
        })
      })
      yield* atomically(
        Effect.andThen(
          sending.insertMailboxes(own),
          Effect.forEach(
            own,
            ({ address, displayName, mailboxId }) =>
              owns.put(
                sealAccount(crypto, {
                  workspaceId,
                  mailboxId,
                  address,
                  displayName,
                  username: address,
                  auth: "password",
                  secret: Redacted.make(PASSWORD),
                  smtp: server(smtpPort),
                  imap: server(port),
                  sentFolder: "Sent",
                  keepsSent: true,
                  keepsMessageIds: true
                })
              ),
            { discard: true }
          )
        )
      )
      const people = Array.from(
        { length: count * SENDS_EACH },
        (_, index) => `person-${from}-${index}@people-${index % 20}.test`
      )
      yield* givenLaunched(workspaceId, own, people, { nextAtMillis: nowMillis + 300 * DAY_MILLIS })
    }
    yield* (yield* SqlClient)`VACUUM ANALYZE`
  })

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const until = async (what: string, secondsMax: number, holds: () => Promise<boolean>): Promise<number> => {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > secondsMax * 1_000) {
      console.error(`${what}: not within ${secondsMax} s`)
      return Number.NaN
    }
    await sleep(PAUSE_MILLIS)
  }
  return (performance.now() - since) / 1_000
}

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

const measure = async (bed: Bed, mailboxes: number, hosts: number): Promise<ReadonlyArray<string>> => {
  const mail = await startMail(mailboxes)
  const pool = PgPool.layer({ url: Redacted.make(bed.url), applicationName: "bench", connectionsMax: 4 })
  const stores = Layer.mergeAll(
    PgApprovalStore.layer,
    PgCampaignStore.layer,
    PgSendingStore.layer,
    PgOwnMailboxStore.layer,
    PgWorkspaceStore.layer,
    NodeCrypto.layer(Redacted.make(SECRET))
  ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool))
  const asking = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof stores>>) =>
    Effect.runPromise(Effect.scoped(Effect.provide(effect, stores)) as Effect.Effect<A, E>)
  const query = (statement: string) =>
    asking(Effect.flatMap(SqlClient, (sql) => sql.unsafe<Readonly<Record<string, unknown>>>(statement, [])))

  const servers: Array<Server> = []
  bed.finally(async () => {
    for (const server of servers) await server.stop()
    const gone = once(mail.child, "exit")
    mail.child.kill("SIGTERM")
    await gone
  })
  const dataDir = mkdtempSync(join(tmpdir(), "outbound-bench-host-"))
  // The first start keeps what the secret's keys are known by.
  await asking(migrate())
  await asking(seed(mailboxes, mail))
  const startedAt = performance.now()
  const each = { OUTBOUND_HELD_MAILBOXES: String(mailboxes), OUTBOUND_BASE_URL: "https://outbound.test" }
  servers.push(
    ...(await Promise.all(Array.from({ length: hosts }, () => serveOutbound(PROGRAM, bed.url, dataDir, 1, each))))
  )
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  const told = setInterval(
    () =>
      void mail
        .state()
        .then(({ connections, taken }) =>
          console.error(
            `${n((performance.now() - startedAt) / 1_000)} s: ${connections} signed in, ${taken} sent, ${n(cpu())} s of CPU`
          )
        ),
    PROGRESS_MILLIS
  )
  bed.finally(() => Promise.resolve(clearInterval(told)))
  const signedIn = await until("signing in", 600, async () => (await mail.state()).connections >= mailboxes)
  const signInSeconds = (performance.now() - startedAt) / 1_000
  const signInCpu = cpu()
  // Each is read once before it may send.
  await sleep(5_000)

  const idleFrom = cpu()
  await sleep(IDLE_SECONDS * 1_000)
  const idleShare = (cpu() - idleFrom) / IDLE_SECONDS
  const idleMegabytes = servers.reduce((sum, server) => sum + server.megabytes(), 0)

  const all = mailboxes * SENDS_EACH
  const sendFrom = cpu()
  await query("UPDATE campaign_leads SET next_at = now()")
  const sendSeconds = await until("sending", 420, async () => (await mail.state()).taken >= all)
  const { taken } = await mail.state()
  const sendCpu = cpu() - sendFrom
  await sleep(3_000)

  mail.answer(FIRST_ANSWERS, ANSWER_EVERY_MILLIS)
  await sleep(15_000)
  const first = new Set(mail.answers.keys())
  const answers = Math.min(ANSWERS, taken - FIRST_ANSWERS)
  const answerFrom = cpu()
  mail.answer(answers, ANSWER_EVERY_MILLIS)
  await sleep(answers * ANSWER_EVERY_MILLIS)
  const suppressed = () =>
    query(`
      SELECT count(*) AS n FROM campaign_leads l WHERE EXISTS (
        SELECT 1 FROM suppressions s WHERE s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash
      )
    `)
  await until("suppressing", 90, async () => Number((await suppressed())[0]?.["n"]) >= answers + FIRST_ANSWERS)
  const answerCpu = cpu() - answerFrom
  const rows = await query(`
    SELECT l.email, extract(epoch FROM min(s.suppressed_at)) * 1000 AS at FROM campaign_leads l
    JOIN suppressions s ON s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash GROUP BY l.email
  `)
  const latencies = rows
    .flatMap(({ at, email }) => {
      const arrived = mail.answers.get(String(email))
      return arrived === undefined || first.has(String(email)) ? [] : [Number(at) - arrived]
    })
    .toSorted((one, other) => one - other)
  if (process.env["BENCH_DECILES"] !== undefined) {
    console.error([0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99].map((share) => n(percentile(latencies, share))).join(" "))
  }
  const peak = servers.reduce((sum, server) => sum + server.peakMegabytes(), 0)
  const heldBy = await query("SELECT held_by, count(*) AS n FROM own_mailboxes GROUP BY held_by ORDER BY n DESC")
  const answerSeconds = (answers * ANSWER_EVERY_MILLIS) / 1_000
  return [
    mailboxes.toLocaleString("en"),
    `${hosts} (${heldBy.map(({ n: held }) => String(held)).join(" + ")})`,
    n(((Number.isNaN(signedIn) ? (await mail.state()).connections : mailboxes) / signInSeconds) * 60),
    n(signInCpu, 1),
    String(idleMegabytes),
    String(peak),
    `${n(100 * idleShare, 1)} %`,
    Number.isNaN(sendSeconds) ? `${taken} of ${all}` : n((taken / sendSeconds) * 3_600),
    n((1_000 * sendCpu) / Math.max(1, taken), 1),
    `${latencies.length} of ${answers}`,
    n(percentile(latencies, 0.5) / 1_000, 2),
    n(percentile(latencies, 0.99) / 1_000, 2),
    n((latencies.at(-1) ?? Number.NaN) / 1_000, 2),
    `${n((100 * answerCpu) / answerSeconds, 0)} %`
  ]
}

const lines: Array<string> = []
for (const { hosts, mailboxes } of RUNS) {
  await onBed(async (bed) => {
    const cells = await measure(bed, mailboxes, hosts)
    console.log(row(cells))
    lines.push(row(cells))
  })
}
const table = [
  row([
    "mailboxes",
    "hosts (held)",
    "sign-ins/min",
    "CPU s of these",
    "MB, idle",
    "MB, peak",
    "CPU, idle",
    "sends/hour",
    "CPU ms/send",
    "replies",
    "p50 s",
    "p99 s",
    "longest s",
    "CPU, replies"
  ]),
  row(["---:", "---", ...Array.from({ length: 12 }, () => "---:")]),
  ...lines
].join("\n")
tell(
  `mailboxes${asked === undefined ? "" : `-${asked}`}${isDovecot ? "-dovecot" : ""}`,
  table,
  `## ${Number(asked ?? 1_000).toLocaleString("en")} own mailboxes${isDovecot ? " of Dovecot" : ""}

${machine}. The hosts, PostgreSQL (default settings) and the mail server (${SERVER_WORDS}) share the machine. ${WORKSPACE_SIZE} mailboxes in each workspace, ${DOMAIN_SIZE} on each domain, as the host holds them: signed in, with
IDLE, and looked at each minute. Memory and CPU (of one core) are those of the hosts' processes alone.

${table}

- **sign-ins/min**: from the start of the host's process until all are signed in. A provider's own pace comes on top.
- **idle**: nothing is due and nothing arrives, for ${IDLE_SECONDS} s.
- **sends/hour**: ${SENDS_EACH} people of each mailbox are due at once; every message is looked for, claimed, handed in by SMTP on a
  connection of its own, and recorded.
- **replies**: people answer every ${ANSWER_EVERY_MILLIS} ms, ${n(3_600_000 / ANSWER_EVERY_MILLIS)} an hour. From the message's arrival in the inbox until its writer is
  suppressed: how many were (after the first ${FIRST_ANSWERS}), the median, the 99th percentile, and the longest.`
)
