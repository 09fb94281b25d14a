import { Layer, Logger, type LogLevel } from "effect"

/** To standard error: for people where it is a terminal, else one line each, as logfmt. */
const logger = process.stderr.isTTY
  ? Logger.prettyLogger({ stderr: true })
  : Logger.withConsoleError(Logger.logfmtLogger)

/** Standard output belongs to what a command answers. Provided twice, the inner level holds. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(level))
