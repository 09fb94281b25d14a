import {
  NOTHING_SEALED,
  NOTHING_VERIFIED,
  type SealedTotals,
  type Verified,
  verifiedFault,
  verifyLine
} from "@outbound/domain/kernel/trail/seals.js"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pipeline } from "node:stream/promises"
import { PassThrough } from "node:stream"
import { createGunzip } from "node:zlib"
import { BackupError } from "../../postgres/backup/Manifest.js"

/** Where an archive keeps trails: a folder for each workspace, with a file for each part. */
export const TRAILS = "trails"

export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

const PART = /^(\d{12})-(\d{12})\.jsonl\.gz$/

/** The name of the part with these seals. Names are in the order of the chain. */
export const partOf = (first: number, last: number): string =>
  `${String(first).padStart(12, "0")}-${String(last).padStart(12, "0")}.jsonl.gz`

/** The parts in a folder, by their first seals, and of one first seal the shortest first. */
export const partsIn = async (
  home: string
): Promise<ReadonlyArray<{ readonly name: string; readonly first: number; readonly last: number }>> =>
  (await readdir(home).catch(() => [])).sort().flatMap((name) => {
    const [, first, last] = PART.exec(name) ?? []
    return first === undefined ? [] : [{ name, first: Number(first), last: Number(last) }]
  })

/** Verifies one line after the other, and fails at the first that is wrong. */
export const verifying = (what: string) => {
  let verified: Verified = NOTHING_VERIFIED
  const fail = (fault: string) => new BackupError({ message: `${what}: ${fault}` })
  return {
    line: (text: string): void => {
      const next = verifyLine(sha256, null, verified, text)
      if (Result.isFailure(next)) throw fail(`line ${verified.lines + 1}: ${next.failure}.`)
      verified = next.success
    },
    end: (): Verified => {
      const fault = verifiedFault(null, verified)
      if (fault !== null) throw fail(fault)
      return verified
    }
  }
}

/** The lines of a compressed file. A file that is cut off or damaged fails. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const text = new PassThrough()
  const reading = pipeline(createReadStream(path), createGunzip(), text)
  reading.catch(() => {})
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) yield line
  await reading
}

const areSame = (one: SealedTotals, other: SealedTotals): boolean =>
  one.seals === other.seals && one.events === other.events && one.head === other.head

/**
 * The seals and events of a workspace's archived trail, as lines of an export, each verified: the chain begins with its
 * first seal, and ends as `archived` says. Fails at the first line that is wrong, and where a part is missing.
 */
export async function* archivedLines(
  folder: string,
  workspaceId: string,
  archived: SealedTotals
): AsyncGenerator<string> {
  const home = join(folder, TRAILS, workspaceId)
  const names = await partsIn(home)
  let totals = NOTHING_SEALED
  for (;;) {
    // A part that a run left behind which died, and that a longer one has replaced, begins where that one begins.
    const next = names.filter(({ first, last }) => first === totals.seals + 1 && last <= archived.seals).at(-1)
    if (next === undefined) break
    const path = join(home, next.name)
    const verify = verifying(`${path} is not what was archived`)
    // The first line and the last one are the part's own.
    let isFirst = true
    let held: string | null = null
    for await (const text of linesOf(path)) {
      verify.line(text)
      if (held !== null) yield held
      held = isFirst ? null : text
      isFirst = false
    }
    const { after, workspaceId: of, ...end } = verify.end()
    if (of !== workspaceId || !areSame(after, totals)) {
      throw new BackupError({ message: `${path} does not go on where the part before it ends.` })
    }
    totals = end
  }
  if (!areSame(totals, archived)) {
    throw new BackupError({
      message: `${home} holds ${totals.seals} of the ${archived.seals} archived seals, or others. Look for its other parts.`
    })
  }
}
