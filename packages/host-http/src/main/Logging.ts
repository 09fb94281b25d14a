import { Layer, Logger, type LogLevel } from "effect"

/** Logs to standard error: pretty on a terminal, otherwise logfmt lines. */
const logger = process.stderr.isTTY
  ? Logger.prettyLogger({ stderr: true })
  : Logger.withConsoleError(Logger.logfmtLogger)

/** Standard output is for results. If provided twice, the inner level wins. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(level))
