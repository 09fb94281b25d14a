import perfHooks from "node:perf_hooks"
import { expect, it, vi } from "vitest"
import { LOOP_LOOK_MILLIS, makeMetrics } from "../src/metrics/Metrics.js"

it("the event loop's delay is measured, and wakes a process that has nothing to do at most 20 times a second", async () => {
  const monitors = vi.spyOn(perfHooks, "monitorEventLoopDelay")
  const { render } = makeMetrics()
  expect(monitors.mock.calls).toEqual([[{ resolution: LOOP_LOOK_MILLIS }]])
  expect(1_000 / LOOP_LOOK_MILLIS).toBeLessThanOrEqual(20)
  expect(await render()).toContain("nodejs_eventloop_lag_p99_seconds ")
  monitors.mockRestore()
})
