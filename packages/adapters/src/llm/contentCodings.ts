import { Decompress } from "fzstd"
import { Transform } from "node:stream"
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"

/** What one piece of a body may grow to. The others are decoded no faster than they are read. */
const GROWN_BYTES_MAX = 32 * 1024 * 1024

// Nor does a body that was cut off fail for it: what it held is read.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH }
const LENIENT_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** Zstandard, which the oldest Node that we support doesn't know. */
const unzstd = (): Transform => {
  let grown = 0
  const decoder = new Decompress((bytes) => {
    grown += bytes.length
    if (grown > GROWN_BYTES_MAX) throw new Error(`a piece of the answer grows beyond ${GROWN_BYTES_MAX} bytes`)
    if (bytes.length > 0) transform.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
  const transform = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      grown = 0
      try {
        decoder.push(piece)
        done()
      } catch (cause) {
        done(cause instanceof Error ? cause : new Error("its Zstandard makes no sense"))
      }
    }
  })
  return transform
}

const startsWith = (bytes: Buffer, ...magic: ReadonlyArray<number>): boolean =>
  magic.every((byte, at) => bytes[at] === byte)

const isGzip = (bytes: Buffer): boolean => startsWith(bytes, 0x1f, 0x8b)

/** RFC 1950 §2.2. */
const isZlib = (bytes: Buffer): boolean => {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}

/** Whether a body begins as text does: what is compressed has other bytes among its first ones. */
const isText = (first: Buffer): boolean => /^(?:\xef\xbb\xbf)?[\t\n\r\x20-\x7e]+$/.test(first.toString("latin1", 0, 32))

/** What decodes a body by its coding and its first bytes: null: it is plain; undefined: we don't know the coding. */
const decoderOf = (coding: string, first: Buffer | null): Transform | null | undefined => {
  switch (coding) {
    case "identity":
    case "":
      return null
    case "gzip":
    case "x-gzip":
      // A proxy that decodes may leave the header.
      return first === null || isGzip(first) ? createGunzip(LENIENT) : null
    case "deflate":
      // In fact half of all servers leave out the wrapper that RFC 9110 §8.4.1.2 demands.
      return first === null || isZlib(first) ? createInflate(LENIENT) : createInflateRaw(LENIENT)
    case "br":
      return createBrotliDecompress(LENIENT_BROTLI)
    case "zstd":
      return first === null || startsWith(first, 0x28, 0xb5, 0x2f, 0xfd) ? unzstd() : null
    default:
      // Some servers name a character set there.
      return first !== null && isText(first) ? null : undefined
  }
}

const CODINGS_MAX = 3

/** An answer is encoded as nobody can read it. */
export class UnknownCoding extends Error {
  constructor(codings: string) {
    super(`its answer is encoded as ${JSON.stringify(codings.slice(0, 60))}`)
  }
}

/**
 * What decodes a body with this `content-encoding` and these first bytes, in the order of decoding. None for most
 * bodies. Some servers encode without being asked, and some without saying so.
 */
export const decodersOf = (header: string, first: Buffer): ReadonlyArray<Transform> => {
  if (header === "") return isGzip(first) ? [createGunzip(LENIENT)] : []
  const codings = header.toLowerCase().split(",", CODINGS_MAX + 1)
  if (codings.length > CODINGS_MAX) throw new UnknownCoding(header)
  // The last one that was applied is undone first.
  return codings.toReversed().flatMap((coding, at) => {
    const decoder = decoderOf(coding.trim(), at === 0 ? first : null)
    if (decoder === undefined) throw new UnknownCoding(header)
    return decoder === null ? [] : [decoder]
  })
}
