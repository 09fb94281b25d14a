import { isReachable } from "@outbound/domain/kernel/Settings.js"
import { Effect } from "effect"
import type { OutboundConfig } from "../../Config.js"
import { runningOn } from "../RunningService.js"
import { examineAddress } from "./address.js"
import { examineDatabase } from "./database.js"
import type { Finding } from "../../commands/Finding.js"
import { examineMachine } from "./machine.js"
import { examineMail, examineProviders } from "./others.js"

/** Everything that a service with this configuration relies on. Changes nothing and sends nothing. */
export const examine = (config: OutboundConfig): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { dataDir } = config.database
    const isRunning = runningOn(dataDir) !== undefined || isReachable(config.baseUrl)
    const [address, mail, providers] = yield* Effect.all(
      [examineAddress(config, isRunning), examineMail(config), examineProviders(config)],
      { concurrency: "unbounded" }
    )
    return [
      ...(yield* examineMachine(dataDir)),
      ...(yield* examineDatabase(config.database, config.workers)),
      ...address,
      mail,
      providers
    ]
  })
