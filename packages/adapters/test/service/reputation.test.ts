import { dmarcReportsContract, domainWatchContract } from "@outbound/testkit/contracts/service/reputation.js"
import * as ImapPost from "../mail/ImapPost.js"
import { service } from "./service.js"

dmarcReportsContract("postgres, over IMAP", service, ImapPost.layer)
domainWatchContract("postgres", service)
