import { Effect, FiberRef, HashSet, Layer, Logger, type LogLevel } from "effect"
import type { LogFormat } from "../Config.js"

const LOGGERS = {
  pretty: () => Logger.prettyLogger({ stderr: true }),
  logfmt: () => Logger.withConsoleError(Logger.logfmtLogger),
  json: () => Logger.withConsoleError(Logger.jsonLogger)
}

const usual = (): keyof typeof LOGGERS => (process.stderr.isTTY ? "pretty" : "logfmt")

/**
 * Logs to standard error, because standard output is for results. If provided twice, the inner one wins: it takes the
 * place of every logger, so that no line is written twice or in two formats.
 */
export const layer = (level: LogLevel.LogLevel, format: LogFormat = null): Layer.Layer<never> =>
  Layer.merge(
    Layer.scopedDiscard(
      Effect.suspend(() =>
        Effect.locallyScoped(FiberRef.currentLoggers, HashSet.make(LOGGERS[format ?? usual()](), Logger.tracerLogger))
      )
    ),
    Logger.minimumLogLevel(level)
  )
