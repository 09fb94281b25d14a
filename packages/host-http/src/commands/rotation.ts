import { Effect } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions, RotationReport } from "./Actions.js"
import { command, type Command } from "./Command.js"
import { count } from "./count.js"

const rotationWords = ({ values, was_finished }: RotationReport): string => {
  const resealed = values.reduce((sum, one) => sum + one.resealed, 0)
  const unreadable = values.filter((one) => one.unreadable > 0)
  return [
    was_finished
      ? `The database had this secret already. ${count(resealed, "value was", "values were")} left and sealed anew.`
      : `The database has the new secret. ${count(resealed, "value was", "values were")} sealed anew.`,
    ...unreadable.map(
      ({ table, unreadable: left }) => `${count(left, "value", "values")} of ${table} opened under neither secret.`
    ),
    "Start the service with OUTBOUND_SECRET alone, and remove OUTBOUND_SECRET_BEFORE."
  ].join("\n")
}

/** `outbound secret rotate` */
export const rotationCommands = (
  actions: Pick<Actions, "rotateSecret">,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
  command("rotate", "Moves the stopped service's database from OUTBOUND_SECRET_BEFORE to OUTBOUND_SECRET.", {}, () =>
    Effect.map(Effect.flatMap(config, actions.rotateSecret), (made) => ({
      json: { ...made },
      text: rotationWords(made)
    }))
  )
]
