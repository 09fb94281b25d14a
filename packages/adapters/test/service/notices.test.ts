import { noticesContract } from "@outbound/testkit/contracts/service/notices.js"
import { noticeTroubleContract } from "@outbound/testkit/contracts/service/noticeTrouble.js"
import { service } from "./service.js"

noticesContract("postgres", service)
noticeTroubleContract("postgres", service)
