import { Clock, Context, Data, Effect, Layer, Option, Stream } from "effect"
import { Ids } from "../../kernel/ports/Ids.js"
import { after, type Machine } from "../../kernel/machine.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import {
  type OpenLoad,
  OpenDirectoryStore,
  type OpenPart,
  type OpenRefusals,
  type OpenStep
} from "./OpenDirectoryStore.js"
import { type FileRecord, type OpenedFile, OpenFiles, type UnusableOpenFile } from "./OpenFiles.js"
import { OpenLoadMachine } from "./OpenLoadMachine.js"
import { OPEN_REFUSALS, type OpenCompany, type OpenRefusal } from "./OpenRecords.js"
import { PUBLISHERS } from "./publishers/publishers.js"

/** The most rows of a step of a walk. */
const STEP_ROWS = 20_000

const FIRST_GENERATION = 1

/** A file with less than this share of what the part held is hardly whole. */
const SHRUNK_SHARE = 0.5

/** How a file is taken. */
interface Taking extends OpenPart {
  /** Removes what the file doesn't hold, however little it holds. */
  readonly mayShrink: boolean
  readonly progress: (load: OpenLoad) => Effect.Effect<void>
}

type OpenFile<E> = OpenedFile<E> & Taking

type Stopped = LoadTakenOver | FileShrunk | FileOfAnother

/** Another process began to load the same part. */
export class LoadTakenOver extends Data.TaggedError("LoadTakenOver")<Pick<OpenLoad, "publisher" | "part">> {
  override get message(): string {
    return `Another import of ${this.publisher}, ${this.part}, began meanwhile. This one has stopped.`
  }
}

/** The file holds so little that what it lacks was hardly closed since. */
export class FileShrunk extends Data.TaggedError("FileShrunk")<{ readonly load: OpenLoad; readonly held: number }> {
  override get message(): string {
    const { added, heldBefore, known, updated } = this.load
    return (
      `The file holds ${added + updated + known} companies of this part, which held ${heldBefore}. ` +
      `Its companies were taken, and none was removed. If it is the whole file, import it again with --fewer.`
    )
  }
}

/** Nothing at the file's beginning is a record of the publisher. */
export class FileOfAnother extends Data.TaggedError("FileOfAnother")<Pick<OpenLoad, "publisher">> {
  override get message(): string {
    return `None of the first records is one of ${PUBLISHERS[this.publisher].title}. Is it the right file, and --from?`
  }
}

/**
 * Loads published files into the open directory. Each batch is a transaction that also says how far the file was read: a
 * load that dies goes on after its last batch.
 */
export class OpenDirectoryLoader extends Context.Service<
  OpenDirectoryLoader,
  {
    readonly load: <E>(file: OpenFile<E>) => FromStore<OpenLoad, E | Stopped>
    readonly loadFile: (path: string, taking: Taking) => FromStore<OpenLoad, UnusableOpenFile | Stopped>
    readonly loads: FromStore<ReadonlyArray<OpenLoad>>
  }
>()("@outbound/domain/wings/openDirectory/OpenDirectoryLoader") {}

const heldBy = ({ added, known, updated }: OpenLoad): number => added + known + updated

/** The load of a file: the one under way, if it is of the same file, or a new one. */
export const nextLoad = (
  before: OpenLoad | null,
  { fileKey, part, publisher }: Pick<OpenLoad, "fileKey" | "part" | "publisher">,
  claimId: string,
  nowMillis: number
): OpenLoad => {
  if (before !== null && before.fileKey === fileKey && !OpenLoadMachine.is.ended(before.state)) {
    return { ...before, claimId }
  }
  const heldBefore =
    before === null ? null : OpenLoadMachine.is.ended(before.state) ? heldBy(before) : before.heldBefore
  return {
    publisher,
    part,
    fileKey,
    claimId,
    generation: before === null ? FIRST_GENERATION : before.generation + 1,
    state: before === null ? OpenLoadMachine.initial : after(OpenLoadMachine, before.state, "begin"),
    position: 0,
    cursor: "",
    added: 0,
    updated: 0,
    known: 0,
    retired: 0,
    refused: {},
    heldBefore,
    beganAtMillis: nowMillis,
    endedAtMillis: null
  }
}

/** Whether a file is too small to be the whole of its part. */
export const isShrunk = (load: OpenLoad): boolean =>
  load.heldBefore !== null && heldBy(load) < load.heldBefore * SHRUNK_SHARE

interface ReadBatch {
  /** Records, whatever became of them. */
  readonly records: number
  readonly companies: ReadonlyArray<OpenCompany>
  /** Records with an id that a later one of the batch has too. */
  readonly repeated: number
  readonly refused: OpenLoad["refused"]
}

/** Reads records that stand after the first `position` of the file. */
export const readBatch = (
  { read }: (typeof PUBLISHERS)[OpenLoad["publisher"]],
  position: number,
  records: ReadonlyArray<FileRecord>
): ReadBatch => {
  const companies = new Map<string, OpenCompany>()
  const refused: Partial<Record<OpenRefusal, OpenRefusals>> = {}
  let taken = 0
  for (const [at, record] of records.entries()) {
    const company = record === null ? "unreadable" : read(record)
    if (typeof company === "string") {
      const known = refused[company]
      refused[company] = { count: (known?.count ?? 0) + 1, first: known?.first ?? position + at + 1 }
    } else {
      taken += 1
      companies.set(company.ref, company)
    }
  }
  return { records: records.length, companies: [...companies.values()], repeated: taken - companies.size, refused }
}

/** Whether nothing of the file's first records is its publisher's. */
const isOfAnother = ({ companies, records, refused }: ReadBatch): boolean =>
  companies.length === 0 && (refused.unreadable?.count ?? 0) + (refused.no_id?.count ?? 0) === records

const together = (before: OpenLoad["refused"], now: OpenLoad["refused"]): OpenLoad["refused"] => {
  const all: Partial<Record<OpenRefusal, OpenRefusals>> = { ...before }
  for (const reason of OPEN_REFUSALS) {
    const [known, more] = [before[reason], now[reason]]
    if (more !== undefined) all[reason] = { count: (known?.count ?? 0) + more.count, first: known?.first ?? more.first }
  }
  return all
}

const afterEvent = (load: OpenLoad, event: (typeof OpenLoadMachine.events)[number]): OpenLoad => ({
  ...load,
  state: after(OpenLoadMachine as Machine<OpenLoad["state"], typeof event>, load.state, event)
})

export const layer = Layer.effect(
  OpenDirectoryLoader,
  Effect.gen(function* () {
    const store = yield* OpenDirectoryStore
    const files = yield* OpenFiles
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    /** Changes the load, if it is still ours. */
    const held = <E>(mine: OpenLoad, change: (load: OpenLoad) => InTx<OpenLoad, E>) =>
      atomically(
        Effect.gen(function* () {
          const load = Option.getOrNull(yield* store.lockLoad(mine))
          if (load === null || load.claimId !== mine.claimId) return yield* new LoadTakenOver(mine)
          const changed = yield* change(load)
          yield* store.putLoad(changed)
          return changed
        })
      )

    const take = (mine: OpenLoad, { companies, records, refused, repeated }: ReadBatch) =>
      held(mine, (load) =>
        Effect.map(store.put(load, load, companies), ({ added, updated }) => ({
          ...load,
          position: load.position + records,
          added: load.added + added,
          updated: load.updated + updated,
          known: load.known + companies.length - added - updated + repeated,
          refused: together(load.refused, refused)
        }))
      )

    /** Walks over rows step by step, each a transaction, and then leaves the state. */
    const walk = (
      begun: OpenLoad,
      leave: "swept" | "named",
      step: (load: OpenLoad) => ReturnType<(typeof store)["name"]>,
      counted: (load: OpenLoad, step: OpenStep) => OpenLoad,
      progress: (load: OpenLoad) => Effect.Effect<void>
    ) =>
      Effect.gen(function* () {
        const { state } = begun
        let load = begun
        while (load.state === state) {
          load = yield* held(load, (current) =>
            Effect.map(step(current), (made) => {
              const counts = counted(current, made)
              return made.next === null
                ? { ...afterEvent(counts, leave), cursor: "" }
                : { ...counts, cursor: made.next }
            })
          )
          yield* progress(load)
        }
        return load
      })

    const readAll = <E>(file: OpenFile<E>, begun: OpenLoad) =>
      Effect.gen(function* () {
        const publisher = PUBLISHERS[file.publisher]
        let load = begun
        let position = begun.position
        yield* file.records(begun.position).pipe(
          Stream.map((records) => {
            const batch = readBatch(publisher, position, records)
            position += records.length
            return batch
          }),
          // The next batch is read while this one is written.
          Stream.buffer({ capacity: 1 }),
          Stream.runForEach((batch) =>
            Effect.gen(function* () {
              if (load.position === 0 && isOfAnother(batch)) return yield* new FileOfAnother(file)
              load = yield* take(load, batch)
              yield* file.progress(load)
            })
          )
        )
        return load
      })

    const load = <E>(file: OpenFile<E>): FromStore<OpenLoad, E | Stopped> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const claimId = ids.next(now)
        let load = yield* atomically(
          Effect.gen(function* () {
            const begun = nextLoad(Option.getOrNull(yield* store.lockLoad(file)), file, claimId, now)
            yield* store.putLoad(begun)
            return begun
          })
        )
        yield* file.progress(load)
        if (OpenLoadMachine.is.reading(load.state)) {
          load = yield* readAll(file, load)
          if (isShrunk(load) && !file.mayShrink) return yield* new FileShrunk({ load, held: heldBy(load) })
          load = yield* held(load, (current) => Effect.succeed(afterEvent(current, "read")))
        }
        if (OpenLoadMachine.is.sweeping(load.state)) {
          load = yield* walk(
            load,
            "swept",
            ({ cursor, generation, part, publisher }) =>
              // Before the first file of a part there was none whose rows could be older.
              generation === FIRST_GENERATION
                ? Effect.succeed({ changed: 0, next: null })
                : store.sweep({ part, publisher }, generation, cursor, STEP_ROWS),
            (current, { changed }) => ({ ...current, retired: current.retired + changed }),
            file.progress
          )
        }
        load = yield* walk(
          load,
          "named",
          ({ cursor }) => store.name(cursor, STEP_ROWS),
          (current) => current,
          file.progress
        )
        yield* store.settle
        const endedAtMillis = yield* Clock.currentTimeMillis
        return yield* held(load, (current) => Effect.succeed({ ...current, endedAtMillis }))
      })

    return {
      loads: store.loads,
      load,
      loadFile: (path, taking) =>
        Effect.flatMap(files.open(path, taking.publisher), (opened) => load({ ...opened, ...taking }))
    }
  })
)
