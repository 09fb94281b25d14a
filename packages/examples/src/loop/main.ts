/** `npm run loop`: the whole loop against a running service. */
import type { RecipientField } from "@outbound/domain/verbs/campaignFields.js"
import { credits, format, minusOrZero, plus } from "@outbound/domain/kernel/money/Credits.js"
import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Cause, Effect, Exit, Fiber } from "effect"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { costs, happened } from "./Account.js"
import { Agent, Unreachable } from "./Agent.js"
import { Approver, type Workspace } from "./Approval.js"
import { directoryLoop, samples } from "./directory/directoryLoop.js"
import { Foreseen } from "./Foreseen.js"
import { openLoop } from "./open/openLoop.js"
import * as Loop from "./loop.js"
import { operator, OperatorFailed } from "./Operator.js"
import { count, say, step } from "./Progress.js"
import { readRecipients } from "./Recipients.js"

const HELP = `npm run loop -- [options]

  --approve              also play the human: grant the credits for a purchase, and approve in the console
  --directory [FILES]    only the first half, without vendors: import lists of people and companies (FILE,FILE;
                         default: two small samples), find leads and companies in them, reveal and verify emails.
                         Starts its own service with simulated mail servers and stops both at the end; with --url
                         it uses a running live service
  --open                 the whole loop in a live workspace with every source that needs no account, on stand-ins:
                         starts its own service, websites, sources and mail servers, also plays the human, and
                         removes all of it at the end
  --recipients FILE      email the people in this CSV file: columns email, first_name, last_name,
                         company_name; every other column becomes a custom field
  --url URL              the service's address; default: that of the service started here
                         (OUTBOUND_URL, OUTBOUND_BASE_URL and OUTBOUND_PORT say otherwise)
  --key KEY              the API key; default: created with the operator's program
  --help                 show this text

The loop stops at each approval and prints the URL to open, unless you use --approve.`

/** Without files, `--directory` uses the sample lists. */
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
      open: { type: "boolean", default: false },
      recipients: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      help: { type: "boolean", default: false }
    }
  }).values

const environment = (name: string): string | undefined => process.env[name] || undefined

/** Checks that the service runs. */
const reach = async (url: string): Promise<void> => {
  const alive = await fetch(`${url}/healthz`).catch(() => undefined)
  if (alive?.ok !== true) throw new Unreachable(`No service answers at ${url}. Start it with npm start, or set --url.`)
}

/** The given key, or a new one in the first workspace of a kind. */
const obtainKey = async (given: string | undefined, wanted: "sandbox" | "live"): Promise<string> => {
  if (given !== undefined) return given
  step("Create a key (the operator's program)")
  const { workspaces } = await operator(["workspace", "list"])
  const first = workspaces.find(({ kind }: { kind: string }) => kind === wanted)
  if (first === undefined) throw new OperatorFailed(`There is no ${wanted} workspace. Create one, or set --key.`)
  const scopes = [...DEFAULT_SCOPES, "trail:read"].flatMap((scope) => ["--scope", scope])
  const made = await operator(["key", "create", "--workspace", first.workspace_id, "--name", "loop", ...scopes])
  say(`Created the key ${made.key_id} in the workspace "${first.name}".`)
  return made.api_key
}

/** The key's workspace, with its owner if the operator's program knows it. */
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

/** npm runs scripts at the top of the checkout; file names are relative to where the command was typed. */
const typed = (file: string): string => resolve(environment("INIT_CWD") ?? ".", file)

const ownList = (file: string): ReadonlyArray<RecipientField> => {
  step(`Read ${file}`)
  const list = readRecipients(typed(file))
  say(
    `${count(list.rows, "row", "rows")}: ${list.recipients.length} good, ${list.repeated.length} repeated, ` +
      `${list.bad.length} invalid.`
  )
  for (const { email, line } of list.repeated) say(`  line ${line}: ${email} is in an earlier row`)
  for (const { line, reason } of list.bad) say(`  line ${line}: ${reason}`)
  if (list.recipients.length === 0) throw new Loop.Unfinished("No row is valid.")
  return list.recipients
}

/** The service that runs on the data directory wrote its address there. */
const runningHere = (): string | undefined => {
  try {
    const file = resolve(environment("OUTBOUND_DATA_DIR") ?? ".outbound", "service.json")
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly url: string }).url
  } catch {
    return undefined
  }
}

const addressOf = (given: string | undefined): string => {
  const address =
    given ??
    environment("OUTBOUND_URL") ??
    environment("OUTBOUND_BASE_URL") ??
    (environment("OUTBOUND_PORT") === undefined ? runningHere() : undefined) ??
    `http://localhost:${environment("OUTBOUND_PORT") ?? "8080"}`
  return address.replace(/\/+$/, "")
}

type Given = ReturnType<typeof options>

/** A signal stops it and what it started. */
const stoppable = async (work: Effect.Effect<void, unknown>): Promise<void> => {
  const fiber = Effect.runFork(work)
  let stoppedBy: NodeJS.Signals | undefined
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal exits at once.
    if (stoppedBy !== undefined) process.exit(128 + constants.signals[signal])
    stoppedBy = signal
    process.stdout.write("\nStopping ...\n")
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  if (stoppedBy !== undefined) process.exit(128 + constants.signals[stoppedBy])
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
}

/** Runs with own lists. */
const runDirectory = async ({ directory = "", key, url }: Given): Promise<void> => {
  const files = directory.split(",").filter((file) => file !== "")
  const apiKey = key ?? environment("OUTBOUND_API_KEY")
  if (url === undefined && key !== undefined) throw new Loop.Unfinished("--key needs --url, the service of the key.")
  if (url !== undefined) await reach(addressOf(url))
  const running = url === undefined ? null : { url: addressOf(url), apiKey: await obtainKey(apiKey, "live") }
  await stoppable(directoryLoop(files.length === 0 ? samples() : files.map(typed), running))
}

const run = async (): Promise<void> => {
  const given = options()
  if (given.help) return void process.stdout.write(`${HELP}\n`)
  if (given.directory !== undefined) return runDirectory(given)
  if (given.open) {
    const others = (["recipients", "url", "key"] as const).filter((name) => given[name] !== undefined)
    if (others.length > 0) throw new Loop.Unfinished(`--open can't be combined with --${others.join(", --")}.`)
    return stoppable(openLoop)
  }
  const list = given.recipients === undefined ? undefined : ownList(given.recipients)
  const url = addressOf(given.url)
  await reach(url)
  const apiKey = await obtainKey(given.key ?? environment("OUTBOUND_API_KEY"), "sandbox")
  const agent = new Agent(url, apiKey, say)

  const me = await Loop.introduce(agent)
  const workspace = await workspaceOf(me, given.approve)
  if (given.approve && workspace.kind !== "sandbox") {
    throw new Loop.Unfinished(
      "--approve works only in sandbox workspaces. This workspace is live and sends real email."
    )
  }
  if (list === undefined && workspace.kind !== "sandbox") {
    throw new Loop.Unfinished("A live workspace emails real people. Name them with --recipients FILE.")
  }
  const approver = new Approver(agent, workspace, given.approve)
  const before = credits((await agent.get("/v1/usage")).result.credits_available)

  const found = await Loop.prospect(agent)
  const recipients = list ?? Loop.defaultRecipients(found)
  await Loop.setUpSending(agent, approver, recipients.length)
  const campaignId = await Loop.campaign(agent, approver, recipients)
  const replies = await Loop.listen(agent, campaignId, list === undefined ? Loop.REACTIONS : [])
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
