#!/usr/bin/env node
/** Ends with 0 if the service in this container is ready for calls. An image without a shell has nothing else to ask with. */
const url = `http://127.0.0.1:${process.env.OUTBOUND_PORT ?? "8080"}/readyz`
const TIMEOUT_MILLIS = 3_000
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) })
  process.exitCode = status === 200 ? 0 : 1
} catch {
  process.exitCode = 1
}
