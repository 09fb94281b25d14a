import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * Below the ports for outgoing connections (32768 and up on Linux), one of which could take a server's port before it
 * starts or restarts; and below those of an embedded PostgreSQL.
 */
const PORT_FIRST = 10_240
const PORTS = 5_192

const TRIES_MAX = 1_000

/**
 * Test files that run side by side take ports of different lanes: one's server may not listen yet where another looks. The
 * runs that `.ci/run` has going at a time have lanes beside each other: three, four, and one for the sample of faults.
 */
const LANES = 8
const LANE = (Number(process.env["VITEST_POOL_ID"] ?? 0) + Number(process.env["TEST_LANES_BEFORE"] ?? 0)) % LANES

/** Ports this process gave out: the server may not listen yet. */
const reserved = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)))
  })

/** A free port of this machine, given out once. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = PORT_FIRST + randomInt(PORTS / LANES) * LANES + LANE
    if (reserved.has(port)) continue
    reserved.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${TRIES_MAX} ports from ${PORT_FIRST} to ${PORT_FIRST + PORTS - 1} is free.`)
}
