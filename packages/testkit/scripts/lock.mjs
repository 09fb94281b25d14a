/** One set-up at a time in a checkout: a file that its holder keeps fresh. */
import { randomUUID } from "node:crypto"
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { beforeStop, Failure, root, say } from "./host.mjs"

const LOCK = join(root, ".setup.lock")
const BREAKING = `${LOCK}.breaking`
const BEAT_MILLIS = 2_000
const POLL_MILLIS = 200
/** A lock that nobody was seen to freshen for so long belongs to nobody. */
const STALE_MILLIS = 30_000
const WAIT_MILLIS_MAX = 15 * 60_000

const read = () => {
  try {
    return { text: readFileSync(LOCK, "utf8"), beat: statSync(LOCK).mtimeMs }
  } catch (error) {
    if (error.code === "ENOENT") return undefined
    throw error
  }
}

const create = (path, text) => {
  try {
    writeFileSync(path, text, { flag: "wx" })
    return true
  } catch (error) {
    if (error.code === "EEXIST") return false
    throw error
  }
}

const holderOf = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    // Its holder is between creating and writing it, or died there.
    return {}
  }
}

const isDead = ({ pid, host }) => {
  if (host !== hostname() || !Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === "ESRCH"
  }
}

/** Of all who found the lock stale one removes it, and only if it is still the one that was found. */
const breakStale = (text) => {
  if (!create(BREAKING, String(process.pid))) return
  try {
    if (read()?.text === text) rmSync(LOCK, { force: true })
  } finally {
    rmSync(BREAKING, { force: true })
  }
}

const acquire = async (mine) => {
  const since = performance.now()
  let seen = undefined
  let told = false
  while (!create(LOCK, mine)) {
    const found = read()
    if (found === undefined) continue
    const now = performance.now()
    // Measured by our own clock from when we saw the last beat, so that a clock that jumps breaks no lock.
    if (seen === undefined || seen.text !== found.text || seen.beat !== found.beat) seen = { ...found, at: now }
    const holder = holderOf(found.text)
    if (isDead(holder) || now - seen.at > STALE_MILLIS) breakStale(found.text)
    else if (now - since > WAIT_MILLIS_MAX) {
      throw new Failure(
        `Another run (process ${holder.pid}) has been setting up this checkout for 15 minutes.`,
        `End that process. If it does not exist, remove ${LOCK} and ${BREAKING}.`
      )
    } else if (!told) {
      told = true
      say(`Waiting for another run (process ${holder.pid ?? "unknown"}) that is setting up this checkout.`)
    }
    await delay(POLL_MILLIS)
  }
}

/** Runs `work` while no other run of these scripts sets the same checkout up. */
export const exclusively = async (work) => {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() })
  await acquire(mine)
  const release = () => {
    if (read()?.text === mine) rmSync(LOCK, { force: true })
  }
  const beat = setInterval(() => {
    if (read()?.text === mine) utimesSync(LOCK, new Date(), new Date())
  }, BEAT_MILLIS)
  const keep = beforeStop(release)
  try {
    return await work()
  } finally {
    keep()
    clearInterval(beat)
    release()
  }
}
