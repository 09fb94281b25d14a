import { Layer, Logger, type LogLevel } from "effect"

/** To standard error: for people where it is a terminal, else one line each, as logfmt. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      process.stderr.isTTY ? Logger.prettyLogger({ stderr: true }) : Logger.withConsoleError(Logger.logfmtLogger)
    ),
    Logger.minimumLogLevel(level)
  )
