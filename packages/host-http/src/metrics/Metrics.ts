import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"

/** The metrics of the HTTP host, in Prometheus' text format. No label contains a caller's text. */
export interface Metrics {
  readonly begun: () => void
  readonly ended: () => void
  readonly answered: (route: string, status: number, seconds: number) => void
  /** For further metrics. */
  readonly registry: Registry
  readonly contentType: string
  readonly render: () => Promise<string>
}

/** From a cached answer to the 30 s that a repeat waits for its first call. */
const SECONDS_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * How often the event loop's delay is looked at. Each look wakes a process that has nothing to do, and so does each of its
 * workers. Delays that matter are many times as long (decision 0167).
 */
export const LOOP_LOOK_MILLIS = 50

export const makeMetrics = (): Metrics => {
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_LOOK_MILLIS })
  const requests = new Counter({
    name: "outbound_http_requests_total",
    help: "Answered requests, by verb or page and HTTP status.",
    labelNames: ["route", "status"],
    registers: [register]
  })
  const durations = new Histogram({
    name: "outbound_http_request_duration_seconds",
    help: "Time from a request's headers to its answer, by verb or page.",
    labelNames: ["route"],
    buckets: SECONDS_BUCKETS,
    registers: [register]
  })
  const inFlight = new Gauge({
    name: "outbound_http_calls_in_flight",
    help: "Running calls, including those whose client has left.",
    registers: [register]
  })
  return {
    begun: () => inFlight.inc(),
    ended: () => inFlight.dec(),
    answered: (route, status, seconds) => {
      requests.inc({ route, status: String(status) })
      durations.observe({ route }, seconds)
    },
    registry: register,
    contentType: register.contentType,
    render: () => register.metrics()
  }
}
