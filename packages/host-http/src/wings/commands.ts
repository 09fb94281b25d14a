import type { Effect } from "effect"
import type { Actions } from "../commands/Actions.js"
import type { Command, Group } from "../commands/Command.js"
import type { OutboundConfig } from "../Config.js"
import { archiveCommands } from "./archive/commands.js"
import { crmCommands } from "./crm/commands.js"
import { linkHostCommands } from "./linkHosts/commands.js"
import { movingCommands } from "./moving/commands.js"

type MakeCommands = (
  actions: Actions,
  config: Effect.Effect<OutboundConfig, unknown>,
  environment: Readonly<Record<string, string | undefined>>
) => ReadonlyArray<Command | Group>

/** The commands of every wing, a line each. */
const COMMANDS: ReadonlyArray<MakeCommands> = [archiveCommands, crmCommands, linkHostCommands, movingCommands]

export const wingCommands = (...given: Parameters<MakeCommands>): ReadonlyArray<Command | Group> =>
  COMMANDS.flatMap((make) => make(...given))
