import { rootCertificates } from "node:tls"

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i

/** Whether a host is this machine, the only one that gets a secret without TLS. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

export interface MailTls {
  /** Certificates (PEM) trusted in addition to the usual ones, for private servers. */
  readonly ca: string | null
}

/** Every certificate is verified. */
export const mailTls = ({ ca }: MailTls) => ({
  rejectUnauthorized: true,
  minVersion: "TLSv1.2" as const,
  ...(ca === null ? {} : { ca: [...rootCertificates, ca] })
})
