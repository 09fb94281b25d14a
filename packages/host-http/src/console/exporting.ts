/** A format for exporting rows. */
export interface ExportForm<Row> {
  readonly type: string
  readonly extension: string
  readonly head: string
  readonly line: (row: Row) => string
}

/** `name`: of the file, without its extension. */
export const exportHeaders = ({ extension, type }: ExportForm<never>, name: string) => ({
  "content-type": type,
  "content-disposition": `attachment; filename="${name}.${extension}"`
})
