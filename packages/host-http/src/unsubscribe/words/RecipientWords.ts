/** What pages for recipients say, in one language. */
export interface RecipientWords {
  readonly unsubscribe: string
  readonly unsubscribeLead: string
  readonly unsubscribed: string
  readonly unsubscribedLead: string
  readonly invalid: string
  readonly invalidLead: string
  readonly later: string
  readonly laterLead: string
  readonly why: string
  readonly who: string
  /** Instead of a postal address. */
  readonly noAddress: string
  readonly whence: string
  /** A source: the sender's own list. */
  readonly imported: string
  /** A source: a search. */
  readonly found: string
  /** A source: named in a call. */
  readonly added: string
  /** Heads the places where statements about them or their company come from. */
  readonly stated: string
  readonly sent: string
  readonly nothingSent: string
  readonly approved: string
  readonly checked: string
  /** The checks of `decideSend`, in a sentence. */
  readonly checkedWhat: string
  readonly after: string
  readonly stopped: string
  readonly rights: string
  readonly access: string
  readonly erasure: string
  readonly erasureNote: string
  readonly asked: string
  readonly askedLead: string
}
