import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import {
  firstLine,
  lastLine,
  NOTHING_VERIFIED,
  sealLines,
  type Verified,
  verifiedFault,
  verifyLine
} from "@outbound/domain/kernel/trail/sealedExport.js"
import type { SealedTotals } from "@outbound/domain/kernel/trail/seals.js"
import { Data, Effect, Either, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rm } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { type Command, commandOn, optional, type Outcome, required } from "./Command.js"
import * as Flags from "./flags.js"
import { linesOf } from "./jsonLines.js"

/** An export names people, so only its owner may read it. */
const OWNER_ONLY = 0o600

/** The longest line of an export that is read. No event's detail comes near it. */
const LINE_CHARS_MAX = 1_000_000

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

class FileFailed extends Data.TaggedError("FileFailed")<{ readonly message: string }> {}

const onFile = <A>(path: string, work: () => Promise<A>): Effect.Effect<A, FileFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => {
      const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST"
      const why = isThere ? "is there already. Name a new file." : `: ${cause instanceof Error ? cause.message : cause}`
      return new FileFailed({ message: `${path} ${why}` })
    }
  })

type ReadArchive = (workspaceId: string, archived: SealedTotals) => AsyncIterable<string>

/** Writes a chain seal by seal: what has come meanwhile is in it, and memory holds one seal. */
const write = (path: string, file: FileHandle, workspaceId: string, archive: ReadArchive | null) =>
  Effect.gen(function* () {
    const { archived, next } = yield* SealStore
    const put = (lines: ReadonlyArray<string>) => onFile(path, () => file.appendFile(`${lines.join("\n")}\n`))
    yield* put([firstLine(workspaceId)])
    let totals = yield* archived(workspaceId)
    if (totals.seals > 0 && archive === null) {
      return yield* new FileFailed({
        message: `The beginning of this trail (${counted(totals)}) is in an archive. Say where it is: --archive FOLDER`
      })
    }
    if (totals.seals > 0 && archive !== null) {
      yield* onFile(path, async () => {
        for await (const line of archive(workspaceId, totals)) await file.appendFile(`${line}\n`)
      })
    }
    for (;;) {
      const found = yield* next(workspaceId, totals.seals)
      if (Option.isNone(found)) break
      const { events, seal } = found.value
      yield* put(sealLines(sha256, seal, events))
      totals = { seals: seal.number, events: totals.events + events.length, head: seal.hash }
    }
    yield* put([lastLine(totals)])
    yield* onFile(path, () => file.sync())
    return totals
  })

/** A file that could not be finished is removed. */
const exportTo = (path: string, workspaceId: string, archive: ReadArchive | null) =>
  Effect.acquireUseRelease(
    onFile(path, () => open(path, "wx", OWNER_ONLY)),
    (file) =>
      Effect.tapErrorCause(write(path, file, workspaceId, archive), () =>
        Effect.promise(() => rm(path, { force: true }))
      ),
    (file) => Effect.promise(() => file.close())
  )

/** A part of an archive is compressed. */
const textOf = (path: string): AsyncIterable<string> => {
  if (!path.endsWith(".gz")) return createReadStream(path, "utf8")
  const text = createGunzip().setEncoding("utf8")
  // Whoever reads hears what is wrong with the file.
  pipeline(createReadStream(path), text, () => {})
  return text
}

const verify = (path: string, noted: string | null) =>
  onFile(path, async (): Promise<Verified & { readonly fault: string | null }> => {
    let verified = NOTHING_VERIFIED
    for await (const line of linesOf(textOf(path), LINE_CHARS_MAX)) {
      const next = verifyLine(sha256, noted, verified, line)
      if (Either.isLeft(next)) return { ...verified, fault: `Line ${verified.lines + 1}: ${next.left}.` }
      verified = next.right
    }
    return { ...verified, fault: verifiedFault(noted, verified) }
  })

const counted = ({ events, seals }: SealedTotals): string =>
  `${events} ${events === 1 ? "event" : "events"} in ${seals} ${seals === 1 ? "seal" : "seals"}`

/** What a part of a trail does not prove by itself. */
const goesOn = ({ head, seals }: SealedTotals): string =>
  seals === 0 ? "" : `It is a part, and goes on after seal ${seals}, whose hash must be ${head}\n`

/** `outbound trail export FILE` and `outbound trail verify FILE` */
export const trailCommands = (
  actions: Pick<Actions, "archivedTrail" | "operate">,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
  commandOn(
    "export",
    "Writes a workspace's sealed events and their hashes into a new file, one JSON object per line.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      archive: optional(Schema.NonEmptyString, "FOLDER", "Where the older part of the trail is, if it was archived")
    },
    "file",
    ({ archive, workspace }, path) =>
      Effect.flatMap(config, (read) =>
        actions.operate(
          read,
          Effect.map(
            exportTo(
              path,
              workspace,
              archive === undefined ? null : (of, totals) => actions.archivedTrail(archive, of, totals)
            ),
            (totals): Outcome => ({
              json: { file: path, workspace_id: workspace, ...totals },
              text: `${path} holds ${counted(totals)}.\nIts head, to be noted where nobody here can change it: ${totals.head}`
            })
          )
        )
      )
  ),
  commandOn(
    "verify",
    "Verifies an export of the trail. It needs no database. Exits with code 1 if the trail is not as it was sealed.",
    { head: optional(Flags.Hash, "HASH", "A head that was noted earlier, which the chain must contain") },
    "file",
    ({ head }, path) =>
      Effect.map(verify(path, head ?? null), (found): Outcome => ({
        json: {
          ok: found.fault === null,
          workspace_id: found.workspaceId,
          seals: found.seals,
          events: found.events,
          head: found.head,
          fault: found.fault
        },
        text:
          found.fault === null
            ? `The trail of workspace ${found.workspaceId} is as it was sealed: ${counted(found)}.\n${goesOn(found.after)}Its head: ${found.head}`
            : `${found.fault}\nThe trail can be relied on up to there at most.`,
        isBad: found.fault !== null
      }))
  )
]
