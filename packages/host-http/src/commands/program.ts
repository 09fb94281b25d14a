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

/** A command that only groups others. */
const group = <const Name extends string>(name: Name, help: string, about: string) =>
  Command.make(
    name,
    {},
    () => new FlagMistakes({ mistakes: [`Missing command. ${help} --help lists the commands.`] })
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

/** The operator's program. Commands read the configuration when they need it, so that --help always works. */
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
    Command.withDescription("Runs the service until it is stopped.")
  )

  const migrate = command("migrate", "Applies pending database migrations.", {}, () =>
    Effect.map(Effect.flatMap(config, actions.migrate), (applied) => ({
      json: { applied },
      text: applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}.`
    }))
  )

  const check = command(
    "check",
    "Checks the stored data against its invariants. Read-only; exits with code 1 on a violation.",
    {},
    () => Effect.map(Effect.flatMap(config, actions.check), checked)
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
        "Mailboxes of live workspaces: own ones, and the sending vendor's."
      ).pipe(Command.withSubcommands([...mailboxes, adoptCommand(actions, config), releaseCommand(actions, config)])),
      group("suppression", "npx outbound suppression", "The suppression list.").pipe(
        Command.withSubcommands(people.suppression)
      ),
      group("providers", "npx outbound providers", "The providers of live workspaces.").pipe(
        Command.withSubcommands([checkProviders, listProviders])
      ),
      requestCommand(actions, config),
      marginsCommand(actions, config),
      group("directory", "npx outbound directory", "A workspace's directory of people and companies.").pipe(
        Command.withSubcommands(directory)
      ),
      people.erase,
      operator.signInLink
    ])
  )
  return Command.run(root, { name: "outbound", version, executable: "npx outbound" })
}
