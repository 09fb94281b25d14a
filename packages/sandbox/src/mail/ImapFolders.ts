/** A message in a folder. */
export interface KeptMail {
  readonly uid: number
  readonly raw: Buffer
  readonly arrivedAt: Date
  readonly flags: ReadonlySet<string>
}

/** A folder of a mailbox. UIDs go up; under another `uidValidity` they are others. One of 0 is not told. */
export class ImapFolder {
  uidNext = 1
  mails: Array<KeptMail> = []
  private readonly watchers = new Set<() => void>()

  constructor(
    readonly path: string,
    readonly specialUse: string | null,
    public uidValidity: number
  ) {}

  add(raw: Buffer, arrivedAt: Date, flags: ReadonlySet<string> = new Set()): number {
    const uid = this.uidNext
    this.uidNext += 1
    this.mails.push({ uid, raw, arrivedAt, flags })
    this.tell()
    return uid
  }

  remove(uid: number): KeptMail | undefined {
    const found = this.mails.find((mail) => mail.uid === uid)
    this.mails = this.mails.filter((mail) => mail !== found)
    return found
  }

  /** As after a restored backup: the same messages, under other UIDs. */
  changeUidValidity(firstUid = 1): void {
    this.uidValidity += 1
    this.mails = this.mails.map((mail, index) => ({ ...mail, uid: firstUid + index }))
    this.uidNext = firstUid + this.mails.length
  }

  /** As servers that number anew and say nothing of it. */
  renumber(): void {
    this.mails = this.mails.map((mail, index) => ({ ...mail, uid: index + 1 }))
    this.uidNext = this.mails.length + 1
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  tell(): void {
    for (const watcher of this.watchers) watcher()
  }
}

/** A mailbox of the server: who may come in, and its folders. */
export class ImapMailbox {
  readonly folders: Map<string, ImapFolder>

  constructor(
    readonly user: string,
    readonly password: string,
    /** Accepted by XOAUTH2, until another is. */
    public accessToken: string,
    folders: ReadonlyArray<readonly [path: string, specialUse: string | null]>
  ) {
    this.folders = new Map(folders.map(([path, use], index) => [path, new ImapFolder(path, use, 1000 + index)]))
  }

  /** The folder by its name; `INBOX` in any case (RFC 3501 §5.1). */
  folder(path: string): ImapFolder | undefined {
    return this.folders.get(path.toUpperCase() === "INBOX" ? "INBOX" : path)
  }

  get inbox(): ImapFolder {
    return this.folders.get("INBOX") as ImapFolder
  }
}

/** The folders of most servers, one of them with a name beyond ASCII. */
export const USUAL_FOLDERS = [
  ["INBOX", null],
  ["Entwürfe & Ähnliches", "\\Drafts"],
  ["Gesendete Objekte", "\\Sent"],
  ["Unerwünscht", "\\Junk"]
] as const
