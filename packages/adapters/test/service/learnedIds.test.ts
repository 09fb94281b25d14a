import { learnedIdsStories } from "@outbound/testkit/contracts/service/learnedIds.js"
import * as PostOffice from "@outbound/testkit/mail/PostOffice.js"
import { service } from "./service.js"

learnedIdsStories("postgres", service, PostOffice.layer)
