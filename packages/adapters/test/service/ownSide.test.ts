import { ownSideContract } from "@outbound/testkit/contracts/service/ownSide.js"
import * as PostOffice from "@outbound/testkit/mail/PostOffice.js"
import { service } from "./service.js"

ownSideContract("postgres", service, PostOffice.layer)
