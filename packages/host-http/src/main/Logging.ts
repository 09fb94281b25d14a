import { Effect, Formatter, Layer, Logger, type LogLevel, References } from "effect"
import type { LogFormat } from "../Config.js"

const jsonLine = Logger.map(Logger.formatStructured, ({ level, message, ...rest }) =>
  Formatter.formatJson({ message, logLevel: level, ...rest })
)

const LOGGERS = {
  // To standard error by `LogToStderr`.
  pretty: () => Logger.consolePretty(),
  logfmt: () => Logger.withConsoleError(Logger.formatLogFmt),
  json: () => Logger.withConsoleError(jsonLine)
}

const usual = (): keyof typeof LOGGERS => (process.stderr.isTTY ? "pretty" : "logfmt")

/**
 * Logs to standard error, because standard output is for results. If provided twice, the inner one wins: it takes the
 * place of every logger, so that no line is written twice or in two formats.
 */
export const layer = (level: LogLevel.LogLevel, format: LogFormat = null): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.effect(
      References.CurrentLoggers,
      Effect.sync(() => new Set([LOGGERS[format ?? usual()](), Logger.tracerLogger]))
    ),
    Layer.succeed(References.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, level)
  )
