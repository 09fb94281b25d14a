import { type Registry, AggregatorRegistry } from "prom-client"
import cluster from "node:cluster"

/** A worker asks its primary for the metrics of all workers; null: they could not be had. */
interface MetricsMessage {
  readonly about: "outbound:metrics"
  readonly id: number
  readonly text?: string | null
}

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === "object" && message !== null && "about" in message && message.about === "outbound:metrics"

/** An answer later than this is not waited for; the primary itself waits for 5 s. */
const METRICS_MILLIS_MAX = 6_000

/** For a worker: the metrics of all workers together, or its own where they can't be had in time. */
export const metricsOfAll = (registry: Registry): (() => Promise<string>) => {
  AggregatorRegistry.setRegistries([registry])
  // Answers the primary when it collects.
  void new AggregatorRegistry()
  const waiting = new Map<number, (text: string | null) => void>()
  process.on("message", (message) => {
    if (isMetricsMessage(message)) waiting.get(message.id)?.(message.text ?? null)
  })
  let last = 0
  return async () => {
    const id = ++last
    const text = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), METRICS_MILLIS_MAX)
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      process.send?.({ about: "outbound:metrics", id } satisfies MetricsMessage)
    })
    waiting.delete(id)
    return text ?? registry.metrics()
  }
}

/** For the primary: answers its workers. */
export const answerMetrics = (): void => {
  const all = new AggregatorRegistry()
  cluster.on("message", (worker, message: unknown) => {
    if (!isMetricsMessage(message)) return
    const answer = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ ...message, text } satisfies MetricsMessage)
    }
    all.clusterMetrics().then(answer, () => answer(null))
  })
}
