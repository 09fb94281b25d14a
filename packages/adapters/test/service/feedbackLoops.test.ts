import { feedbackLoopContract } from "@outbound/testkit/contracts/service/feedbackLoops.js"
import * as ImapPost from "../mail/ImapPost.js"
import { service } from "./service.js"

feedbackLoopContract("postgres, over IMAP", service, ImapPost.layer)
