import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { readConfig } from "../Config.js"
import type { Actions, RuleReport } from "./Actions.js"
import { adoptCommand, releaseCommand } from "./adopt.js"
import { command, type Outcome } from "./Command.js"
import { directoryCommands } from "./directory.js"
import { FlagMistakes } from "./flags.js"
import { mailboxCommands } from "./mailbox.js"
import { marginsCommand } from "./margins.js"
import { operatorCommands } from "./operator.js"
import { peopleCommands } from "./people.js"
import { providerCommands } from "./providers.js"
import { requestCommand } from "./request.js"

/** Nothing but the commands below it. */
const group = <const Name extends string>(name: Name, help: string, about: string) =>
  Command.make(
    name,
    {},
    () => new FlagMistakes({ mistakes: [`Say what to do. ${help} --help lists the commands.`] })
  ).pipe(Command.withDescription(about))

const checked = (reports: ReadonlyArray<RuleReport>): Outcome => {
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
      )
    },
    text: broken.length === 0 ? `All ${reports.length} invariants hold.` : lines.join("\n"),
    isBad: broken.length > 0
  }
}

/** The operator's program. The configuration is read when a command needs it, so that the help never fails. */
export const program = (
  actions: Actions,
  environment: Readonly<Record<string, string | undefined>>,
  version: string
) => {
  const config = readConfig(environment)
  const operator = operatorCommands(actions, config)
  const people = peopleCommands(actions, config)
  const directory = directoryCommands(actions, config)
  const mailboxes = mailboxCommands(actions, config, environment)

  const [checkProviders, listProviders] = providerCommands(actions, config)

  const serve = Command.make("serve", {}, () => Effect.flatMap(config, actions.serve)).pipe(
    Command.withDescription("Serves REST and the console, until it is told to stop.")
  )

  const migrate = command("migrate", "Brings the database up to date.", {}, () =>
    Effect.map(Effect.flatMap(config, actions.migrate), (applied) => ({
      json: { applied },
      text: applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}.`
    }))
  )

  const check = command("check", "Looks for what must never be. Reads only; exit code 1 for a breach.", {}, () =>
    Effect.map(Effect.flatMap(config, actions.check), checked)
  )

  const root = group("outbound", "npx outbound", "An outbound sales loop that agents run and humans approve.").pipe(
    Command.withSubcommands([
      serve,
      migrate,
      check,
      group("workspace", "npx outbound workspace", "Workspaces.").pipe(Command.withSubcommands(operator.workspace)),
      group("key", "npx outbound key", "API keys.").pipe(Command.withSubcommands(operator.key)),
      group("credits", "npx outbound credits", "Credits.").pipe(Command.withSubcommands(operator.credits)),
      group("run", "npx outbound run", "Runs.").pipe(Command.withSubcommands(operator.run)),
      group(
        "mailbox",
        "npx outbound mailbox",
        "A live workspace's own mailboxes, and those at its sending vendor."
      ).pipe(Command.withSubcommands([...mailboxes, adoptCommand(actions, config), releaseCommand(actions, config)])),
      group("suppression", "npx outbound suppression", "People who are never written to.").pipe(
        Command.withSubcommands(people.suppression)
      ),
      group("providers", "npx outbound providers", "What live workspaces are served by.").pipe(
        Command.withSubcommands([checkProviders, listProviders])
      ),
      requestCommand(actions, config),
      marginsCommand(actions, config),
      group("directory", "npx outbound directory", "A workspace's own people and companies.").pipe(
        Command.withSubcommands(directory)
      ),
      people.erase,
      operator.signInLink
    ])
  )
  return Command.run(root, { name: "outbound", version, executable: "npx outbound" })
}
