import { dmarcReportsContract } from "@outbound/testkit/contracts/service/dmarcReports.js"
import { domainWatchContract } from "@outbound/testkit/contracts/service/domainWatch.js"
import * as ImapPost from "../mail/ImapPost.js"
import { service } from "./service.js"

dmarcReportsContract("postgres, over IMAP", service, ImapPost.layer)
domainWatchContract("postgres", service)
