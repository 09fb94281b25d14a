import { mailFollowingContract, mailReadingContract } from "@outbound/testkit/contracts/service/mailReading.js"
import { mailTroubleContract } from "@outbound/testkit/contracts/service/mailTrouble.js"
import * as PostOffice from "@outbound/testkit/mail/PostOffice.js"
import * as ImapPost from "../mail/ImapPost.js"
import { service } from "./service.js"

mailReadingContract("postgres, over IMAP", service, ImapPost.layer)
mailTroubleContract("postgres, over IMAP", service, ImapPost.layer)
mailFollowingContract("postgres", service, PostOffice.layer)
