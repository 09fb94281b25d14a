import type { Effect } from "effect"
import type { Actions } from "../commands/Actions.js"
import type { Group } from "../commands/Command.js"
import type { OutboundConfig } from "../Config.js"
import { crmCommands } from "./crm/commands.js"
import { linkHostCommands } from "./linkHosts/commands.js"

type MakeCommands = (
  actions: Actions,
  config: Effect.Effect<OutboundConfig, unknown>,
  environment: Readonly<Record<string, string | undefined>>
) => Group

/** The commands of every wing, a line each. */
const COMMANDS: ReadonlyArray<MakeCommands> = [crmCommands, linkHostCommands]

export const wingCommands = (...given: Parameters<MakeCommands>): ReadonlyArray<Group> =>
  COMMANDS.map((make) => make(...given))
