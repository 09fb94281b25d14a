/** COPY of rows from one table into another, over the wire, as PostgreSQL's own tools do it. */
import pg from "pg"

/** The members of the driver's connection that its types leave out. */
interface CopyingConnection {
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
}

/** What `pg` hands the server's messages to. The driver leaves COPY to its callers. */
class Copying implements pg.Submittable {
  private readonly chunks: Array<Buffer> = []

  constructor(
    private readonly text: string,
    private readonly input: Buffer,
    private readonly done: (failure: Error | undefined, output: Buffer) => void
  ) {}

  submit(connection: pg.Connection): void {
    connection.query(this.text)
  }

  handleCopyInResponse(connection: CopyingConnection): void {
    connection.sendCopyFromChunk(this.input)
    connection.endCopyFrom()
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The driver reuses the memory that it read into.
    this.chunks.push(Buffer.from(chunk))
  }

  handleCommandComplete(): void {}

  handleError(failure: Error): void {
    this.done(failure, Buffer.alloc(0))
  }

  handleReadyForQuery(): void {
    this.done(undefined, Buffer.concat(this.chunks))
  }
}

/** Runs one COPY statement; what it sent out, if anything. */
export const copy = (client: pg.Client, text: string, input: Buffer = Buffer.alloc(0)): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    client.query(
      new Copying(text, input, (failure, output) => (failure === undefined ? resolve(output) : reject(failure)))
    )
  })
