import { Console, Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { readConfig } from "../Config.js"
import { unknownVariables } from "../ConfigVariables.js"
import type { Actions, CheckReport } from "./Actions.js"
import { adoptCommand, releaseCommand } from "./adopt.js"
import { callCommands } from "./call/callCommands.js"
import { backupCommands } from "./backup.js"
import { action, command, group, optional, type Outcome, switched } from "./Command.js"
import { wingCommands } from "../wings/commands.js"
import { publishedFiles } from "../wings/publishedFiles.js"
import { directoryCommands } from "./directory.js"
import { dispatch } from "./dispatch.js"
import { deleteCommand } from "./deleting.js"
import { doctorCommand } from "./doctor.js"
import { domainCommands } from "./domain.js"
import { mailboxCommands } from "./mailbox.js"
import { marginsCommand, providerCommands } from "./providers.js"
import { rotationCommands } from "./rotation.js"
import { operatorCommands } from "./operator.js"
import { peopleCommands } from "./people.js"
import { personCommands } from "./personFile.js"
import { requestCommand } from "./request.js"
import { signUpCommand } from "./signUp.js"
import { trailCommands } from "./trail.js"

const headLines = ({ heads, trails }: CheckReport): ReadonlyArray<string> => [
  ...(trails === 0 ? [] : ["The trails end with these seals. Note them where nobody here can change them:"]),
  ...heads.map(({ hash, number, workspaceId }) => `  workspace ${workspaceId}, seal ${number}: ${hash}`),
  ...(trails > heads.length ? [`  and ${trails - heads.length} more; "trail export" prints one of them`] : [])
]

const checked = (report: CheckReport): Outcome => {
  const reports = report.rules
  const broken = reports.filter(({ count }) => count > 0)
  const lines = broken.flatMap(({ breaches, count, name, rule }) => [
    `${name}: ${rule}`,
    ...breaches.map(({ breach, workspaceId }) => `  ${breach} (workspace ${workspaceId ?? "unknown"})`),
    ...(count > breaches.length ? [`  and ${count - breaches.length} more`] : [])
  ])
  return {
    json: {
      ok: broken.length === 0,
      invariants_checked: reports.length,
      breaches: broken.flatMap(({ breaches, name }) =>
        breaches.map(({ breach, workspaceId }) => ({ invariant: name, workspace_id: workspaceId, breach }))
      ),
      trails: report.trails,
      trail_heads: report.heads.map(({ hash, number, sealedAtMillis, workspaceId }) => ({
        workspace_id: workspaceId,
        seal: number,
        sealed_at: new Date(sealedAtMillis).toISOString(),
        head: hash
      }))
    },
    text: [...(broken.length === 0 ? [`All ${reports.length} invariants hold.`] : lines), ...headLines(report)].join(
      "\n"
    ),
    isBad: broken.length > 0
  }
}

const TEST_CLOCK = "test-clock"

const SERVE_FLAGS = {
  [TEST_CLOCK]: switched("For tests: time moves by POST /sandbox/clock/advance too. Only without live workspaces")
}

/** The operator's program. Commands read the configuration when they need it, so that --help always works. */
export const program = (
  actions: Actions,
  environment: Readonly<Record<string, string | undefined>>,
  version: string
) => {
  const config = readConfig(environment, actions.running)
  const unknown = unknownVariables(Object.keys(environment))
  const operator = operatorCommands(actions, config)
  const people = peopleCommands(actions, config)
  const directory = directoryCommands(actions, config, publishedFiles(actions, config))
  const mailboxes = mailboxCommands(actions, config, environment)

  const [initProviders, checkProviders, listProviders] = providerCommands(actions, config)

  const service = (given: ReadonlySet<string>) =>
    Effect.flatMap(readConfig(environment), (read) => actions.serve(read, given.has(TEST_CLOCK)))
  const serve = action("serve", "Runs the service until it is stopped.", SERVE_FLAGS, service)
  const start = action("start", "The same as serve.", SERVE_FLAGS, service)

  const migrate = command("migrate", "Applies pending database migrations.", {}, () =>
    Effect.map(Effect.flatMap(config, actions.migrate), (applied) => ({
      json: { applied },
      text: applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}.`
    }))
  )

  const check = command(
    "check",
    "Checks the stored data against its invariants. Read-only; exits with code 1 on a violation.",
    {
      all: switched("Reads everything, also what was checked when its month was sealed"),
      archive: optional(Schema.NonEmptyString, "FOLDER", "Also reads this archive and compares it with the sums")
    },
    ({ all, archive = null }) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.check(read, { all: all === "on", archive })),
        checked
      )
  )

  const root = group("outbound", `outbound ${version}: an outbound sales loop that agents run and humans approve.`, [
    serve,
    start,
    migrate,
    check,
    doctorCommand(actions, config, unknown),
    ...backupCommands(actions, config),
    group("secret", "The secret of the service.", rotationCommands(actions, config)),
    group("workspace", "Workspaces.", [...operator.workspace, deleteCommand(actions, config)]),
    group("key", "API keys.", operator.key),
    group("credits", "Credits.", operator.credits),
    group("run", "Runs.", operator.run),
    group("mailbox", "Mailboxes of live workspaces: own ones, and the sending vendor's.", [
      ...mailboxes,
      adoptCommand(actions, config),
      releaseCommand(actions, config)
    ]),
    group("domain", "Sending domains of live workspaces, and their DNS records.", domainCommands(actions, config)),
    ...wingCommands(actions, config, environment),
    group("suppression", "The suppression list.", people.suppression),
    group("providers", "The providers of live workspaces.", [initProviders, checkProviders, listProviders]),
    callCommands(environment, () => randomUUID()),
    requestCommand(actions, config),
    group("trail", "The sealed trail of a workspace.", trailCommands(actions, config)),
    marginsCommand(actions, config),
    group("directory", "A workspace's directory of people and companies, and published ones.", directory),
    group("person", "What a workspace holds about one person.", personCommands(actions, config)),
    people.erase,
    operator.signInLink,
    signUpCommand(actions, config)
  ])
  return (words: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
    words[0] === "--version"
      ? Console.log(version)
      : Effect.andThen(
          Effect.forEach(words[0] === "doctor" ? [] : unknown, (line) => Console.error(line)),
          dispatch(root, words, "outbound")
        )
}
