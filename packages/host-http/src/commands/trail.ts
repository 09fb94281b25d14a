import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import {
  firstLine,
  lastLine,
  NOTHING_VERIFIED,
  type SealedTotals,
  sealLines,
  type Verified,
  verifiedFault,
  verifyLine
} from "@outbound/domain/kernel/trail/seals.js"
import { Data, Effect, Option, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rm } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { columnNamed, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import { type JsonObject, unkeepable } from "@outbound/domain/kernel/canonical.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import type { OutboundConfig } from "../Config.js"
import { holdsPersonFile, verifiedPersonFile } from "./personFile.js"
import type { Actions } from "./Actions.js"
import { type Command, commandOn, optional, type Outcome, required } from "./Command.js"
import * as Flags from "./flags.js"
import { type ListOptions, type Opened, ROW_CHARS_MAX, UnusableFile } from "./listForm.js"

/** How many invalid lines may precede the first object. */
const UNREAD_FIRST_MAX = 100

const NO_OBJECT = {
  what: "the line is not a JSON object",
  mend: 'Write one object per line, such as {"email": "ann@acme.com"}.'
}

/** Splits lines; a line that is too long is cut and becomes invalid. */
export async function* linesOf(texts: AsyncIterable<string>, charsMax = ROW_CHARS_MAX): AsyncGenerator<string> {
  let rest = ""
  for await (const text of texts) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
    if (rest.length > 2 * charsMax) rest = rest.slice(0, charsMax + 1)
  }
  if (rest !== "") yield rest
}

const NOT_TEXT = {
  what: "the line holds U+0000 or half of a surrogate pair, which is no text",
  mend: "Export it again as UTF-8."
}

const objectOf = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A value as a cell; null if it can't be one. */
const cellOf = (value: unknown): string | null => {
  if (value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(";") : null
}

interface Reading extends ListOptions {
  readonly kind: DirectoryKind
}

/** How many members an error lists. */
const NAMES_MAX = 5
const NAME_CHARS_MAX = 60

const told = (names: ReadonlyArray<string>, what: string, mend: string) => {
  const some = names.slice(0, NAMES_MAX).map((name) => `"${name.slice(0, NAME_CHARS_MAX)}"`)
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ""
  return names.length === 0 ? [] : [{ what: `${some.join(", ")}${more} ${what}`, mend }]
}

const rowOf = (line: number, text: string, { ignoreUnknown, kind }: Reading): ListedRow => {
  if (text.length > ROW_CHARS_MAX) {
    return { line, what: `the line is longer than ${ROW_CHARS_MAX} characters`, mend: "Shorten its longest member." }
  }
  const object = objectOf(text)
  if (object === null) return { line, ...NO_OBJECT }
  if (unkeepable(object as JsonObject) !== null) return { line, ...NOT_TEXT }
  const cells: Record<string, string> = {}
  const unknown: Array<string> = []
  const unreadable: Array<string> = []
  for (const [name, value] of Object.entries(object)) {
    const column = columnNamed(kind, name)
    if (column === null) {
      if (!ignoreUnknown) unknown.push(name)
      continue
    }
    const cell = cellOf(value)
    if (cell === null) unreadable.push(name)
    else if (cell !== "" || !(column in cells)) cells[column] = cell
  }
  if (unknown.length + unreadable.length === 0) return { line, cells }
  const mistakes = [
    ...told(
      unknown,
      `is not a column of a list of ${kind}`,
      "Rename it, or skip unknown members with --ignore-unknown."
    ),
    ...told(unreadable, "is not text or a number", "Use text, a number or a list of texts.")
  ]
  return { line, what: mistakes.map(({ what }) => what).join("; "), mend: mistakes.map(({ mend }) => mend).join(" ") }
}

/** Detects the kind of the list from the first object. */
export const openJsonLines = async (all: AsyncGenerator<string>, options: ListOptions): Promise<Opened> => {
  const lines = linesOf(all)
  const before: Array<ListedRow> = []
  for (let line = 1; ; line += 1) {
    const next = await lines.next()
    if (next.done === true || before.length === UNREAD_FIRST_MAX) {
      throw new UnusableFile({ message: "the file contains no JSON objects. Write one per line." })
    }
    const text = next.value.replace(/^\uFEFF/, "").trim()
    if (text === "") continue
    const object = objectOf(text)
    if (object === null) {
      before.push({ line, ...NO_OBJECT })
      continue
    }
    const recognised = Result.getOrThrowWith(recogniseColumns(Object.keys(object), options), (mistakes) => mistakes)
    const reading = { ...options, kind: recognised.kind }
    async function* rows(): AsyncGenerator<ListedRow> {
      yield* before
      yield rowOf(line, text, reading)
      let at = line
      for await (const later of lines) {
        at += 1
        if (later.trim() !== "") yield rowOf(at, later.trim(), reading)
      }
    }
    return { ...recognised, rows: rows(), table: null }
  }
}

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
      Effect.tapCause(write(path, file, workspaceId, archive), () => Effect.promise(() => rm(path, { force: true }))),
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
      if (Result.isFailure(next)) return { ...verified, fault: `Line ${verified.lines + 1}: ${next.failure}.` }
      verified = next.success
    }
    return { ...verified, fault: verifiedFault(noted, verified) }
  })

const counted = ({ events, seals }: SealedTotals): string =>
  `${events} ${events === 1 ? "event" : "events"} in ${seals} ${seals === 1 ? "seal" : "seals"}`

/** What a part of a trail does not prove by itself. */
const goesOn = ({ head, seals }: SealedTotals): string =>
  seals === 0 ? "" : `It is a part, and goes on after seal ${seals}, whose hash must be ${head}\n`

/** What `outbound trail verify` says of an export of the trail. */
const verifiedTrail = (path: string, noted: string | null) =>
  Effect.map(verify(path, noted), (found): Outcome => ({
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
    "Verifies an export of the trail, or a person's file. It needs no database. Exits with code 1 if it is not as it was made.",
    { head: optional(Flags.Hash, "HASH", "A head that was noted earlier, which the chain must contain") },
    "file",
    ({ head }, path) =>
      Effect.flatMap(
        onFile(path, () => holdsPersonFile(path)),
        (isOnePerson) =>
          isOnePerson ? onFile(path, async () => verifiedPersonFile(path)) : verifiedTrail(path, head ?? null)
      )
  )
]
