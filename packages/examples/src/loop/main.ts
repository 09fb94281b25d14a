/** `npm run loop`: the whole loop against a running service, as an agent does it. */
import type { RecipientField } from "@outbound/domain/verbs/campaignFields.js"
import { credits, format, minusOrZero, plus } from "@outbound/domain/kernel/money/Credits.js"
import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Cause, Effect, Exit, Fiber } from "effect"
import { constants } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { costs, happened } from "./Account.js"
import { Agent, Unreachable } from "./Agent.js"
import { Approver, type Workspace } from "./Approval.js"
import { directoryLoop, samples } from "./directory/directoryLoop.js"
import { Foreseen } from "./Foreseen.js"
import * as Loop from "./loop.js"
import { operator, OperatorFailed } from "./Operator.js"
import { count, say, step } from "./Progress.js"
import { readRecipients } from "./Recipients.js"

const HELP = `npm run loop -- [options]

  --approve              play the human too: grant what a purchase costs, and approve in the console
  --directory [FILES]    the first half with no vendor: import these lists of people and companies (FILE,FILE; two
                         small ones that come along unless said), find people and companies in them, reveal and
                         verify addresses. It starts a service of its own with servers of this machine in place of
                         the lists' mail servers, and ends them again; with --url it uses a running live one
  --recipients FILE      write to the people of this CSV file instead: columns email, first_name, last_name,
                         company_name; every other column becomes a custom field
  --url URL              where the service is; http://localhost:<OUTBOUND_PORT or 8080> unless said
  --key KEY              the API key; unless said, one is made with the operator's program
  --help                 this text

It stops at each approval and prints the address to open, unless --approve is given.`

/** The lists that come along, where `--directory` names none. */
const DIRECTORY = "--directory"

const withSamples = (args: ReadonlyArray<string>): Array<string> =>
  args.map((arg, at) =>
    arg === DIRECTORY && (args[at + 1] === undefined || args[at + 1]?.startsWith("--") === true) ? `${arg}=` : arg
  )

const options = () =>
  parseArgs({
    args: withSamples(process.argv.slice(2)),
    options: {
      approve: { type: "boolean", default: false },
      directory: { type: "string" },
      recipients: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      help: { type: "boolean", default: false }
    }
  }).values

const environment = (name: string): string | undefined => process.env[name] || undefined

/** Whether anybody is there, before anything is made for them. */
const reach = async (url: string): Promise<void> => {
  const alive = await fetch(`${url}/healthz`).catch(() => undefined)
  if (alive?.ok !== true) throw new Unreachable(`No service answers at ${url}. Start it with npm start, or give --url.`)
}

/** The key to work with: the one that was given, or a new one of the first workspace of a kind. */
const obtainKey = async (given: string | undefined, wanted: "sandbox" | "live"): Promise<string> => {
  if (given !== undefined) return given
  step("Get a key (the operator's program)")
  const { workspaces } = await operator(["workspace", "list"])
  const first = workspaces.find(({ kind }: { kind: string }) => kind === wanted)
  if (first === undefined) throw new OperatorFailed(`There is no ${wanted} workspace. Make one, or give --key.`)
  const scopes = [...DEFAULT_SCOPES, "trail:read"].flatMap((scope) => ["--scope", scope])
  const made = await operator(["key", "create", "--workspace", first.workspace_id, "--name", "loop", ...scopes])
  say(`Made the key ${made.key_id} in the workspace "${first.name}".`)
  return made.api_key
}

/** The key's workspace, with its owner where the operator's program can tell. */
const workspaceOf = async (
  me: { workspace: { id: string; kind: "sandbox" | "live" } },
  needsOwner: boolean
): Promise<Workspace> => {
  const { id, kind } = me.workspace
  try {
    const { workspaces } = await operator(["workspace", "list"])
    const own = workspaces.find(({ workspace_id }: { workspace_id: string }) => workspace_id === id)
    return { id, kind, ownerEmail: own?.owner_email ?? null }
  } catch (error) {
    if (needsOwner) throw error
    return { id, kind, ownerEmail: null }
  }
}

/** npm runs its scripts at the top of the checkout; a file is meant from where the command was typed. */
const typed = (file: string): string => resolve(environment("INIT_CWD") ?? ".", file)

const ownList = (file: string): ReadonlyArray<RecipientField> => {
  step(`Read ${file}`)
  const list = readRecipients(typed(file))
  say(
    `${count(list.rows, "row", "rows")}: ${list.recipients.length} good, ${list.repeated.length} repeated, ` +
      `${list.bad.length} bad.`
  )
  for (const { email, line } of list.repeated) say(`  line ${line}: ${email} stands in an earlier row`)
  for (const { line, reason } of list.bad) say(`  line ${line}: ${reason}`)
  if (list.recipients.length === 0) throw new Loop.Unfinished("No row can be used.")
  return list.recipients
}

const addressOf = (given: string | undefined): string => {
  const address =
    given ?? environment("OUTBOUND_BASE_URL") ?? `http://localhost:${environment("OUTBOUND_PORT") ?? "8080"}`
  return address.replace(/\/+$/, "")
}

type Given = ReturnType<typeof options>

/** With own lists. A signal ends it, and what it has started. */
const runDirectory = async ({ directory = "", key, url }: Given): Promise<void> => {
  const files = directory.split(",").filter((file) => file !== "")
  const apiKey = key ?? environment("OUTBOUND_API_KEY")
  if (url === undefined && key !== undefined) throw new Loop.Unfinished("--key needs --url: the service that it is of.")
  if (url !== undefined) await reach(addressOf(url))
  const running = url === undefined ? null : { url: addressOf(url), apiKey: await obtainKey(apiKey, "live") }
  const work = Effect.runFork(directoryLoop(files.length === 0 ? samples() : files.map(typed), running))
  let stoppedBy: NodeJS.Signals | undefined
  const stop = (signal: NodeJS.Signals): void => {
    // The second one takes what it gets.
    if (stoppedBy !== undefined) process.exit(128 + constants.signals[signal])
    stoppedBy = signal
    process.stdout.write("\nStopping ...\n")
    work.unsafeInterruptAsFork(work.id())
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop)
  const exit = await Effect.runPromise(Fiber.await(work))
  if (stoppedBy !== undefined) process.exit(128 + constants.signals[stoppedBy])
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
}

const run = async (): Promise<void> => {
  const given = options()
  if (given.help) return void process.stdout.write(`${HELP}\n`)
  if (given.directory !== undefined) return runDirectory(given)
  const list = given.recipients === undefined ? undefined : ownList(given.recipients)
  const url = addressOf(given.url)
  await reach(url)
  const apiKey = await obtainKey(given.key ?? environment("OUTBOUND_API_KEY"), "sandbox")
  const agent = new Agent(url, apiKey, say)

  const me = await Loop.introduce(agent)
  const workspace = await workspaceOf(me, given.approve)
  if (given.approve && workspace.kind !== "sandbox") {
    throw new Loop.Unfinished("--approve plays the human in sandbox workspaces alone: this one sends real mail.")
  }
  if (list === undefined && workspace.kind !== "sandbox") {
    throw new Loop.Unfinished("A live workspace writes to real people: say to whom, with --recipients FILE.")
  }
  const approver = new Approver(agent, workspace, given.approve)
  const before = credits((await agent.get("/v1/usage")).result.credits_available)

  const found = await Loop.prospect(agent)
  const recipients = list ?? Loop.defaultRecipients(found)
  await Loop.setUpSending(agent, approver, recipients.length)
  const campaignId = await Loop.campaign(agent, approver, recipients)
  const replies = await Loop.listen(agent, campaignId, list === undefined ? Loop.REACTIONS_MIN : 0)
  await Loop.follow(agent, replies)
  await costs(agent)
  await happened(agent, campaignId, me.scopes.includes("trail:read"))

  const spent = format(minusOrZero(plus(before, approver.granted), credits((await agent.get("/v1/usage")).available)))
  const kinds = new Map<string, number>()
  for (const { classification } of replies) {
    kinds.set(classification ?? "not classified", (kinds.get(classification ?? "not classified") ?? 0) + 1)
  }
  process.stdout.write(
    `\nDone. ${spent} credits spent, ${count(replies.length, "reply", "replies")}` +
      `${kinds.size === 0 ? "" : `: ${[...kinds].map(([kind, number]) => `${number} ${kind}`).join(", ")}`}.\n`
  )
}

const errorText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

try {
  await run()
} catch (error) {
  const isMistyped = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")
  const words = isMistyped
    ? `${error.message}

${HELP}`
    : error instanceof Foreseen
      ? error.message
      : errorText(error)
  process.stderr.write(`
${words}
`)
  process.exitCode = 1
}
